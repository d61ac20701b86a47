import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { moveService } from '#database/cashless/web-payment-service.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { formatMoney } from '#domain/money/money.ts'
import type { Config } from '../config.ts'
import { html } from '../html/html.ts'
import { note, page } from '../identity/page.ts'
import { isSameOrigin } from '../identity/security.ts'
import { wordsIn } from '../words/words.ts'
import { fieldsOf, UnprovenError, unitsOf } from './adapter.ts'
import { gatewayHeaders, proveGateway } from './gateway-signature.ts'
import { answerPage, languageOfPayer } from './payer-pages.ts'

/*
 * A payment provider for the demo, never in production. It speaks the payment gateway protocol: orders and queries by the server, callbacks to it, and a
 * page on which the payer chooses. It forgets its payments at the end of the process.
 */

export const sandboxPath = '/sandbox'
/** The demo's payment service. */
export const sandboxServiceId = '018e0a3c-5c00-7c10-8000-00000000c001'

interface Payment {
  accountId: string
  transaction: string
  reference: string
  amount: number
  currency: Currency
  description: string
  callbackUrl: string
  returnUrl: string
  state: 'waiting' | 'paid' | 'failed' | 'reversed'
  reason?: 'declined' | 'cancelled'
}

/** The signing key of an account at the sandbox. */
export const sandboxKey = (secretKey: string, accountId: string): string =>
  createHmac('sha256', secretKey).update(`sandbox ${accountId}`).digest('base64url')

const choices = {
  pay: { state: 'paid' },
  decline: { state: 'failed', reason: 'declined' },
  abandon: { state: 'failed', reason: 'cancelled' },
  reverse: { state: 'reversed' },
} as const satisfies Record<string, Pick<Payment, 'state' | 'reason'>>
type Choice = keyof typeof choices

const mostPayments = 10_000
const callbackMillis = 5_000

const reportOf = ({ transaction, reference, state, amount, currency, reason }: Payment) => ({
  transaction,
  reference,
  state,
  amount,
  currency,
  ...(reason && { reason }),
  ...(state === 'reversed' && { reversedAmount: amount }),
})

/** Points the demo's payment service at this server, whose port may change at each start. */
export async function moveSandbox(app: FastifyInstance, doors: Doors, protocol: 'http' | 'https'): Promise<void> {
  const address = app.server.address()
  if (address && typeof address === 'object')
    await moveService(doors, sandboxServiceId, `${protocol}://127.0.0.1:${address.port}${sandboxPath}`)
}

/** The account that signed a request. Answers 401 otherwise. */
function accountOf(secretKey: Config['secretKey'], request: FastifyRequest, reply: FastifyReply): string | undefined {
  const accountId = String(request.headers['x-gateway-account'] ?? '')
  const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
  const signed = { method: request.method, path: request.raw.url ?? '', body }
  try {
    proveGateway(sandboxKey(secretKey, accountId), request.headers, signed, new Date())
    return accountId
  } catch (error) {
    if (!(error instanceof UnprovenError)) throw error
    void reply.status(401).send({ error: 'unproven' })
    return undefined
  }
}

/** Tells the merchant's server. A provider sends again until it is heard; here the server's own query follows. */
async function report(app: FastifyInstance, secretKey: Config['secretKey'], payment: Payment): Promise<void> {
  const url = new URL(payment.callbackUrl)
  const body = JSON.stringify(reportOf(payment))
  const key = sandboxKey(secretKey, payment.accountId)
  const headers = gatewayHeaders(
    payment.accountId,
    key,
    { method: 'POST', path: url.pathname + url.search, body },
    new Date(),
  )
  const options = { method: 'POST', headers, body, signal: AbortSignal.timeout(callbackMillis) }
  await fetch(url, options).catch((error: unknown) => app.log.warn({ err: error }, 'A sandbox callback was not taken'))
}

/** The payments of the sandbox, in memory. */
function openPayments() {
  const payments = new Map<string, Payment>()
  const byReference = new Map<string, Payment>()
  return {
    /** Starts a payment, or finds that of the same reference. Undefined for an invalid order. */
    start(accountId: string, body: Buffer): Payment | undefined {
      const fields = fieldsOf(JSON.parse(body.toString('utf8')))
      const amount = unitsOf(fields.amount)
      const text = (name: string) => String(fields[name] ?? '')
      if (!amount || !(text('currency') in currencies) || text('reference') === '') return undefined
      const existing = byReference.get(`${accountId} ${text('reference')}`)
      if (existing) return existing
      const payment: Payment = {
        accountId,
        transaction: `SB${randomBytes(8).toString('hex').toUpperCase()}`,
        reference: text('reference'),
        amount,
        currency: text('currency') as Currency,
        description: text('description'),
        callbackUrl: text('callbackUrl'),
        returnUrl: text('returnUrl'),
        state: 'waiting',
      }
      // The oldest are forgotten.
      const [oldest] = payments.size >= mostPayments ? payments.values() : []
      if (oldest) {
        payments.delete(oldest.transaction)
        byReference.delete(`${oldest.accountId} ${oldest.reference}`)
      }
      payments.set(payment.transaction, payment)
      byReference.set(`${accountId} ${payment.reference}`, payment)
      return payment
    },
    find: (transaction: string) => payments.get(transaction),
  }
}

/** The page on which the payer pays, declines, leaves or reverses. */
function showPayment(
  config: Pick<Config, 'publicOrigins' | 'DEFAULT_LANGUAGE'>,
  request: FastifyRequest,
  reply: FastifyReply,
  payment: Payment | undefined,
) {
  const language = languageOfPayer(config, request)
  const words = wordsIn(language, 'payer')
  if (!payment) {
    const main = html`<h1>${words('sandbox.title')}</h1><p class="lead">${words('sandbox.forgotten')}</p>`
    return answerPage(reply, page({ language, title: words('sandbox.title'), home: '/', main }), 404)
  }
  const amount = formatMoney(payment.amount, payment.currency)
  const open: readonly Choice[] = {
    waiting: ['pay', 'decline', 'abandon'],
    paid: ['reverse'],
    failed: [],
    reversed: [],
  }[payment.state] as Choice[]
  const button = (choice: Choice) =>
    html`<form method="post"><input type="hidden" name="choice" value="${choice}"><button class="button${choice === 'pay' ? '' : ' quiet'}" type="submit">${words(`sandbox.${choice}`, { amount })}</button></form>`
  const main = html`<h1>${words('sandbox.title')}</h1>
    <p class="lead">${words('sandbox.lead')}</p>
    <p class="lead">${amount} · ${payment.description}</p>
    ${payment.state === 'waiting' ? '' : note(payment.state === 'paid' ? 'ok' : 'crit', words(`result.${payment.state}`))}
    ${open.map(button)}`
  return answerPage(reply, page({ language, title: words('sandbox.title'), home: '/', main }))
}

export async function registerSandbox(
  app: FastifyInstance,
  config: Pick<Config, 'secretKey' | 'publicOrigins' | 'DEFAULT_LANGUAGE'>,
): Promise<void> {
  const payments = openPayments()
  const { secretKey } = config
  await app.register(async (routes) => {
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const options = { schema: { hide: true }, config: { isQuiet: true } } as const
    const named = (request: FastifyRequest) => payments.find((request.params as { transaction: string }).transaction)

    routes.get(`${sandboxPath}/account`, options, async (request, reply) => {
      const accountId = accountOf(secretKey, request, reply)
      return accountId === undefined ? reply : { accountId }
    })
    routes.post(`${sandboxPath}/orders`, options, async (request, reply) => {
      const accountId = accountOf(secretKey, request, reply)
      if (accountId === undefined) return reply
      const payment = payments.start(accountId, request.body as Buffer)
      if (!payment) return reply.status(400).send({ error: 'invalid' })
      return { transaction: payment.transaction, redirectUrl: `${sandboxPath}/pay/${payment.transaction}` }
    })
    routes.get(`${sandboxPath}/orders/:transaction`, options, async (request, reply) => {
      const accountId = accountOf(secretKey, request, reply)
      if (accountId === undefined) return reply
      const payment = named(request)
      return payment?.accountId === accountId ? reportOf(payment) : reply.status(404).send({ error: 'unknown' })
    })

    routes.get(`${sandboxPath}/pay/:transaction`, options, async (request, reply) =>
      showPayment(config, request, reply, named(request)),
    )
    routes.post(`${sandboxPath}/pay/:transaction`, options, async (request, reply) => {
      const payment = named(request)
      const origin = `${request.protocol}://${request.host}`
      if (!payment || !isSameOrigin(request.raw, origin)) return showPayment(config, request, reply, undefined)
      const form = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '')
      const choice = form.get('choice') as Choice
      const isOffered =
        choice === 'reverse' ? payment.state === 'paid' : payment.state === 'waiting' && choice in choices
      if (!isOffered) return showPayment(config, request, reply, payment)
      Object.assign(payment, choices[choice])
      await report(app, secretKey, payment)
      if (choice === 'reverse') return showPayment(config, request, reply, payment)
      return reply.redirect(payment.returnUrl, 303)
    })
  })
}
