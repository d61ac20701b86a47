// Over 150 lines because it is one table: what to do about an alarm, in each language.
import type pg from 'pg'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { demoPeople } from './people.ts'

/** The most effective step, then all steps in their order. */
type Guide = readonly [first: string, ...steps: string[]]

const coinJam: Partial<Record<Language, Guide>> = {
  en: [
    'Most jams are a bent coin or a foreign piece in the entry.',
    'Press the return lever a few times: loose coins fall into the cup.',
    'Open the door, switch the coin mechanism off and open its flap.',
    'Remove the stuck piece. Never push it through with a screwdriver.',
    'Wipe the coin path dry, close the flap, switch on and try each coin once.',
  ],
  it: [
    'Di solito la causa è una moneta piegata o un corpo estraneo nell’imbocco.',
    'Premere più volte la leva di restituzione: le monete libere cadono nella vaschetta.',
    'Aprire la porta, spegnere la gettoniera e aprirne lo sportellino.',
    'Togliere il pezzo incastrato. Non spingerlo mai con un cacciavite.',
    'Pulire a secco la pista, chiudere lo sportellino, riaccendere e provare ogni taglio una volta.',
  ],
  es: [
    'La causa suele ser una moneda doblada o un cuerpo extraño en la entrada.',
    'Pulse varias veces la palanca de devolución: las monedas sueltas caen al cajetín.',
    'Abra la puerta, apague el monedero y abra su tapa.',
    'Retire la pieza atascada. No la empuje nunca con un destornillador.',
    'Limpie en seco el recorrido, cierre la tapa, encienda y pruebe cada moneda una vez.',
  ],
  fr: [
    'La cause est le plus souvent une pièce tordue ou un corps étranger dans la fente.',
    'Actionner plusieurs fois le levier de restitution : les pièces libres tombent dans la sébile.',
    'Ouvrir la porte, éteindre le monnayeur et ouvrir son volet.',
    'Retirer la pièce ou l’objet coincé. Ne jamais pousser avec un tournevis.',
    'Essuyer à sec le trajet des pièces, fermer le volet, rallumer et essayer chaque pièce une fois.',
  ],
  de: [
    'Meist ist es eine verbogene Münze oder ein Fremdkörper im Einwurf.',
    'Rückgabehebel mehrmals drücken: lose Münzen fallen in die Schale.',
    'Tür öffnen, Münzwechsler ausschalten und seine Klappe öffnen.',
    'Klemmendes Teil herausnehmen. Nie mit dem Schraubendreher durchdrücken.',
    'Münzweg trocken auswischen, Klappe schließen, einschalten und jede Münze einmal einwerfen.',
  ],
  pt: [
    'A causa é quase sempre uma moeda torta ou um corpo estranho na entrada.',
    'Pressione várias vezes a alavanca de devolução: as moedas soltas caem na taça.',
    'Abra a porta, desligue o moedeiro e abra a sua tampa.',
    'Retire a peça presa. Nunca a empurre com uma chave de fendas.',
    'Limpe o percurso a seco, feche a tampa, ligue e experimente cada moeda uma vez.',
  ],
}

const billJam: Partial<Record<Language, Guide>> = {
  en: [
    'A banknote is stuck in the path, torn or folded.',
    'Switch the bill validator off and remove its head with the lever.',
    'Pull the banknote out in the direction of travel, in one piece. Check for torn corners.',
    'Wipe the lenses and belts with a dry cloth, without solvent.',
    'Put the head back until it clicks, switch on and insert one banknote each way round.',
  ],
  it: [
    'Una banconota strappata o piegata è inceppata nel percorso.',
    'Spegnere il lettore di banconote e sganciarne la testa con la leva.',
    'Estrarre la banconota intera nel verso di marcia. Controllare che non restino angoli strappati.',
    'Pulire lenti e cinghie con un panno asciutto, senza solventi.',
    'Riagganciare la testa fino allo scatto, accendere e provare una banconota per ogni verso.',
  ],
  es: [
    'Hay un billete roto o doblado atascado en el recorrido.',
    'Apague el lector de billetes y suelte el cabezal con la palanca.',
    'Saque el billete entero en el sentido de avance. Compruebe que no queden esquinas rotas.',
    'Limpie lentes y correas con un paño seco, sin disolventes.',
    'Coloque el cabezal hasta que encaje, encienda y pruebe un billete en cada sentido.',
  ],
  fr: [
    'Un billet déchiré ou plié est coincé dans le trajet des billets.',
    'Éteindre le lecteur de billets et retirer sa tête avec le levier.',
    'Retirer le billet entier dans le sens de la marche. Vérifier qu’il ne reste pas de coin déchiré.',
    'Essuyer lentilles et courroies avec un chiffon sec, sans solvant.',
    'Remettre la tête jusqu’au clic, rallumer et essayer un billet dans chaque sens.',
  ],
  de: [
    'Eine gerissene oder gefaltete Banknote steckt fest.',
    'Banknotenleser ausschalten und den Kopf mit dem Hebel abnehmen.',
    'Banknote in Laufrichtung im Ganzen herausziehen. Auf abgerissene Ecken prüfen.',
    'Linsen und Riemen mit trockenem Tuch abwischen, ohne Lösungsmittel.',
    'Kopf einrasten lassen, einschalten und eine Banknote in jeder Lage einziehen lassen.',
  ],
  pt: [
    'Há uma nota rasgada ou dobrada presa no percurso.',
    'Desligue o leitor de notas e solte a cabeça com a alavanca.',
    'Retire a nota inteira no sentido da marcha. Verifique se não ficaram cantos rasgados.',
    'Limpe lentes e correias com um pano seco, sem solvente.',
    'Encaixe a cabeça até ao clique, ligue e experimente uma nota em cada sentido.',
  ],
}

const spiral: Partial<Record<Language, Guide>> = {
  en: [
    'The number after the alarm is the selection. The others keep selling.',
    'Open the door and check for a product tilted or caught between spiral and shelf.',
    'Remove the products and turn the spiral manually to its home position.',
    'Load again, each product upright and close to the next.',
    'Run a test vend of this selection. If it stops again, replace the motor.',
  ],
  it: [
    'Il numero dopo l’allarme è la selezione. Le altre continuano a vendere.',
    'Aprire la porta e controllare se un prodotto è inclinato o incastrato tra spirale e ripiano.',
    'Togliere i prodotti e girare manualmente la spirale fino alla posizione di riposo.',
    'Ricaricare, ogni prodotto diritto e vicino al precedente.',
    'Fare una vendita di prova di questa selezione. Se si blocca di nuovo, sostituire il motore.',
  ],
  es: [
    'El número tras la alarma es la selección. Las demás siguen vendiendo.',
    'Abra la puerta y compruebe si un producto está inclinado o atrapado entre espiral y bandeja.',
    'Retire los productos y gire la espiral manualmente hasta su posición de reposo.',
    'Vuelva a cargar, cada producto derecho y junto al anterior.',
    'Haga una venta de prueba de esta selección. Si se detiene otra vez, cambie el motor.',
  ],
  fr: [
    'Le numéro après l’alarme est la sélection. Les autres continuent de vendre.',
    'Ouvrir la porte et vérifier si un produit est incliné ou coincé entre la spirale et le plateau.',
    'Retirer les produits et tourner la spirale manuellement jusqu’à sa position de repos.',
    'Recharger, chaque produit droit et contre le précédent.',
    'Faire une vente d’essai de cette sélection. Si elle se bloque encore, remplacer le moteur.',
  ],
  de: [
    'Die Nummer nach dem Alarm ist die Auswahl. Die übrigen verkaufen weiter.',
    'Tür öffnen und prüfen, ob ein Produkt schräg steht oder zwischen Spirale und Boden klemmt.',
    'Produkte herausnehmen und die Spirale manuell in die Ruhelage drehen.',
    'Neu beladen, jedes Produkt aufrecht und dicht am vorigen.',
    'Testverkauf dieser Auswahl auslösen. Blockiert sie wieder, den Motor tauschen.',
  ],
  pt: [
    'O número depois do alarme é a seleção. As outras continuam a vender.',
    'Abra a porta e verifique se um produto está inclinado ou preso entre a espiral e a prateleira.',
    'Retire os produtos e rode a espiral manualmente até à posição de repouso.',
    'Carregue de novo, cada produto direito e junto ao anterior.',
    'Faça uma venda de teste desta seleção. Se parar outra vez, troque o motor.',
  ],
}

const water: Partial<Record<Language, Guide>> = {
  en: [
    'The machine cannot sell hot drinks without water.',
    'Check that the tap behind the machine is open and the hose is not bent.',
    'Without mains water: fill the tank, and seat it until the valve opens.',
    'Clean the inlet filter under running water.',
    'Close the door: the machine fills automatically and ends this alarm. If it does not, replace the inlet valve.',
  ],
  it: [
    'Senza acqua il distributore non eroga bevande calde.',
    'Controllare che il rubinetto dietro il distributore sia aperto e il tubo non sia piegato.',
    'Senza rete idrica: riempire la tanica e inserirla finché la valvola si apre.',
    'Pulire il filtro d’ingresso sotto l’acqua corrente.',
    'Chiudere la porta: il distributore si riempie automaticamente e chiude l’allarme. Altrimenti sostituire l’elettrovalvola d’ingresso.',
  ],
  es: [
    'Sin agua, la máquina no puede vender bebidas calientes.',
    'Compruebe que el grifo detrás de la máquina está abierto y que el tubo no está doblado.',
    'Sin red de agua: llene el depósito y encájelo hasta que se abra la válvula.',
    'Limpie el filtro de entrada bajo el grifo.',
    'Cierre la puerta: la máquina se llena automáticamente y cierra la alarma. Si no, cambie la electroválvula de entrada.',
  ],
  fr: [
    'Sans eau, la machine ne peut pas vendre de boissons chaudes.',
    'Vérifier que le robinet derrière la machine est ouvert et que le tuyau n’est pas plié.',
    'Sans eau de réseau : remplir le réservoir et l’enfoncer jusqu’à l’ouverture de la valve.',
    'Nettoyer le filtre d’entrée à l’eau courante.',
    'Fermer la porte : la machine se remplit automatiquement et l’alarme se ferme. Sinon, remplacer l’électrovanne d’entrée.',
  ],
  de: [
    'Ohne Wasser kann der Automat keine Heißgetränke verkaufen.',
    'Prüfen, ob der Hahn hinter dem Automaten offen und der Schlauch nicht geknickt ist.',
    'Ohne Festwasser: Tank füllen und einsetzen, bis das Ventil öffnet.',
    'Einlaufsieb unter fließendem Wasser reinigen.',
    'Tür schließen: Der Automat füllt sich automatisch und beendet den Alarm. Sonst das Einlassventil tauschen.',
  ],
  pt: [
    'Sem água, a máquina não pode vender bebidas quentes.',
    'Verifique se a torneira atrás da máquina está aberta e o tubo não está dobrado.',
    'Sem água da rede: encha o depósito e encaixe-o até a válvula abrir.',
    'Limpe o filtro de entrada em água corrente.',
    'Feche a porta: a máquina enche automaticamente e fecha o alarme. Se não, troque a eletroválvula de entrada.',
  ],
}

const silence: Partial<Record<Language, Guide>> = {
  en: [
    'The machine may still be selling. Its data arrives when it is online again.',
    'Check whether machines nearby are offline too: then the local network is the cause.',
    'Send “Restart” if it still responds. Ask on site whether the display is on.',
    'On site, check mains power, antenna and SIM, then the LED of the telemetry module.',
  ],
  it: [
    'Il distributore può continuare a vendere. I suoi dati arrivano quando è di nuovo online.',
    'Controllare se anche i distributori vicini sono offline: in tal caso la causa è la rete locale.',
    'Inviare “Riavvia” se è ancora raggiungibile. Chiedere sul posto se il display è acceso.',
    'Sul posto controllare l’alimentazione, l’antenna e la SIM, poi il LED del modulo di telemetria.',
  ],
  es: [
    'La máquina puede seguir vendiendo. Sus datos llegan cuando recupera la conexión.',
    'Compruebe si las máquinas cercanas también están sin conexión: en ese caso la causa es la red local.',
    'Envíe «Reiniciar» si la máquina aún responde. Pregunte en el lugar si la pantalla está encendida.',
    'En el lugar, compruebe la corriente, la antena y la SIM, y después el LED del módulo de telemetría.',
  ],
  fr: [
    'La machine vend peut-être encore. Ses données arrivent quand elle est de nouveau en ligne.',
    'Vérifier si les machines voisines sont aussi hors ligne : la cause est alors le réseau local.',
    'Envoyer « Redémarrer » si elle répond encore. Demander sur place si l’écran est allumé.',
    'Sur place, vérifier le secteur, l’antenne et la SIM, puis la LED du boîtier de télémétrie.',
  ],
  de: [
    'Der Automat verkauft möglicherweise weiter. Seine Daten kommen an, sobald er wieder online ist.',
    'Prüfen, ob Automaten in der Nähe auch offline sind: Dann liegt es am Netz vor Ort.',
    '„Neustart“ senden, wenn er noch antwortet. Vor Ort fragen, ob die Anzeige leuchtet.',
    'Vor Ort Strom, Antenne und SIM prüfen, dann die LED des Telemetriemoduls.',
  ],
  pt: [
    'A máquina pode continuar a vender. Os seus dados chegam quando estiver de novo online.',
    'Verifique se as máquinas próximas também estão offline: nesse caso, a causa é a rede local.',
    'Envie “Reiniciar” se a máquina ainda responder. Pergunte no local se o ecrã está aceso.',
    'No local, verifique a corrente, a antena e o SIM, e depois o LED do módulo de telemetria.',
  ],
}

/** Not in every language, like a text that is still being written. */
const lowStock: Partial<Record<Language, Guide>> = {
  en: [
    'Several selections are sold out or low. Plan the refill before the next busy hours.',
    'The open alarms name the selections. Refill those first.',
    'Close the door with “all refilled”, so that the machine ends its alarms.',
  ],
  it: [
    'Più selezioni sono esaurite o quasi. Programmare il rifornimento prima delle prossime ore di punta.',
    'Gli allarmi aperti indicano le selezioni. Rifornirle per prime.',
    'Chiudere la porta con “tutto rifornito”, così il distributore chiude i suoi allarmi.',
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

/** Writes troubleshooting texts for some alarms, unless the provider has its own. */
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
