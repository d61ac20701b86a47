import {
  fieldsOf,
  jsonOf,
  type OrderReport,
  type PaymentAccount,
  type PaymentAdapter,
  textOf,
  unitsOf,
} from './adapter.ts'
import { gatewayHeaders, proveGateway } from './gateway-signature.ts'
import { below, callProvider, ProviderError } from './http.ts'

/*
 * Gettone's own payment gateway protocol, for providers that a gateway of the operator connects (Assiopay, Vendon Gateway), and for the sandbox of
 * the demo. docs/areas/payments.md describes it.
 */

const send = async (account: PaymentAccount, method: 'GET' | 'POST', path: string, content?: object) => {
  const url = below(account.url, path)
  const body = content ? JSON.stringify(content) : ''
  const { accountId = '', signingKey = '' } = account.credentials
  const headers = gatewayHeaders(accountId, signingKey, { method, path: url.pathname + url.search, body }, new Date())
  return fieldsOf(await callProvider(account, url, { method, headers, ...(content && { body }) }))
}

const states = ['waiting', 'paid', 'failed', 'reversed'] as const

/** An order as the gateway reports it, in a callback and in a query. */
function readOrder(order: Readonly<Record<string, unknown>>): OrderReport {
  const state = states.find((one) => one === order.state) ?? 'waiting'
  const amount = unitsOf(order.amount)
  const currency = textOf(order.currency)
  const reversed = unitsOf(order.reversedAmount)
  return {
    state,
    amount: state === 'reversed' ? (reversed ?? amount) : amount,
    currency,
    transaction: textOf(order.transaction),
    ...(state === 'failed' && { reason: order.reason === 'cancelled' ? 'cancelled' : 'declined' }),
    response: {
      transaction: textOf(order.transaction),
      state,
      amount,
      currency,
      ...(reversed && { reversedAmount: reversed }),
    },
  }
}

export const gateway: PaymentAdapter = {
  async create(account, { reference, amount, currency, description, callbackUrl, returnUrl }) {
    const sent = { reference, amount, currency, description, callbackUrl, returnUrl }
    const answer = await send(account, 'POST', '/orders', sent)
    const transaction = textOf(answer.transaction)
    if (transaction === null || typeof answer.redirectUrl !== 'string') throw new ProviderError('unreachable')
    return { transaction, redirectUrl: answer.redirectUrl, request: sent, response: { transaction } }
  },

  async readCallback(account, { method, path, headers, body, now }) {
    const text = body.toString('utf8')
    proveGateway(account.credentials.signingKey ?? '', headers, { method, path, body: text }, now)
    const order = jsonOf(body)
    return { reference: textOf(order.reference), transaction: textOf(order.transaction), report: readOrder(order) }
  },

  async query(account, { transaction }) {
    if (transaction === null)
      return { state: 'waiting', amount: null, currency: null, transaction: null, response: { state: null } }
    return readOrder(await send(account, 'GET', `/orders/${encodeURIComponent(transaction)}`))
  },

  async test(account) {
    await send(account, 'GET', '/account')
  },
}
