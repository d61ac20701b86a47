import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '#database/people/identity.ts'
import { browserOf } from '../browser-cookie.ts'
import { formOf, hereOf } from '../page-forms.ts'
import { identityPath, sessionOf } from '../provider.ts'
import { pageHeaders } from '../security.ts'
import type { Site } from '../site.ts'
import { answerNewFactor, nameOf, showNewFactor } from './new-factor.ts'

const here = `${identityPath}/security`

/** Results that the page reports once, from its address. */
const results = ['added', 'renamed', 'removed', 'required', 'badName'] as const
type Result = (typeof results)[number]

/** A signed-in user on these pages. */
interface Visitor {
  account: Account
  origin: string
  /** The session at the provider, by the id that stays when its cookie is renewed. */
  session: string
  /** Whether the user has confirmed within the last minutes who they are. */
  isConfirmed: boolean
}

/** The pages on which users manage their own second factors. Each change follows a confirmation in the same session. */
export function registerSecurity(scope: FastifyInstance, site: Site): void {
  const { accounts, answer, factors, factorPages, languageOf, letters, log, pages, post } = site

  async function visitorOf(request: FastifyRequest, reply: FastifyReply): Promise<Visitor | undefined> {
    const { provider, origin } = hereOf(site, request)
    const session = await sessionOf(provider, request.raw, reply.raw)
    const account = session.accountId ? await accounts.bySubject(session.accountId) : undefined
    if (!account) return undefined
    const confirmed = await factors.steps.find('Confirmed', session.uid)
    return { account, origin, session: session.uid, isConfirmed: confirmed?.accountId === account.subject }
  }

  /** Another browser was signed in with the factors from before. */
  const endOthers = ({ account, session }: Visitor) => accounts.endOthers(account, session)

  const toPage = (reply: FastifyReply, result?: Result) =>
    reply.headers(pageHeaders).redirect(result ? `${here}?said=${result}` : here, 303)

  /** A handler for users who have confirmed who they are; others get the page that asks for it. */
  const confirmed =
    (work: (request: FastifyRequest, reply: FastifyReply, visitor: Visitor) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const visitor = await visitorOf(request, reply)
      if (!visitor) return answer(reply, pages.signedOutOf(request.raw), 401)
      return visitor.isConfirmed ? work(request, reply, visitor) : toPage(reply)
    }

  async function confirmPage(
    request: FastifyRequest,
    { account, origin, session }: Visitor,
    fault?: 'wrong' | 'used' | 'tooMany' | 'passkey',
  ) {
    const { factors: own } = await factors.of(account.id)
    const isWrongPassword = own.length === 0 && fault === 'wrong'
    return factorPages.prove(request.raw, 'confirm', {
      email: account.email,
      hasApp: own.some(({ kind }) => kind === 'app'),
      passkey: await factors.passkeys.toProve(`confirm ${session}`, account, origin),
      isRecovery: (request.query as { with?: string }).with === 'recovery',
      fault: isWrongPassword ? undefined : fault,
      ...(own.length === 0 && { password: { isWrong: isWrongPassword } }),
    })
  }

  /** Who has a factor confirms with a factor: a password alone must not remove the protection beyond it. */
  async function checkConfirmation(request: FastifyRequest, { account, origin, session }: Visitor) {
    const form = formOf(request)
    const now = new Date()
    const sender = { address: request.ip, browser: browserOf(request.raw) }
    const { factors: own } = await factors.of(account.id)
    if (own.length === 0) {
      const result = await accounts.signIn({ email: account.email, password: form('password'), ...sender, now })
      return 'refused' in result ? result.refused : ('right' as const)
    }
    const passkey = form('passkey')
    if (passkey)
      return (await factors.passkeys.isProof(`confirm ${session}`, account, origin, passkey, now)) ? 'right' : 'passkey'
    const check = await factors.checkCode(account, form('code'), sender, now)
    if (check === 'recovery') post(letters.recoveryCodeUsed(account, languageOf(request.raw), now))
    return check === 'app' || check === 'recovery' ? 'right' : check
  }

  scope.get(here, async (request, reply) => {
    const visitor = await visitorOf(request, reply)
    if (!visitor) return answer(reply, pages.signedOutOf(request.raw), 401)
    if (!visitor.isConfirmed) return answer(reply, await confirmPage(request, visitor))
    const said = results.find((one) => one === (request.query as { said?: string }).said)
    const own = await factors.of(visitor.account.id)
    return answer(reply, factorPages.security(request.raw, { ...own, host: new URL(visitor.origin).hostname, said }))
  })

  scope.post(here, async (request, reply) => {
    const visitor = await visitorOf(request, reply)
    if (!visitor) return answer(reply, pages.signedOutOf(request.raw), 401)
    const check = await checkConfirmation(request, visitor)
    if (check !== 'right') {
      log.info({ address: request.ip, refused: check }, 'A confirmation was refused')
      return answer(reply, await confirmPage(request, visitor, check), check === 'tooMany' ? 429 : 401)
    }
    await factors.steps.put('Confirmed', visitor.session, { accountId: visitor.account.subject ?? '' })
    return toPage(reply)
  })

  for (const kind of ['app', 'passkey'] as const) {
    const adding = ({ account, origin, session }: Visitor) => ({
      kind,
      account,
      origin,
      step: `add ${session}`,
      back: here,
    })

    scope.get(
      `${here}/${kind}`,
      confirmed((request, reply, visitor) => showNewFactor(site, request, reply, adding(visitor))),
    )

    scope.post(
      `${here}/${kind}`,
      confirmed((request, reply, visitor) =>
        answerNewFactor(site, request, reply, adding(visitor), async (codes) => {
          await endOthers(visitor)
          return codes
            ? answer(reply, factorPages.codes(request.raw, codes, { to: `${here}?said=added` }))
            : toPage(reply, 'added')
        }),
      ),
    )
  }

  scope.post(
    `${here}/rename`,
    confirmed(async (request, reply, { account }) => {
      const form = formOf(request)
      const name = nameOf(form('name'))
      if (!name) return toPage(reply, 'badName')
      return toPage(reply, (await factors.rename(account.id, form('id'), name)) ? 'renamed' : undefined)
    }),
  )

  scope.post(
    `${here}/remove`,
    confirmed(async (request, reply, visitor) => {
      const { account } = visitor
      const now = new Date()
      const result = await factors.remove(account.id, formOf(request)('id'), now)
      if (result === 'required') return toPage(reply, 'required')
      if (!result) return toPage(reply)
      await endOthers(visitor)
      post(letters.factorRemoved(account, languageOf(request.raw), now, result.removed))
      return toPage(reply, 'removed')
    }),
  )

  scope.post(
    `${here}/codes`,
    confirmed(async (request, reply, { account }) => {
      const { factors: own } = await factors.of(account.id)
      if (own.length === 0) return toPage(reply)
      const now = new Date()
      const codes = await factors.newCodes(account.id, now)
      post(letters.recoveryCodesMade(account, languageOf(request.raw), now))
      return answer(reply, factorPages.codes(request.raw, codes, { to: here }))
    }),
  )
}
