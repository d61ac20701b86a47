import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type OrderRecord, orderById, placeOfReference } from '#database/cashless/web-payment-order.ts'
import { portalOfPayer } from '#database/key-portal/own-recharge.ts'
import { formatMoney } from '#domain/money/money.ts'
import type { Config } from '../config.ts'
import { html } from '../html/html.ts'
import { chosenLanguage } from '../identity/language.ts'
import { note, page } from '../identity/page.ts'
import { pageHeaders } from '../identity/security.ts'
import { pageLanguage, wordsIn } from '../words/words.ts'
import { type PaymentDeps, wholeOf } from './account.ts'
import { ProviderError } from './http.ts'
import { queryOrder } from './query.ts'

export const languageOfPayer = (config: Pick<Config, 'DEFAULT_LANGUAGE'>, { raw }: FastifyRequest) =>
  pageLanguage({
    chosen: chosenLanguage(raw),
    deployment: config.DEFAULT_LANGUAGE,
    accept: raw.headers['accept-language'],
  })

export const answerPage = (reply: FastifyReply, text: string, status = 200) =>
  reply.status(status).headers(pageHeaders).type('text/html; charset=utf-8').send(text)

/** A reload asks the provider again after this time at the earliest. */
const askAgainMillis = 5_000

/**
 * The payer's pages: `/pay/{reference}` leads to the provider, `/pay/{reference}/done` says how the payment ended. The reference is the secret of the
 * link; payers have no account here.
 */
export async function registerPayerPages(
  app: FastifyInstance,
  deps: PaymentDeps & { config: Pick<Config, 'publicUrl' | 'DEFAULT_LANGUAGE'> },
): Promise<void> {
  const lastQueries = new Map<string, number>()
  const mayAsk = (id: string, now: number): boolean => {
    for (const [queriedId, at] of lastQueries) if (now - at > askAgainMillis) lastQueries.delete(queriedId)
    if (lastQueries.has(id)) return false
    lastQueries.set(id, now)
    return true
  }

  const orderOf = async (request: FastifyRequest): Promise<OrderRecord | undefined> => {
    const { reference } = request.params as { reference: string }
    const place = /^[0-9a-z]{26}$/.test(reference) ? await placeOfReference(deps.doors, reference) : undefined
    if (!place) return undefined
    return deps.doors.withTenant(wholeOf(place.merchantId), (db) => orderById(db, place.merchantId, place.id), 'read')
  }

  const portalOf = (order: OrderRecord) =>
    deps.doors.withTenant(wholeOf(order.merchant_id), (db) => portalOfPayer(db, order), 'read')

  const isOpen = (order: OrderRecord, now: Date) =>
    order.state === 'waiting' && order.expires_at > now && order.redirect_url !== null

  const show = (request: FastifyRequest, reply: FastifyReply, order: OrderRecord | undefined) => {
    const language = languageOfPayer(deps.config, request)
    const words = wordsIn(language, 'payer')
    if (!order) {
      const main = html`<h1>${words('unknown.title')}</h1><p class="lead">${words('unknown.text')}</p>`
      return answerPage(reply, page({ language, title: words('unknown.title'), home: '/', main }), 404)
    }
    const result = order.state === 'waiting' && !isOpen(order, new Date()) ? 'failed' : order.state
    const title = words(`result.${result}`)
    const amount = formatMoney(order.amount, order.currency as Currency)
    const facts = [amount, order.media_serial ?? order.description].filter(Boolean).join(' · ')
    const main = html`<h1>${title}</h1>
      ${note(result === 'failed' || result === 'reversed' ? 'crit' : 'ok', words(`text.${result}`))}
      <p class="lead">${facts}</p>
      ${isOpen(order, new Date()) && html`<p class="spaced"><a class="button" href="/pay/${order.reference}">${words('continue')}</a></p>`}`
    return answerPage(reply, page({ language, title, home: '/', main }))
  }

  await app.register(async (routes) => {
    const options = { schema: { hide: true }, config: { isQuiet: true } } as const
    routes.get('/pay/:reference', options, async (request, reply) => {
      const order = await orderOf(request)
      if (order && isOpen(order, new Date())) return reply.redirect(order.redirect_url as string, 303)
      return show(request, reply, order)
    })
    routes.get('/pay/:reference/done', options, async (request, reply) => {
      const order = await orderOf(request)
      const end = async (ended: OrderRecord | undefined) => {
        const portal = ended && (await portalOf(ended))
        // A customer returns to the app, which shows the recharge.
        return portal ? reply.redirect(`/key/${portal}/recharge/${ended.id}`, 303) : show(request, reply, ended)
      }
      if (order?.state !== 'waiting' || !mayAsk(order.id, Date.now())) return end(order)
      await queryOrder(deps, order, new Date()).catch((error: unknown) => {
        if (!(error instanceof ProviderError)) throw error
      })
      return end(await orderOf(request))
    })
  })
}
