import {
  fieldsOf,
  firstOf,
  jsonOf,
  type OrderReport,
  type PaymentAccount,
  type PaymentAdapter,
  textOf,
  UnprovenError,
} from './adapter.ts'
import { storedDigits } from './amounts.ts'
import { below, callProvider, ProviderError } from './http.ts'

/*
 * PayPal, Orders v2 (https://developer.paypal.com/docs/api/orders/v2) and its webhooks, whose signatures PayPal itself verifies
 * (/v1/notifications/verify-webhook-signature). A webhook only says that there is news: the order is then read, and captured once the payer
 * has approved it.
 */

const json = { 'content-type': 'application/json' }

async function tokenOf(account: PaymentAccount): Promise<string> {
  const { clientId = '', clientSecret = '' } = account.credentials
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const answer = await callProvider(account, below(account.url, '/v1/oauth2/token'), {
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  })
  const token = fieldsOf(answer).access_token
  if (typeof token !== 'string') throw new ProviderError('refused')
  return token
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const addressOf = (links: unknown, ...names: string[]) => {
  const link = (Array.isArray(links) ? links.map(fieldsOf) : []).find(({ rel }) => names.includes(String(rel)))
  return textOf(link?.href) === null ? null : String(link?.href)
}

/** Decimal text of an amount as PayPal writes it. */
const amountOf = (value: unknown) => {
  const { value: text, currency_code } = fieldsOf(value)
  const currency = textOf(currency_code)
  return { amount: currency === null ? null : storedDigits(currency).read(text), currency }
}

const captureStates: Readonly<Record<string, OrderReport['state']>> = {
  COMPLETED: 'paid',
  PARTIALLY_REFUNDED: 'reversed',
  REFUNDED: 'reversed',
  DECLINED: 'failed',
  FAILED: 'failed',
}

/** What an order says: its capture decides, otherwise its own status. */
function readOrder(answer: unknown): OrderReport {
  const order = fieldsOf(answer)
  const unit = firstOf(order.purchase_units)
  const { captures, refunds } = fieldsOf(unit.payments)
  const capture = firstOf(captures)
  const status = textOf(order.status)
  const captured = textOf(capture.status)
  const paid = amountOf(capture.amount ?? unit.amount)
  const state = captured !== null ? (captureStates[captured] ?? 'waiting') : status === 'VOIDED' ? 'failed' : 'waiting'
  const refunded = (Array.isArray(refunds) ? refunds : []).map((one) => amountOf(fieldsOf(one).amount).amount ?? 0)
  const refundedAmount = captured === 'REFUNDED' ? paid.amount : refunded.reduce((sum, one) => sum + one, 0)
  return {
    state,
    amount: state === 'reversed' ? refundedAmount : paid.amount,
    currency: paid.currency,
    transaction: textOf(order.id),
    ...(state === 'failed' && { reason: status === 'VOIDED' ? 'cancelled' : 'declined' }),
    response: {
      status,
      capture: textOf(capture.id),
      captureStatus: captured,
      amount: textOf(fieldsOf(capture.amount).value),
    },
  }
}

export const paypal: PaymentAdapter = {
  async create(account, order) {
    const token = await tokenOf(account)
    const value = storedDigits(order.currency).write(order.amount)
    const unit = {
      reference_id: order.reference,
      custom_id: order.reference,
      invoice_id: order.reference,
      description: order.description,
      amount: { currency_code: order.currency, value },
    }
    const context = { return_url: order.returnUrl, cancel_url: order.returnUrl, user_action: 'PAY_NOW' }
    const answer = fieldsOf(
      await callProvider(account, below(account.url, '/v2/checkout/orders'), {
        method: 'POST',
        headers: { ...json, ...bearer(token), 'paypal-request-id': order.reference },
        body: JSON.stringify({
          intent: 'CAPTURE',
          purchase_units: [unit],
          payment_source: { paypal: { experience_context: context } },
        }),
      }),
    )
    const redirectUrl = addressOf(answer.links, 'payer-action', 'approve')
    const transaction = textOf(answer.id)
    if (redirectUrl === null || transaction === null) throw new ProviderError('unreachable')
    return {
      transaction,
      redirectUrl,
      request: { intent: 'CAPTURE', custom_id: order.reference, value, currency_code: order.currency, ...context },
      response: { id: transaction, status: textOf(answer.status) },
    }
  },

  async readCallback(account, { method, headers, body }) {
    const header = (name: string) => textOf(headers[`paypal-${name}`])
    const signature = headers['paypal-transmission-sig']
    const id = header('transmission-id')
    if (method !== 'POST' || id === null || typeof signature !== 'string') throw new UnprovenError()
    const event = jsonOf(body)
    const token = await tokenOf(account)
    const answer = await callProvider(account, below(account.url, '/v1/notifications/verify-webhook-signature'), {
      method: 'POST',
      headers: { ...json, ...bearer(token) },
      body: JSON.stringify({
        transmission_id: id,
        transmission_time: header('transmission-time'),
        cert_url: headers['paypal-cert-url'],
        auth_algo: header('auth-algo'),
        transmission_sig: signature,
        webhook_id: account.credentials.webhookId ?? '',
        webhook_event: event,
      }),
    }).catch((error: unknown) => {
      // PayPal refuses a malformed signature as a bad request.
      if (error instanceof ProviderError && error.kind === 'refused') throw new UnprovenError()
      throw error
    })
    if (fieldsOf(answer).verification_status !== 'SUCCESS') throw new UnprovenError()
    const resource = fieldsOf(event.resource)
    const related = fieldsOf(fieldsOf(resource.supplementary_data).related_ids)
    const isOrder = String(event.event_type).startsWith('CHECKOUT.ORDER')
    return {
      reference: textOf(resource.custom_id) ?? textOf(firstOf(resource.purchase_units).custom_id),
      transaction: isOrder ? textOf(resource.id) : textOf(related.order_id),
      report: null,
    }
  },

  async query(account, { transaction, reference }) {
    if (transaction === null)
      return { state: 'waiting', amount: null, currency: null, transaction: null, response: { status: null } }
    const token = await tokenOf(account)
    const address = below(account.url, `/v2/checkout/orders/${encodeURIComponent(transaction)}`)
    const order = fieldsOf(await callProvider(account, address, { method: 'GET', headers: bearer(token) }))
    if (order.status !== 'APPROVED') return readOrder(order)
    // Approved by the payer, but no money has moved yet. The request's id makes a repeated capture the same one.
    const captured = await callProvider(account, below(address.href, '/capture'), {
      method: 'POST',
      headers: {
        ...json,
        ...bearer(token),
        'paypal-request-id': `${reference}-capture`,
        prefer: 'return=representation',
      },
      body: '{}',
    })
    return readOrder(captured)
  },

  async test(account) {
    await tokenOf(account)
  },
}
