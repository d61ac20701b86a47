import type { FastifyInstance } from 'fastify'
import { formOf } from './page-forms.ts'
import { newPasswordFault } from './pages.ts'
import { identityPath } from './provider.ts'
import type { Site } from './site.ts'

/** Passwords chosen through a mailed link, of an invitation or of a requested reset. */
export function registerLinks(scope: FastifyInstance, site: Site): void {
  const { accounts, answer, languageOf, letters, pages, post } = site

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
      return answer(reply, pages.choosePassword(request.raw, { purpose, email: account.email, name: account.name }))
    })

    scope.post<{ Params: { token: string } }>(path, async (request, reply) => {
      const { token } = request.params
      const now = new Date()
      const account = await accounts.ownerOfLink(token, purpose, now)
      if (!account) return answer(reply, pages.linkEnded(request.raw, purpose), 410)
      const form = formOf(request)
      const newFault = newPasswordFault(form('next'), form('repeat'))
      if (newFault) {
        const state = { purpose, email: account.email, name: account.name, newFault }
        return answer(reply, pages.choosePassword(request.raw, state), 422)
      }
      const result = await accounts.setPasswordByLink({ token, purpose, next: form('next'), now })
      if (result !== 'done') return answer(reply, pages.linkEnded(request.raw, purpose), 410)
      if (purpose === 'reset') post(letters.passwordChanged(account, languageOf(request.raw), now))
      return answer(reply, pages.passwordChosen(request.raw, purpose))
    })
  }
}
