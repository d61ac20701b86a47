import { createHash } from 'node:crypto'
import {
  type Details,
  fieldsOf,
  firstOf,
  isSame,
  type OrderReport,
  type PaymentAccount,
  type PaymentAdapter,
  textOf,
  UnprovenError,
  unitsOf,
} from './adapter.ts'
import { below, callProvider, ProviderError } from './http.ts'

/*
 * Nexi XPay, "pagamento semplice" (https://ecommerce.nexi.it/specifiche-tecniche). Messages carry a MAC: the SHA-1 of named fields and the
 * merchant's key, as Nexi defines it. Amounts are cents of euro.
 */

const macOf = (fields: Readonly<Record<string, string>>, key: string) =>
  createHash('sha1')
    .update(
      Object.entries(fields)
        .map(([name, value]) => `${name}=${value}`)
        .join('') + key,
    )
    .digest('hex')

const states: Readonly<Record<string, OrderReport['state']>> = {
  Autorizzato: 'paid',
  Contabilizzato: 'paid',
  'Contabilizzato Parz.': 'paid',
  'In attesa di contab.': 'paid',
  Rimborsato: 'reversed',
  Stornato: 'reversed',
  'Rimborsato Parz.': 'reversed',
  'Autor. Negata': 'failed',
  Negato: 'failed',
  'Non valido': 'failed',
  'Non Creato': 'failed',
  'Non generato': 'failed',
  Annullato: 'failed',
  'Chiuso da backoffice': 'failed',
}
const outcomes: Readonly<Record<string, OrderReport['state']>> = {
  OK: 'paid',
  KO: 'failed',
  ANNULLO: 'failed',
  ERRORE: 'failed',
}

/** The currency, which Nexi writes as letters or as its ISO number. */
const currencyOf = (value: unknown) => (value === '978' || value === 978 ? 'EUR' : textOf(value))

const credentialsOf = ({ credentials: { alias = '', macKey = '' } }: PaymentAccount) => ({ alias, macKey })

/** The answer to a query of an order, with a proven MAC. */
async function orderAt(account: PaymentAccount, reference: string) {
  const { alias, macKey } = credentialsOf(account)
  const signed = { apiKey: alias, codiceTransazione: reference, timeStamp: String(Date.now()) }
  const answer = fieldsOf(
    await callProvider(account, below(account.url, '/ecomm/api/bo/situazioneOrdine'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...signed, mac: macOf(signed, macKey) }),
    }),
  )
  const [esito, idOperazione, timeStamp] = ['esito', 'idOperazione', 'timeStamp'].map((name) =>
    String(answer[name] ?? ''),
  )
  const mac = macOf({ esito: esito ?? '', idOperazione: idOperazione ?? '', timeStamp: timeStamp ?? '' }, macKey)
  if (!isSame(mac, String(answer.mac ?? ''))) throw new ProviderError('refused')
  return { esito, report: firstOf(answer.report) }
}

/** Cents that were given back, of all confirmed refunds. */
function refundedOf(report: Readonly<Record<string, unknown>>): number | null {
  const { operazioni } = firstOf(report.dettaglio)
  if (!Array.isArray(operazioni)) return null
  const refunds = operazioni.map(fieldsOf).filter(({ tipoOperazione }) => tipoOperazione === 'STORNO')
  const amounts = refunds.map(({ importo }) => unitsOf(importo))
  return amounts.length > 0 && amounts.every((one) => one !== null) ? amounts.reduce((sum, one) => sum + one, 0) : null
}

export const nexi: PaymentAdapter = {
  async create(account, order) {
    const { alias, macKey } = credentialsOf(account)
    const signed = { codTrans: order.reference, divisa: order.currency, importo: String(order.amount) }
    const sent = { ...signed, url: order.returnUrl, url_back: order.returnUrl, urlpost: order.callbackUrl }
    const page = below(account.url, '/ecomm/ecomm/DispatcherServlet')
    page.search = new URLSearchParams({ alias, ...sent, mac: macOf(signed, macKey) }).toString()
    // Nexi learns of the order from the payer's browser; its number is ours.
    return { transaction: order.reference, redirectUrl: page.href, request: sent, response: {} }
  },

  async readCallback(account, { body, query }) {
    const form = new URLSearchParams(body.length > 0 ? body.toString('utf8') : query)
    const field = (name: string) => form.get(name) ?? ''
    const names = ['codTrans', 'esito', 'importo', 'divisa', 'data', 'orario', 'codAut']
    const signed = Object.fromEntries(names.map((name) => [name, field(name)]))
    if (!isSame(macOf(signed, credentialsOf(account).macKey), field('mac').toLowerCase())) throw new UnprovenError()
    const reference = field('codTrans')
    const outcome = field('esito')
    const response: Details = {
      esito: outcome,
      importo: field('importo'),
      divisa: field('divisa'),
      data: field('data'),
      orario: field('orario'),
      codAut: field('codAut'),
    }
    const report: OrderReport = {
      state: outcomes[outcome] ?? 'waiting',
      amount: unitsOf(field('importo')),
      currency: currencyOf(field('divisa')),
      transaction: reference,
      response,
      ...(outcome !== 'OK' && { reason: outcome === 'ANNULLO' ? 'cancelled' : 'declined' }),
    }
    return { reference, transaction: null, report }
  },

  async query(account, { reference }) {
    const { esito, report } = await orderAt(account, reference)
    const stato = textOf(report.stato)
    const response: Details = { esito: esito ?? null, stato, importo: textOf(report.importo) }
    // Before the payer has opened the page, Nexi knows no such order.
    if (esito !== 'OK' || stato === null)
      return { state: 'waiting', amount: null, currency: null, transaction: null, response }
    const state = states[stato] ?? 'waiting'
    const whole = unitsOf(report.importo)
    const isPart = stato === 'Rimborsato Parz.'
    const refunded = refundedOf(report)
    // A part of unknown size takes nothing back.
    if (isPart && refunded === null)
      return { state: 'paid', amount: whole, currency: currencyOf(report.divisa), transaction: reference, response }
    return {
      state,
      amount: state === 'reversed' ? (refunded ?? whole) : whole,
      currency: currencyOf(report.divisa),
      transaction: reference,
      response,
    }
  },

  async test(account) {
    // An unknown order is answered with a MAC as well, which proves both sides' key.
    await orderAt(account, 'gettone0test')
  },
}
