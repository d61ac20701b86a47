import { byLanguage } from '#contract/vocabulary/world/languages.ts'
import type { BlogFields } from '#database/key-portal/blog-post.ts'

/** The texts of the demo's portals. */
export const contactsOf = (name: string) => ({
  ...byLanguage(() => ''),
  it: `<p>Il nostro servizio clienti risponde dal lunedì al venerdì, dalle 8 alle 18.</p><p>Indica sempre il numero sull’adesivo del distributore.</p><p><strong>${name}</strong></p>`,
  en: `<p>Our customer service answers Monday to Friday, 8 am to 6 pm.</p><p>Please have the number on the machine’s label ready.</p><p><strong>${name}</strong></p>`,
  es: `<p>Nuestro servicio de atención responde de lunes a viernes, de 8 a 18 h.</p><p>Indica el número de la etiqueta de la máquina.</p><p><strong>${name}</strong></p>`,
})

export const privacyOf = (name: string) => ({
  ...byLanguage(() => ''),
  it: `<h2>Informativa sulla privacy</h2><p>${name} tratta i dati necessari per la chiave, le ricariche e i reclami. Non li vende a nessuno.</p><ul><li>Puoi chiedere una copia dei tuoi dati.</li><li>Puoi chiederne la cancellazione.</li></ul>`,
  en: `<h2>Privacy</h2><p>${name} processes the data needed for your key, your recharges and your claims. It sells them to nobody.</p><ul><li>You can request a copy of your data.</li><li>You can request their deletion.</li></ul>`,
  es: `<h2>Privacidad</h2><p>${name} trata los datos necesarios para tu llave, tus recargas y tus reclamaciones. No los vende a nadie.</p><ul><li>Puedes pedir una copia de tus datos.</li><li>Puedes pedir que se borren.</li></ul>`,
})

type DemoPost = Omit<BlogFields, 'mediaId'> & { picture: string | null; daysAgo: number }

/** Three posts; the last is not published. */
export const demoPosts: readonly DemoPost[] = [
  {
    title: { it: 'Ricaricare la chiave dal telefono', en: 'Recharge your key by phone' },
    slug: 'ricaricare-la-chiave-dal-telefono',
    excerpt: {
      it: 'Bastano un minuto e una carta: il credito è disponibile al distributore subito dopo.',
      en: 'A minute and a card are enough: the credit is at the machine right after.',
    },
    content: {
      it: '<p>Apri l’app, scegli la chiave e l’importo, paga con la tua carta.</p><ol><li>Collega la chiave con il codice mostrato dal distributore.</li><li>Scegli <strong>Ricarica</strong>.</li><li>Inserisci la chiave: il credito c’è già.</li></ol>',
      en: '<p>Open the app, choose the key and the amount, and pay with your card.</p><ol><li>Link the key with the code that the machine shows.</li><li>Choose <strong>Recharge</strong>.</li><li>Insert the key: the credit is there.</li></ol>',
    },
    visibility: 1,
    picture: 'recharge.jpg',
    daysAgo: 5,
  },
  {
    title: { it: 'La nuova miscela di caffè', en: 'The new coffee blend' },
    slug: 'la-nuova-miscela-di-caffe',
    excerpt: {
      it: 'Più arabica, tostatura lenta: da questo mese in tutti i distributori di bevande calde.',
      en: 'More arabica, a slower roast: from this month in all machines for hot drinks.',
    },
    content: {
      it: '<p>La nuova miscela ha l’80 % di arabica e una tostatura più lenta. Il prezzo non cambia.</p><p>Gli ingredienti di tutti i prodotti sono nel documento dell’app.</p>',
      en: '<p>The new blend has 80% arabica and a slower roast. The price does not change.</p><p>The ingredients of all products are in the app’s document.</p>',
    },
    visibility: 1,
    picture: 'beans.jpg',
    daysAgo: 19,
  },
  {
    title: { it: 'Orari del servizio nelle feste', en: 'Service hours during the holidays' },
    slug: 'orari-del-servizio-nelle-feste',
    excerpt: {
      it: 'Quando riforniamo i distributori tra Natale e l’Epifania.',
      en: 'When we refill the machines between Christmas and Epiphany.',
    },
    content: {
      it: '<p>Riforniamo ogni giorno tranne il 25 e il 26 dicembre e il 1º gennaio.</p>',
      en: '<p>We refill every day except 25 and 26 December and 1 January.</p>',
    },
    visibility: 0,
    picture: null,
    daysAgo: 1,
  },
]

/** What customers write, and what they are answered. */
export const claimTexts = {
  it: [
    'Il distributore ha preso i soldi ma non è uscito niente.',
    'Ho selezionato il caffè, il credito è sceso e il bicchiere era vuoto.',
    'La bottiglia è rimasta bloccata dietro il vetro.',
    'Non mi ha dato il resto.',
    'Ho pagato due volte lo stesso prodotto.',
  ],
  es: [
    'La máquina se quedó con el dinero y no salió nada.',
    'Elegí un café, bajó el crédito y el vaso estaba vacío.',
    'La botella se quedó atascada detrás del cristal.',
    'No me dio el cambio.',
    'Pagué dos veces el mismo producto.',
  ],
} as const
export const claimAnswers = {
  it: {
    refunded: 'Ci scusiamo: la vendita era fallita. Ti abbiamo restituito l’importo.',
    refused: 'Il registro del distributore mostra una vendita riuscita alla stessa ora.',
    answered: 'Il resto era in moneta nella vaschetta: l’abbiamo trovato e lo consegniamo in portineria.',
  },
  es: {
    refunded: 'Lo sentimos: la venta falló. Te hemos devuelto el importe.',
    refused: 'El registro de la máquina muestra una venta correcta a esa hora.',
    answered: 'El cambio estaba en el cajetín: lo hemos encontrado y está en recepción.',
  },
} as const
