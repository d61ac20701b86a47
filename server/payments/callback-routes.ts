import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { countAttempt, failuresOf } from '#database/machines/association-attempt.ts'
import { siteOf } from '#domain/frame/network-site.ts'
import { apiPrefix } from '../http/prefix.ts'
import type { PaymentDeps } from './account.ts'
import { UnprovenError } from './adapter.ts'
import { takeCallback } from './callback.ts'

const longestBody = 64 * 1024
const stretchMs = 15 * 60_000
/** Callbacks without proof from one address in an interval. Above it, the address is refused until the interval ends. */
const mostUnproven = 60

const Place = z.object({ merchantId: z.uuid(), configId: z.uuid() })

/**
 * The address to which payment providers report. It is public: a callback proves itself by its signature. Bodies are read as bytes, because
 * signatures are over bytes. Nothing of a callback is logged.
 */
export async function registerCallbacks(app: FastifyInstance, deps: PaymentDeps): Promise<void> {
  await app.register(async (routes) => {
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const take = async (request: FastifyRequest) => {
      const now = new Date()
      const since = new Date(Math.floor(now.getTime() / stretchMs) * stretchMs)
      const key = `payment callback from ${siteOf(request.ip)}`
      if ((await failuresOf(deps.doors, key, since)) >= mostUnproven) throw new ProductError('TooManyRequests')
      const place = Place.safeParse(request.params)
      const path = request.raw.url ?? ''
      try {
        if (!place.success) throw new UnprovenError()
        await takeCallback(deps, place.data, {
          method: request.method,
          path,
          query: new URL(path, 'http://callback').searchParams,
          headers: request.headers,
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          now,
        })
      } catch (error) {
        const isUnproven = error instanceof UnprovenError
        if (!isUnproven && !(error instanceof ProductError && error.code === 'NotFound')) throw error
        await countAttempt(deps.doors, [key], since)
        // An unknown account, an unknown order and a wrong signature are answered alike.
        throw new ProductError('NotFound')
      }
      return 'OK'
    }
    const route = `${apiPrefix}/payments/:merchantId/:configId/callback`
    const options = { bodyLimit: longestBody, schema: { hide: true } } as const
    routes.get(route, options, take)
    routes.post(route, options, take)
  })
}
