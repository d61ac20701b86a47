import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProductError } from '#contract/errors.ts'
import { languageCookie } from './language.ts'
import { isSameOrigin } from './security.ts'
import type { Site } from './site.ts'

/** Rules for all pages: who may send a form, what it may contain, and the language of the answer. */
export function guardPages(scope: FastifyInstance, { providerOf, answer, pages, answerStranger }: Site): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 8192 },
    (_request, body, done) => {
      const form = Object.fromEntries(new URLSearchParams(String(body)))
      // Keyboards send no NUL, and the database refuses it.
      if (Object.values(form).some((text) => text.includes('\0'))) done(new ProductError('BadRequest'))
      else done(null, form)
    },
  )
  scope.addHook('onRequest', async (request, reply) => {
    const here = providerOf(request)
    if (!here) return answerStranger(request, reply)
    if (request.method === 'POST' && !isSameOrigin(request.raw, here.origin))
      return answer(reply, pages.fault(request.raw, 'The form came from another site'), 403)
    request.raw.headers['x-forwarded-proto'] = new URL(here.origin).protocol.slice(0, -1)
    const requestedLanguage = (request.query as Record<string, unknown>).language
    if (typeof requestedLanguage === 'string' && /^[a-z]{2}$/.test(requestedLanguage)) {
      const secure = here.origin.startsWith('https:') ? '; Secure' : ''
      const value = `${languageCookie}=${requestedLanguage}`
      reply.header('set-cookie', `${value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`)
    }
  })
}

/** The fields of a form; missing fields are empty. */
export function formOf(request: FastifyRequest): (name: string) => string {
  const form = (request.body ?? {}) as Record<string, string | undefined>
  return (name) => form[name] ?? ''
}

/** The provider for the request's address. `guardPages` has refused all other addresses. */
export const hereOf = ({ providerOf }: Site, request: FastifyRequest) =>
  providerOf(request) as NonNullable<ReturnType<Site['providerOf']>>

export const answerExpired = ({ answer, pages }: Site, request: FastifyRequest, reply: FastifyReply) =>
  answer(reply, pages.fault(request.raw, undefined), 400)
