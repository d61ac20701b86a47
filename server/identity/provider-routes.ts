import type { FastifyInstance } from 'fastify'
import { ProductError } from '#contract/errors.ts'
import { identityPath } from './provider.ts'
import { providerHeaders } from './security.ts'
import type { Site } from './site.ts'

/** Passes all requests that no page answers to oidc-provider. */
export function registerProvider(scope: FastifyInstance, { providerOf, addresses, answerStranger }: Site): void {
  scope.removeAllContentTypeParsers()
  // The provider reads the body itself.
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all(`${identityPath}/*`, async (request, reply) => {
    const here = providerOf(request)
    if (!here) return answerStranger(request, reply)
    const { raw } = request
    const original = raw.url ?? ''
    // The provider stores its input, and the database refuses NUL.
    if (original.includes('%00')) throw new ProductError('BadRequest')
    addresses.set(raw, request.ip)
    reply.hijack()
    for (const [name, value] of Object.entries(providerHeaders)) reply.raw.setHeader(name, value)
    // The portal reads this before and after a sign-in.
    if (original === `${identityPath}/.well-known/openid-configuration`)
      reply.raw.setHeader('cache-control', 'public, max-age=300')
    // The scheme of the browser's own address, whatever a proxy reports.
    raw.headers['x-forwarded-proto'] = new URL(here.origin).protocol.slice(0, -1)
    delete raw.headers['x-forwarded-host']
    Object.assign(raw, { originalUrl: original })
    raw.url = original.slice(identityPath.length) || '/'
    await here.provider.callback()(raw, reply.raw)
  })
}
