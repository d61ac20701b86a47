import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { spokenOf } from '../words/words.ts'
import { browserOf, keepBrowser } from './browser-cookie.ts'
import { isChosenHere } from './language.ts'
import { answerExpired, formOf, hereOf } from './page-forms.ts'
import { identityPath, sessionOf } from './provider.ts'
import { pageHeaders } from './security.ts'
import type { Site } from './site.ts'

/** The sign-in page. */
export function registerSignIn(scope: FastifyInstance, site: Site): void {
  const { accounts, answer, portalLanguages, log, pages } = site
  const here = (request: FastifyRequest) => hereOf(site, request)

  async function interactionOf(request: FastifyRequest, reply: FastifyReply) {
    const { provider } = here(request)
    const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)
    const portalSpeaks = spokenOf(String(interaction?.params.ui_locales ?? ''))
    if (portalSpeaks && !isChosenHere(request.raw)) portalLanguages.set(request.raw, portalSpeaks)
    return interaction
  }

  scope.get(`${identityPath}/interaction/:uid`, async (request, reply) => {
    const interaction = await interactionOf(request, reply)
    if (!interaction) {
      // After browser "back" the user may be signed in already.
      const { accountId } = await sessionOf(here(request).provider, request.raw, reply.raw)
      return accountId ? reply.redirect(`${here(request).origin}/`, 303) : answerExpired(site, request, reply)
    }
    const hint = interaction.params.login_hint
    return answer(reply, pages.signIn(request.raw, { email: typeof hint === 'string' ? hint : '' }))
  })

  scope.post(`${identityPath}/interaction/:uid`, async (request, reply) => {
    const interaction = await interactionOf(request, reply)
    if (!interaction) return answerExpired(site, request, reply)
    const form = formOf(request)
    const email = form('email').trim()
    const password = form('password')
    if (!email || !password) {
      const state = { email, fault: 'bothRequired' as const, noEmail: !email, noPassword: !password }
      return answer(reply, pages.signIn(request.raw, state), 422)
    }
    const browser = browserOf(request.raw)
    const result = await accounts.signIn({ email, password, address: request.ip, browser, now: new Date() })
    if ('refused' in result) {
      log.info({ address: request.ip, refused: result.refused }, 'A sign-in was refused')
      return answer(
        reply,
        pages.signIn(request.raw, { email, fault: result.refused }),
        result.refused === 'wrong' ? 401 : 429,
      )
    }
    keepBrowser(reply, here(request).origin, browser)
    const login = { accountId: result.account.subject ?? '', amr: ['pwd'], remember: true }
    const next = await here(request).provider.interactionResult(
      request.raw,
      reply.raw,
      { login },
      { mergeWithLastSubmission: false },
    )
    return reply.headers(pageHeaders).redirect(next, 303)
  })
}
