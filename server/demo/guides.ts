// Over 150 lines because it is one table: what to do about an alarm, in each language.
import type pg from 'pg'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { demoPeople } from './people.ts'

/** What helps most, then the steps in their order. */
type Guide = readonly [first: string, ...steps: string[]]

const coinJam: Record<Language, Guide> = {
  en: [
    'Most jams are a bent coin or a foreign piece in the entry.',
    'Press the return lever a few times: loose coins fall into the cup.',
    'Open the door, switch the coin mechanism off and open its flap.',
    'Remove the stuck piece. Never push it through with a screwdriver.',
    'Wipe the coin path dry, close the flap, switch on and try each coin once.',
  ],
  it: [
    'Quasi sempre è una moneta piegata o un corpo estraneo nell’imbocco.',
    'Premere più volte la leva di restituzione: le monete libere cadono nella vaschetta.',
    'Aprire la porta, spegnere la gettoniera e aprirne lo sportellino.',
    'Togliere ciò che è incastrato; mai spingerlo con un cacciavite.',
    'Pulire a secco la pista, chiudere, riaccendere e provare ogni taglio una volta.',
  ],
  es: [
    'Casi siempre es una moneda doblada o un cuerpo extraño en la entrada.',
    'Pulse varias veces la palanca de devolución: las monedas sueltas caen al cajetín.',
    'Abra la puerta, apague el monedero y abra su tapa.',
    'Retire lo que esté atascado; nunca lo empuje con un destornillador.',
    'Limpie en seco el recorrido, cierre, encienda y pruebe cada moneda una vez.',
  ],
  fr: [
    'Il s’agit presque toujours d’une pièce tordue ou d’un corps étranger dans la fente.',
    'Actionner plusieurs fois le levier de restitution : les pièces libres tombent dans la sébile.',
    'Ouvrir la porte, éteindre le monnayeur et ouvrir son volet.',
    'Retirer ce qui est coincé ; ne jamais pousser avec un tournevis.',
    'Essuyer le parcours à sec, refermer, rallumer et essayer chaque pièce une fois.',
  ],
  de: [
    'Meist ist es eine verbogene Münze oder ein Fremdkörper im Einwurf.',
    'Rückgabehebel mehrmals drücken: lose Münzen fallen in die Schale.',
    'Tür öffnen, Münzprüfer ausschalten und seine Klappe öffnen.',
    'Herausnehmen, was klemmt; nie mit dem Schraubendreher durchdrücken.',
    'Münzweg trocken auswischen, schließen, einschalten und jede Münze einmal prüfen.',
  ],
  pt: [
    'Quase sempre é uma moeda torta ou um corpo estranho na entrada.',
    'Pressione várias vezes a alavanca de devolução: as moedas soltas caem na taça.',
    'Abra a porta, desligue o moedeiro e abra a sua tampa.',
    'Retire o que estiver preso; nunca empurre com uma chave de fendas.',
    'Limpe o percurso a seco, feche, ligue e experimente cada moeda uma vez.',
  ],
}

const billJam: Record<Language, Guide> = {
  en: [
    'A banknote is stuck in the path, torn or folded.',
    'Switch the bill validator off and remove its head with the lever.',
    'Pull the banknote out in the direction of travel, in one piece. Check for torn corners.',
    'Wipe the lenses and belts with a dry cloth, without solvent.',
    'Put the head back until it clicks, switch on and insert one banknote each way round.',
  ],
  it: [
    'Una banconota è ferma nel percorso, strappata o piegata.',
    'Spegnere il lettore e sganciarne la testa con la leva.',
    'Estrarre la banconota nel verso di marcia, intera; cercare angoli strappati.',
    'Pulire lenti e cinghie con un panno asciutto, senza solventi.',
    'Riagganciare la testa fino allo scatto, accendere e provare una banconota per ogni verso.',
  ],
  es: [
    'Hay un billete parado en el recorrido, roto o doblado.',
    'Apague el lector y suelte el cabezal con la palanca.',
    'Saque el billete en el sentido de avance, entero; busque esquinas rotas.',
    'Limpie lentes y correas con un paño seco, sin disolventes.',
    'Coloque el cabezal hasta que encaje, encienda y pruebe un billete en cada sentido.',
  ],
  fr: [
    'Un billet est resté dans le parcours, déchiré ou plié.',
    'Éteindre le lecteur et déposer sa tête avec le levier.',
    'Retirer le billet dans le sens de la marche, en entier ; chercher des coins déchirés.',
    'Essuyer lentilles et courroies avec un chiffon sec, sans solvant.',
    'Remettre la tête jusqu’au clic, rallumer et essayer un billet dans chaque sens.',
  ],
  de: [
    'Ein Geldschein steht im Weg, gerissen oder gefaltet.',
    'Prüfer ausschalten und den Kopf mit dem Hebel abnehmen.',
    'Schein in Laufrichtung im Ganzen herausziehen; nach abgerissenen Ecken sehen.',
    'Linsen und Riemen mit trockenem Tuch abwischen, ohne Lösungsmittel.',
    'Kopf einrasten lassen, einschalten und einen Schein in jeder Lage einziehen lassen.',
  ],
  pt: [
    'Há uma nota parada no percurso, rasgada ou dobrada.',
    'Desligue o leitor e solte a cabeça com a alavanca.',
    'Retire a nota no sentido da marcha, inteira; procure cantos rasgados.',
    'Limpe lentes e correias com um pano seco, sem solvente.',
    'Encaixe a cabeça até ao clique, ligue e experimente uma nota em cada sentido.',
  ],
}

const spiral: Record<Language, Guide> = {
  en: [
    'The number after the alarm is the selection. The others keep selling.',
    'Open the door and check for a product tilted or caught between spiral and shelf.',
    'Remove the products and turn the spiral manually to its home position.',
    'Load again, each product upright and close to the next.',
    'Run a test vend of this selection. If it stops again, replace the motor.',
  ],
  it: [
    'Il numero dopo l’allarme è la selezione; le altre continuano a vendere.',
    'Aprire la porta e vedere se un prodotto è inclinato o incastrato tra spirale e ripiano.',
    'Togliere i prodotti e girare la spirale a mano fino alla posizione di riposo.',
    'Ricaricare, ogni prodotto diritto e vicino al precedente.',
    'Fare una vendita di prova della selezione; se si ferma di nuovo, cambiare il motore.',
  ],
  es: [
    'El número tras la alarma es la selección; las demás siguen vendiendo.',
    'Abra la puerta y mire si un producto está inclinado o atrapado entre espiral y bandeja.',
    'Retire los productos y gire la espiral a mano hasta su posición de reposo.',
    'Vuelva a cargar, cada producto derecho y junto al anterior.',
    'Haga una venta de prueba de la selección; si se detiene otra vez, cambie el motor.',
  ],
  fr: [
    'Le numéro après l’alarme est la sélection ; les autres continuent de vendre.',
    'Ouvrir la porte et voir si un produit est incliné ou coincé entre la spirale et le plateau.',
    'Retirer les produits et tourner la spirale à la main jusqu’à sa position de repos.',
    'Recharger, chaque produit droit et contre le précédent.',
    'Faire une vente d’essai de la sélection ; si elle s’arrête encore, changer le moteur.',
  ],
  de: [
    'Die Nummer nach dem Alarm ist die Auswahl; die übrigen verkaufen weiter.',
    'Tür öffnen und sehen, ob ein Produkt schräg steht oder zwischen Spirale und Boden klemmt.',
    'Produkte herausnehmen, Spirale von Hand in die Ruhelage drehen.',
    'Neu beladen, jedes Produkt aufrecht und dicht am vorigen.',
    'Testverkauf dieser Auswahl; steht sie wieder, den Motor tauschen.',
  ],
  pt: [
    'O número depois do alarme é a seleção; as outras continuam a vender.',
    'Abra a porta e veja se um produto está inclinado ou preso entre a espiral e a prateleira.',
    'Retire os produtos e rode a espiral à mão até à posição de repouso.',
    'Carregue de novo, cada produto direito e junto ao anterior.',
    'Faça uma venda de teste da seleção; se parar outra vez, troque o motor.',
  ],
}

const water: Record<Language, Guide> = {
  en: [
    'The machine cannot sell hot drinks without water.',
    'Check that the tap behind the machine is open and the hose is not bent.',
    'Without mains water: fill the tank, and seat it until the valve opens.',
    'Clean the inlet filter under running water.',
    'Close the door: the machine fills automatically and ends this alarm. If it does not, replace the inlet valve.',
  ],
  it: [
    'La macchina non eroga bevande calde finché non torna l’acqua.',
    'Vedere se il rubinetto dietro la macchina è aperto e il tubo non è piegato.',
    'Senza rete idrica: riempire la tanica e inserirla finché la valvola si apre.',
    'Pulire il filtro d’ingresso sotto l’acqua corrente.',
    'Chiudere la porta: la macchina si riempie da sola e chiude l’allarme. Altrimenti va cambiata l’elettrovalvola d’ingresso.',
  ],
  es: [
    'La máquina no prepara bebidas calientes hasta que vuelva a tener agua.',
    'Mire si el grifo detrás de la máquina está abierto y el tubo no está doblado.',
    'Sin red de agua: llene el depósito y encájelo hasta que se abra la válvula.',
    'Limpie el filtro de entrada bajo el grifo.',
    'Cierre la puerta: la máquina se llena sola y termina la alarma. Si no, hay que cambiar la electroválvula de entrada.',
  ],
  fr: [
    'La machine ne fait aucune boisson chaude tant qu’elle n’a pas d’eau.',
    'Voir si le robinet derrière la machine est ouvert et si le tuyau n’est pas plié.',
    'Sans eau de réseau : remplir le réservoir et l’enfoncer jusqu’à l’ouverture de la valve.',
    'Nettoyer le filtre d’entrée à l’eau courante.',
    'Fermer la porte : la machine se remplit seule et met fin à l’alarme. Sinon, l’électrovanne d’entrée est à changer.',
  ],
  de: [
    'Der Automat macht kein Heißgetränk, bis er wieder Wasser hat.',
    'Sehen, ob der Hahn hinter dem Automaten offen und der Schlauch nicht geknickt ist.',
    'Ohne Festwasser: Tank füllen und einsetzen, bis das Ventil öffnet.',
    'Einlaufsieb unter fließendem Wasser reinigen.',
    'Tür schließen: Der Automat füllt sich von selbst und beendet den Alarm. Tut er es nicht, ist das Einlassventil zu tauschen.',
  ],
  pt: [
    'A máquina não faz bebidas quentes até voltar a ter água.',
    'Veja se a torneira atrás da máquina está aberta e o tubo não está dobrado.',
    'Sem água da rede: encha o depósito e encaixe-o até a válvula abrir.',
    'Limpe o filtro de entrada em água corrente.',
    'Feche a porta: a máquina enche sozinha e termina o alarme. Se não, há que trocar a eletroválvula de entrada.',
  ],
}

const silence: Record<Language, Guide> = {
  en: [
    'The machine may still be selling. Its data arrives when it is online again.',
    'Check whether machines nearby are offline too: then the local network is the cause.',
    'Send “Restart” if it still responds. Ask on site whether the display is on.',
    'On site, check mains power, antenna and SIM, then the LED of the telemetry module.',
  ],
  it: [
    'La macchina può vendere lo stesso: ciò che ha da dire arriva quando si fa risentire.',
    'Vedere se tacciono anche le vicine nello stesso luogo: allora è la rete di lì.',
    'Inviare “Riavvio” se risponde; chiedere a qualcuno sul posto se il display è acceso.',
    'Sul posto: corrente, poi antenna e SIM, poi la spia del modulo di telemetria.',
  ],
  es: [
    'La máquina puede seguir vendiendo: lo que tenga que decir llega cuando vuelva a oírse.',
    'Mire si sus vecinas del mismo lugar también callan: entonces es la red de allí.',
    'Envíe «Reiniciar» si responde; pregunte a alguien en el lugar si la pantalla está encendida.',
    'En el lugar: corriente, luego antena y SIM, luego el piloto del módulo de telemetría.',
  ],
  fr: [
    'La machine peut très bien vendre : ce qu’elle a à dire arrive dès qu’on l’entend de nouveau.',
    'Voir si ses voisines au même endroit se taisent aussi : c’est alors le réseau de ce lieu.',
    'Envoyer « Redémarrer » si elle répond ; demander sur place si son écran est allumé.',
    'Sur place : secteur, puis antenne et SIM, puis le voyant du boîtier de télémétrie.',
  ],
  de: [
    'Der Automat kann trotzdem verkaufen: Was er zu sagen hat, kommt, sobald er wieder zu hören ist.',
    'Sehen, ob auch die Nachbarn am selben Ort schweigen: Dann liegt es am dortigen Netz.',
    '„Neustart“ senden, wenn er überhaupt antwortet; jemanden vor Ort fragen, ob die Anzeige leuchtet.',
    'Vor Ort: Strom, dann Antenne und SIM, dann die Lampe der Telemetrie.',
  ],
  pt: [
    'A máquina pode estar a vender: o que tem a dizer chega quando voltar a ser ouvida.',
    'Veja se as vizinhas no mesmo local também estão caladas: então é a rede de lá.',
    'Envie “Reiniciar” se ela responder; pergunte a alguém no local se o ecrã está aceso.',
    'No local: corrente, depois antena e SIM, depois a luz do módulo de telemetria.',
  ],
}

/** Not in every language yet, as it is while somebody still writes. */
const lowStock: Partial<Record<Language, Guide>> = {
  en: [
    'Several selections are sold out or low. Plan the refill before the next busy hours.',
    'The open alarms name the selections. Refill those first.',
    'Close the door with “all refilled”, so that the machine ends its alarms.',
  ],
  it: [
    'Più selezioni sono esaurite o quasi: programmare la visita prima delle prossime ore di punta.',
    'Gli allarmi aperti della macchina dicono quali selezioni: caricarle per prime.',
    'Chiudere la porta con “tutto rifornito”, così la macchina chiude i suoi allarmi.',
  ],
}

const guides: Record<string, Partial<Record<Language, Guide>>> = {
  EAD: coinJam,
  ENC: billJam,
  EJC: spiral,
  EFL: water,
  'P:NODATA': silence,
  'P:STOCK': lowStock,
}

const htmlOf = ([first, ...steps]: Guide) =>
  `<p><strong>${first}</strong></p><ol>${steps.map((step) => `<li><p>${step}</p></li>`).join('')}</ol>`

/** Writes what to do about some alarms, unless the provider has written of its own. */
export async function insertGuides(client: pg.Client, at: Date): Promise<void> {
  const by = demoPeople[0]?.name ?? ''
  for (const [code, texts] of Object.entries(guides)) {
    for (const [language, guide] of Object.entries(texts)) {
      await client.query(
        `insert into troubleshooting_texts (code, language, content, updated_at, updated_by) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        [code, language, htmlOf(guide), at, by],
      )
    }
  }
}
