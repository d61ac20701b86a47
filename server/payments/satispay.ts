import { createHash, createPrivateKey, createSign } from 'node:crypto'
import {
  fieldsOf,
  type OrderReport,
  type PaymentAccount,
  type PaymentAdapter,
  textOf,
  UnprovenError,
  unitsOf,
} from './adapter.ts'
import { below, callProvider, ProviderError } from './http.ts'

/*
 * Satispay Business (https://developers.satispay.com). Requests are signed with the merchant's RSA key, as "Signing HTTP Messages" (draft-cavage-10)
 * says. A callback holds the payment's id alone and proves nothing: what the payment is, Satispay says to a signed query.
 */

function signed(account: PaymentAccount, url: URL, method: 'GET' | 'POST', body: string) {
  const { keyId = '', privateKey = '' } = account.credentials
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
  const date = new Date().toUTCString()
  const lines = [
    `(request-target): ${method.toLowerCase()} ${url.pathname}${url.search}`,
    `host: ${url.host}`,
    `date: ${date}`,
    `digest: ${digest}`,
  ]
  let signature: string
  try {
    signature = createSign('RSA-SHA256').update(lines.join('\n')).sign(createPrivateKey(privateKey), 'base64')
  } catch {
    // The text is no private key. The error of the library might quote it.
    throw new ProviderError('refused')
  }
  return {
    'content-type': 'application/json',
    date,
    digest,
    authorization: `Signature keyId="${keyId}", algorithm="rsa-sha256", headers="(request-target) host date digest", signature="${signature}"`,
  }
}

const send = async (
  account: PaymentAccount,
  method: 'GET' | 'POST',
  path: string,
  body = '',
  more: Record<string, string> = {},
) => {
  const url = below(account.url, `/g_business/v1${path}`)
  const headers = { ...signed(account, url, method, body), ...more }
  return fieldsOf(await callProvider(account, url, { method, headers, ...(method === 'POST' && { body }) }))
}

const states: Readonly<Record<string, OrderReport['state']>> = { ACCEPTED: 'paid', CANCELED: 'failed' }

export const satispay: PaymentAdapter = {
  async create(account, order) {
    // Satispay replaces {uuid} by the id of the payment.
    const callback = `${order.callbackUrl}?payment_id={uuid}`
    const sent = {
      flow: 'MATCH_CODE',
      amount_unit: order.amount,
      currency: order.currency,
      external_code: order.reference,
      callback_url: callback,
      redirect_url: order.returnUrl,
    }
    const answer = await send(account, 'POST', '/payments', JSON.stringify(sent), {
      'idempotency-key': order.reference,
    })
    const transaction = textOf(answer.id)
    const redirectUrl = typeof answer.redirect_url === 'string' ? answer.redirect_url : null
    if (transaction === null || redirectUrl === null) throw new ProviderError('unreachable')
    return { transaction, redirectUrl, request: sent, response: { id: transaction, status: textOf(answer.status) } }
  },

  async readCallback(_account, { query }) {
    const transaction = query.get('payment_id')
    if (!transaction || !/^[\w-]{1,100}$/.test(transaction)) throw new UnprovenError()
    return { reference: null, transaction, report: null }
  },

  async query(account, { transaction }): Promise<OrderReport> {
    if (transaction === null)
      return { state: 'waiting', amount: null, currency: null, transaction: null, response: { status: null } }
    const answer = await send(account, 'GET', `/payments/${encodeURIComponent(transaction)}`)
    const status = textOf(answer.status)
    const state = states[status ?? ''] ?? 'waiting'
    return {
      state,
      amount: unitsOf(answer.amount_unit),
      currency: textOf(answer.currency),
      transaction: textOf(answer.id),
      ...(state === 'failed' && { reason: 'cancelled' }),
      response: {
        id: textOf(answer.id),
        status,
        amount_unit: unitsOf(answer.amount_unit),
        currency: textOf(answer.currency),
      },
    }
  },

  async test(account) {
    await send(account, 'GET', '/payments?limit=1')
  },
}
