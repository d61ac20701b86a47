import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methods } from '#domain/people/second-factor.ts'
import { spokenOf } from '../words/words.ts'
import { browserOf, keepBrowser } from './browser-cookie.ts'
import { isChosenHere } from './language.ts'
import { answerExpired, formOf, hereOf } from './page-forms.ts'
import type { SignInState } from './pages.ts'
import { identityPath, sessionOf } from './provider.ts'
import { afterPassword, finishSignIn } from './second-factor/sign-in-steps.ts'
import type { Site } from './site.ts'

/** The step of a sign-in by passkey alone, apart from the second step of the same sign-in. */
const enterStep = (uid: string) => `enter ${uid}`

/** The sign-in page. */
export function registerSignIn(scope: FastifyInstance, site: Site): void {
  const { accounts, answer, factors, portalLanguages, log, pages } = site
  const here = (request: FastifyRequest) => hereOf(site, request)

  async function interactionOf(request: FastifyRequest, reply: FastifyReply) {
    const { provider } = here(request)
    const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)
    const portalSpeaks = spokenOf(String(interaction?.params.ui_locales ?? ''))
    if (portalSpeaks && !isChosenHere(request.raw)) portalLanguages.set(request.raw, portalSpeaks)
    return interaction
  }

  /** The sign-in page. Each has a challenge of its own for a passkey; an earlier one ends. */
  async function signInPage(request: FastifyRequest, uid: string, state: SignInState) {
    const passkey = await factors.passkeys.toEnter(enterStep(uid), here(request).origin)
    return pages.signIn(request.raw, { ...state, passkey })
  }

  /** A sign-in without a password: the passkey names its user, whom its authenticator has verified. */
  async function enterWithPasskey(request: FastifyRequest, reply: FastifyReply, uid: string, text: string) {
    const { origin } = here(request)
    const userId = await factors.passkeys.userOf(enterStep(uid), origin, text, new Date())
    const account = userId ? await accounts.active(userId) : undefined
    if (!account?.subject) {
      log.info({ address: request.ip, refused: 'passkey' }, 'A sign-in was refused')
      return answer(reply, await signInPage(request, uid, { email: '', fault: 'passkey' }), 401)
    }
    await factors.steps.drop('SecondStep', uid)
    keepBrowser(reply, origin, browserOf(request.raw))
    return finishSignIn(site, request, reply, { subject: account.subject, amr: methods.passkeyAlone })
  }

  scope.get(`${identityPath}/interaction/:uid`, async (request, reply) => {
    const interaction = await interactionOf(request, reply)
    if (!interaction) {
      // After browser "back" the user may be signed in already.
      const { accountId } = await sessionOf(here(request).provider, request.raw, reply.raw)
      return accountId ? reply.redirect(`${here(request).origin}/`, 303) : answerExpired(site, request, reply)
    }
    const hint = interaction.params.login_hint
    return answer(reply, await signInPage(request, interaction.uid, { email: typeof hint === 'string' ? hint : '' }))
  })

  scope.post(`${identityPath}/interaction/:uid`, async (request, reply) => {
    const interaction = await interactionOf(request, reply)
    if (!interaction) return answerExpired(site, request, reply)
    const form = formOf(request)
    const passkey = form('passkey')
    if (passkey) return enterWithPasskey(request, reply, interaction.uid, passkey)
    const email = form('email').trim()
    const password = form('password')
    if (!email || !password) {
      const state = { email, fault: 'bothRequired' as const, noEmail: !email, noPassword: !password }
      return answer(reply, await signInPage(request, interaction.uid, state), 422)
    }
    const browser = browserOf(request.raw)
    const result = await accounts.signIn({ email, password, address: request.ip, browser, now: new Date() })
    if ('refused' in result) {
      log.info({ address: request.ip, refused: result.refused }, 'A sign-in was refused')
      return answer(
        reply,
        await signInPage(request, interaction.uid, { email, fault: result.refused }),
        result.refused === 'wrong' ? 401 : 429,
      )
    }
    keepBrowser(reply, here(request).origin, browser)
    return afterPassword(site, request, reply, { uid: interaction.uid, account: result.account })
  })
}
