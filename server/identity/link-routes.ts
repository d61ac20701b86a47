import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account, LinkPurpose } from '#database/people/identity.ts'
import { contextOf, methods } from '#domain/people/second-factor.ts'
import { browserOf, keepBrowser } from './browser-cookie.ts'
import { formOf, hereOf } from './page-forms.ts'
import { newPasswordFault } from './pages.ts'
import { beginSession, identityPath } from './provider.ts'
import { pageHeaders } from './security.ts'
import type { Site } from './site.ts'

/** Passwords chosen through a mailed link, of an invitation or of a requested reset. */
export function registerLinks(scope: FastifyInstance, site: Site): void {
  const { accounts, answer, factors, languageOf, letters, pages, post } = site
  /** The account as it is now: its role and merchants may have changed since the mail. */
  const choiceOf = async (purpose: LinkPurpose, { id, email, name, role }: Account) => ({
    purpose,
    email,
    name,
    role,
    merchants: purpose === 'invitation' ? await accounts.merchantsOf(id) : [],
  })

  scope.get(`${identityPath}/forgot`, async (request, reply) => answer(reply, pages.forgot(request.raw, { email: '' })))

  scope.post(`${identityPath}/forgot`, async (request, reply) => {
    const email = formOf(request)('email').trim()
    if (!/^[^\s@]+@[^\s@]+$/.test(email))
      return answer(reply, pages.forgot(request.raw, { email, isInvalid: true }), 422)
    const language = languageOf(request.raw)
    post(
      accounts.requestReset(email, new Date()).then(async (reset) => {
        if (reset) await letters.reset(reset.account, language, reset.token)
      }),
    )
    return answer(reply, pages.resetSent(request.raw, email))
  })

  for (const purpose of ['invitation', 'reset'] as const) {
    const path = `${identityPath}/${purpose}/:token`
    scope.get<{ Params: { token: string } }>(path, async (request, reply) => {
      const account = await accounts.ownerOfLink(request.params.token, purpose, new Date())
      if (!account) return answer(reply, pages.linkEnded(request.raw, purpose), 410)
      return answer(reply, pages.choosePassword(request.raw, await choiceOf(purpose, account)))
    })

    scope.post<{ Params: { token: string } }>(path, async (request, reply) => {
      const { token } = request.params
      const now = new Date()
      const account = await accounts.ownerOfLink(token, purpose, now)
      if (!account) return answer(reply, pages.linkEnded(request.raw, purpose), 410)
      const form = formOf(request)
      const newFault = newPasswordFault(form('next'), form('repeat'))
      if (newFault) {
        const state = { ...(await choiceOf(purpose, account)), newFault }
        return answer(reply, pages.choosePassword(request.raw, state), 422)
      }
      const result = await accounts.setPasswordByLink({ token, purpose, next: form('next'), now })
      if (result !== 'done') return answer(reply, pages.linkEnded(request.raw, purpose), 410)
      if (purpose === 'reset') post(letters.passwordChanged(account, languageOf(request.raw), now))
      const invited = purpose === 'invitation' ? await accounts.active(account.id) : undefined
      // Who needs a second factor sets it up in the sign-in.
      if (invited?.subject && !(await factors.isRequired(invited.id)))
        return enterAtOnce(site, request, reply, invited.subject)
      return answer(reply, pages.passwordChosen(request.raw, purpose))
    })
  }
}

/** Signs in who has just chosen the password of an invitation, and opens the portal. */
async function enterAtOnce(site: Site, request: FastifyRequest, reply: FastifyReply, subject: string) {
  const { provider, origin } = hereOf(site, request)
  const amr = methods.password
  site.log.info({ caller: subject, address: request.ip, amr }, 'A user signed in')
  const cookies = await beginSession(provider, request.raw, reply.raw, { subject, amr, acr: contextOf(amr) })
  keepBrowser(reply, origin, browserOf(request.raw))
  for (const cookie of cookies) reply.header('set-cookie', cookie)
  return reply.headers(pageHeaders).redirect(`${origin}/dashboard`, 303)
}
