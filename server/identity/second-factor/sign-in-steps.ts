import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '#database/people/identity.ts'
import { contextOf, methods } from '#domain/people/second-factor.ts'
import { browserOf, keepBrowser } from '../browser-cookie.ts'
import { answerExpired, formOf, hereOf } from '../page-forms.ts'
import { identityPath } from '../provider.ts'
import { pageHeaders } from '../security.ts'
import type { Site } from '../site.ts'
import { answerNewFactor, showNewFactor } from './new-factor.ts'

const pathOf = (uid: string) => `${identityPath}/interaction/${uid}`

/** Ends a sign-in: the provider continues with the methods that were used. */
export async function finishSignIn(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { subject, amr }: { subject: string; amr: readonly string[] },
) {
  site.log.info({ caller: subject, address: request.ip, amr }, 'A user signed in')
  const login = { accountId: subject, amr: [...amr], acr: contextOf(amr), remember: true }
  const next = await hereOf(site, request).provider.interactionResult(
    request.raw,
    reply.raw,
    { login },
    { mergeWithLastSubmission: false },
  )
  return reply.headers(pageHeaders).redirect(next, 303)
}

/** Continues after the right password: to the second step, to setting one up, or to the end. */
export async function afterPassword(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { uid, account }: { uid: string; account: Account },
) {
  const { factors } = site
  const subject = account.subject ?? ''
  const { factors: own } = await factors.of(account.id)
  const stage = own.length > 0 ? 'prove' : (await factors.isRequired(account.id)) ? 'setUp' : undefined
  if (!stage) return finishSignIn(site, request, reply, { subject, amr: methods.password })
  await factors.steps.put('SecondStep', uid, { accountId: subject, userId: account.id, stage, amr: [] })
  return reply.headers(pageHeaders).redirect(`${pathOf(uid)}/${stage === 'prove' ? 'second' : 'set-up'}`, 303)
}

/** The pages between the right password and the end of a sign-in. */
export function registerSecondStep(scope: FastifyInstance, site: Site): void {
  const { accounts, answer, factors, factorPages, letters, languageOf, log, post } = site

  /** The step of this browser's sign-in, with its account. Undefined: there is none, or not at this stage. */
  async function stepOf(request: FastifyRequest, reply: FastifyReply, stage: 'prove' | 'setUp' | 'ready') {
    const { provider, origin } = hereOf(site, request)
    const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)
    const step = interaction && (await factors.steps.find('SecondStep', interaction.uid))
    if (!interaction || step?.stage !== stage) return undefined
    const account = await accounts.bySubject(step.accountId)
    return account && { uid: interaction.uid, account, step, origin }
  }

  /** Without its step, a page leads to the start of the sign-in. */
  const toStart = async (request: FastifyRequest, reply: FastifyReply) => {
    const { provider } = hereOf(site, request)
    const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)
    return interaction
      ? reply.headers(pageHeaders).redirect(pathOf(interaction.uid), 303)
      : answerExpired(site, request, reply)
  }

  async function showSecond(
    request: FastifyRequest,
    found: NonNullable<Awaited<ReturnType<typeof stepOf>>>,
    fault?: 'wrong' | 'used' | 'tooMany' | 'passkey',
  ) {
    const { uid, account, origin } = found
    const { factors: own } = await factors.of(account.id)
    return factorPages.prove(request.raw, 'second', {
      email: account.email,
      hasApp: own.some(({ kind }) => kind === 'app'),
      passkey: await factors.passkeys.toProve(uid, account, origin),
      isRecovery: (request.query as { with?: string }).with === 'recovery',
      fault,
    })
  }

  scope.get(`${pathOf(':uid')}/second`, async (request, reply) => {
    const found = await stepOf(request, reply, 'prove')
    return found ? answer(reply, await showSecond(request, found)) : toStart(request, reply)
  })

  scope.post(`${pathOf(':uid')}/second`, async (request, reply) => {
    const found = await stepOf(request, reply, 'prove')
    if (!found) return toStart(request, reply)
    const { uid, account, origin } = found
    const form = formOf(request)
    const browser = browserOf(request.raw)
    const now = new Date()
    const passkey = form('passkey')
    const check = passkey
      ? (await factors.passkeys.isProof(uid, account, origin, passkey, now))
        ? 'proved'
        : 'passkey'
      : await factors.checkCode(account, form('code'), { address: request.ip, browser }, now)
    if (check === 'wrong' || check === 'used' || check === 'tooMany' || check === 'passkey') {
      log.info({ address: request.ip, refused: check }, 'A second step was refused')
      return answer(reply, await showSecond(request, found, check), check === 'tooMany' ? 429 : 401)
    }
    // Of two concurrent answers one ends the step.
    if (!(await factors.steps.take('SecondStep', uid))) return toStart(request, reply)
    keepBrowser(reply, origin, browser)
    if (check === 'recovery') post(letters.recoveryCodeUsed(account, languageOf(request.raw), now))
    const amr = check === 'proved' ? methods.passkeyAfterPassword : methods.code
    return finishSignIn(site, request, reply, { subject: account.subject ?? '', amr })
  })

  scope.get(`${pathOf(':uid')}/set-up`, async (request, reply) => {
    const found = await stepOf(request, reply, 'setUp')
    if (!found) return toStart(request, reply)
    return answer(reply, factorPages.setUp(request.raw, `${pathOf(found.uid)}/set-up`))
  })

  for (const kind of ['app', 'passkey'] as const) {
    scope.get(`${pathOf(':uid')}/set-up/${kind}`, async (request, reply) => {
      const found = await stepOf(request, reply, 'setUp')
      if (!found) return toStart(request, reply)
      return showNewFactor(site, request, reply, {
        kind,
        ...found,
        step: found.uid,
        back: `${pathOf(found.uid)}/set-up`,
      })
    })

    scope.post(`${pathOf(':uid')}/set-up/${kind}`, async (request, reply) => {
      const found = await stepOf(request, reply, 'setUp')
      if (!found) return toStart(request, reply)
      const { uid, account } = found
      const adding = { kind, ...found, step: uid, back: `${pathOf(uid)}/set-up` }
      return answerNewFactor(site, request, reply, adding, async (codes) => {
        const amr = kind === 'app' ? methods.code : methods.passkeyAfterPassword
        const subject = account.subject ?? ''
        if (!codes) {
          await factors.steps.drop('SecondStep', uid)
          return finishSignIn(site, request, reply, { subject, amr })
        }
        await factors.steps.put('SecondStep', uid, {
          accountId: subject,
          userId: account.id,
          stage: 'ready',
          amr: [...amr],
        })
        return answer(reply, factorPages.codes(request.raw, codes, { post: `${pathOf(uid)}/set-up/done` }))
      })
    })
  }

  scope.post(`${pathOf(':uid')}/set-up/done`, async (request, reply) => {
    const found = await stepOf(request, reply, 'ready')
    if (!found || !(await factors.steps.take('SecondStep', found.uid))) return toStart(request, reply)
    return finishSignIn(site, request, reply, { subject: found.account.subject ?? '', amr: found.step.amr })
  })
}
