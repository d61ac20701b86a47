import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import { browserOf, keepBrowser } from './browser-cookie.ts'
import { formOf, hereOf } from './page-forms.ts'
import { newPasswordFault } from './pages.ts'
import { identityPath, sessionOf } from './provider.ts'
import type { Site } from './site.ts'

/** The page on which users change their own password. */
export function registerPassword(scope: FastifyInstance, site: Site): void {
  const { accounts, answer, languageOf, letters, pages, post } = site
  const here = (request: FastifyRequest) => hereOf(site, request)

  scope.get(`${identityPath}/password`, async (request, reply) => {
    const account = await signedIn(here(request).provider, request, reply)
    return answer(
      reply,
      pages.changePassword(request.raw, { email: account?.email ?? '', isSignedIn: Boolean(account) }),
    )
  })

  scope.post(`${identityPath}/password`, async (request, reply) => {
    const session = await sessionOf(here(request).provider, request.raw, reply.raw)
    const account = session.accountId ? await accounts.bySubject(session.accountId) : undefined
    const form = formOf(request)
    const email = account?.email ?? form('email').trim()
    const state = { email, isSignedIn: Boolean(account) }
    const newFault = newPasswordFault(form('next'), form('repeat'))
    const isMissing = !email || !form('current')
    if (isMissing || newFault)
      return answer(
        reply,
        pages.changePassword(request.raw, { ...state, fault: isMissing ? 'required' : undefined, newFault }),
        422,
      )
    const now = new Date()
    const browser = browserOf(request.raw)
    const result = await accounts.changePassword({
      email,
      current: form('current'),
      next: form('next'),
      address: request.ip,
      browser,
      keepSession: account ? session.jti : undefined,
      now,
    })
    if (result === 'wrong') return answer(reply, pages.changePassword(request.raw, { ...state, fault: 'wrong' }), 401)
    if (result === 'tooMany')
      return answer(reply, pages.changePassword(request.raw, { ...state, fault: 'tooMany' }), 429)
    keepBrowser(reply, here(request).origin, browser)
    if (account) post(letters.passwordChanged(account, languageOf(request.raw), now))
    return answer(reply, pages.passwordChanged(request.raw))
  })

  async function signedIn(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
    const { accountId } = await sessionOf(provider, request.raw, reply.raw)
    return accountId ? accounts.bySubject(accountId) : undefined
  }
}
