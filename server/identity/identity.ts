import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { JWK } from 'jose'
import type Provider from 'oidc-provider'
import { ProductError } from '#contract/errors.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { Mail } from '../mail/mail.ts'
import { registerMailbox } from '../mail/mailbox.ts'
import type { Vault } from '../secrets.ts'
import { pageLanguage, spokenOf } from '../words.ts'
import { type Accounts, openAccounts } from './accounts.ts'
import { registerAssets } from './assets.ts'
import { browserOf, keepBrowser } from './browser-cookie.ts'
import { identityKeys } from './keys.ts'
import { makeLetters } from './letters.ts'
import { type DemoAccount, makePages, newPasswordFault } from './pages.ts'
import { createProvider, identityPath, type PortalClient, sessionOf } from './provider.ts'
import { isSameOrigin, pageHeaders, providerHeaders } from './security.ts'

export interface IdentityDeps {
  client: PortalClient
  doors: Pick<Doors, 'withSystem'>
  vault: Vault
  mail: Mail
  /** The addresses browsers use, `https://portal.example.com`; the first is written into mails. Others are refused. */
  publicOrigins: readonly string[]
  defaultLanguage: Language | undefined
  /** Offered on the sign-in page; empty outside the demo. */
  demoAccounts: readonly DemoAccount[]
  /** Told of people whose sessions have ended. */
  onRevoked?: (userId: string) => void
  log: { error: (facts: object, text: string) => void; info: (facts: object, text: string) => void }
}

export interface Identity {
  accounts: Accounts
  /** Public key of its tokens. */
  verifying: JWK
}

const languageCookie = 'gettone_language'

/** The embedded identity provider and its pages, below `/identity`, and the development mailbox when mail is not sent. */
export async function registerIdentity(app: FastifyInstance, deps: IdentityDeps): Promise<Identity> {
  const { doors, mail, publicOrigins, log } = deps
  const mainOrigin = publicOrigins[0]
  if (!mainOrigin) throw new Error('The identity provider needs a public origin.')
  const keys = await identityKeys(doors, deps.vault)
  const accounts = openAccounts(doors, deps.onRevoked)
  /** The language the portal asked for when it began the sign-in. */
  const asked = new WeakMap<IncomingMessage, string>()
  const languageOf = (request: IncomingMessage) =>
    pageLanguage({
      chosen: asked.get(request) ?? chosenLanguage(request),
      deployment: deps.defaultLanguage,
      accept: request.headers['accept-language'],
    })
  const pages = makePages({ demoAccounts: deps.demoAccounts, mailboxPath: mail.mailboxPath, languageOf })
  const letters = makeLetters(mainOrigin, mail)
  const addresses = new WeakMap<IncomingMessage, string>()
  const addressOf = (request: IncomingMessage) => addresses.get(request) ?? ''
  const onFault = (error: Error) => log.error({ err: error }, 'The identity provider failed')
  const providers = new Map(
    publicOrigins.map((origin) => [
      origin,
      createProvider(origin, { doors, client: deps.client, accounts, keys, pages, addressOf, onFault }),
    ]),
  )

  /** The provider of the address the browser used; nobody for an address that is not ours. */
  function providerOf(request: FastifyRequest): { origin: string; provider: Provider } | undefined {
    const exact = `${request.protocol}://${request.host}`
    const origin = providers.has(exact) ? exact : publicOrigins.find((one) => new URL(one).host === request.host)
    const provider = origin && providers.get(origin)
    return origin && provider ? { origin, provider } : undefined
  }

  const answer = (reply: FastifyReply, text: string, status = 200) =>
    reply.code(status).headers(pageHeaders).type('text/html; charset=utf-8').send(text)

  /** Sends a letter without making the page wait, which would tell a known address from an unknown one. */
  const post = (letter: Promise<void>) =>
    void letter.catch((error) => log.error({ err: error }, 'A mail could not be sent'))

  await app.register(async (scope) => {
    hideFromDocs(scope)
    registerAssets(scope)
    if (mail.mailboxPath) registerMailbox(scope, { doors, languageOf })
  })

  await app.register(async (scope) => {
    hideFromDocs(scope)
    scope.removeAllContentTypeParsers()
    // The provider reads the body itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all(`${identityPath}/*`, async (request, reply) => {
      const here = providerOf(request)
      if (!here) return answer(reply, pages.fault(request.raw, `${request.host} is not an address of this portal`), 421)
      const { raw } = request
      const original = raw.url ?? ''
      // What the provider is told it keeps, and the database takes no NUL.
      if (original.includes('%00')) throw new ProductError('BadRequest')
      addresses.set(raw, request.ip)
      reply.hijack()
      for (const [name, value] of Object.entries(providerHeaders)) reply.raw.setHeader(name, value)
      // What the browser used, whatever a proxy in between said.
      raw.headers['x-forwarded-proto'] = new URL(here.origin).protocol.slice(0, -1)
      delete raw.headers['x-forwarded-host']
      Object.assign(raw, { originalUrl: original })
      raw.url = original.slice(identityPath.length) || '/'
      await here.provider.callback()(raw, reply.raw)
    })
  })

  await app.register(async (scope) => {
    hideFromDocs(scope)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 8192 },
      (_request, body, done) => {
        const form = Object.fromEntries(new URLSearchParams(String(body)))
        // Nobody's keyboard writes a NUL, and the database takes none.
        if (Object.values(form).some((text) => text.includes('\0'))) done(new ProductError('BadRequest'))
        else done(null, form)
      },
    )
    scope.addHook('onRequest', async (request, reply) => {
      const here = providerOf(request)
      if (!here) return answer(reply, pages.fault(request.raw, `${request.host} is not an address of this portal`), 421)
      if (request.method === 'POST' && !isSameOrigin(request.raw, here.origin))
        return answer(reply, pages.fault(request.raw, 'The form came from another site'), 403)
      request.raw.headers['x-forwarded-proto'] = new URL(here.origin).protocol.slice(0, -1)
      const chosen = (request.query as Record<string, unknown>).language
      if (typeof chosen === 'string' && /^[a-z]{2}$/.test(chosen))
        reply.header('set-cookie', `${languageCookie}=${chosen}; Path=/; Max-Age=31536000; SameSite=Lax`)
    })
    const formOf = (request: FastifyRequest) => {
      const form = (request.body ?? {}) as Record<string, string | undefined>
      return (name: string) => form[name] ?? ''
    }
    const here = (request: FastifyRequest) => providerOf(request) as NonNullable<ReturnType<typeof providerOf>>
    const expired = (request: FastifyRequest, reply: FastifyReply) =>
      answer(reply, pages.fault(request.raw, undefined), 400)
    async function interactionOf(request: FastifyRequest, reply: FastifyReply) {
      const { provider } = here(request)
      const interaction = await provider.interactionDetails(request.raw, reply.raw).catch(() => undefined)
      const portalSpeaks = spokenOf(String(interaction?.params.ui_locales ?? ''))
      if (portalSpeaks && !isChosenHere(request.raw)) asked.set(request.raw, portalSpeaks)
      return interaction
    }

    scope.get(`${identityPath}/interaction/:uid`, async (request, reply) => {
      const interaction = await interactionOf(request, reply)
      if (!interaction) {
        // Whoever goes back to it has signed in meanwhile.
        const { accountId } = await sessionOf(here(request).provider, request.raw, reply.raw)
        return accountId ? reply.redirect(`${here(request).origin}/`, 303) : expired(request, reply)
      }
      const hint = interaction.params.login_hint
      return answer(reply, pages.signIn(request.raw, { email: typeof hint === 'string' ? hint : '' }))
    })

    scope.post(`${identityPath}/interaction/:uid`, async (request, reply) => {
      const interaction = await interactionOf(request, reply)
      if (!interaction) return expired(request, reply)
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

    scope.get(`${identityPath}/forgot`, async (request, reply) =>
      answer(reply, pages.forgot(request.raw, { email: '' })),
    )

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

    async function signedIn(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
      const { accountId } = await sessionOf(provider, request.raw, reply.raw)
      return accountId ? accounts.bySubject(accountId) : undefined
    }
  })

  return { accounts, verifying: keys.verifying }
}

/** The development mailbox alone, where people sign in at a provider of somebody else and are invited by mail all the same. */
export async function registerMailboxAlone(
  app: FastifyInstance,
  deps: Pick<IdentityDeps, 'doors' | 'mail' | 'defaultLanguage'>,
): Promise<void> {
  if (!deps.mail.mailboxPath) return
  const languageOf = (request: IncomingMessage) =>
    pageLanguage({
      chosen: chosenLanguage(request),
      deployment: deps.defaultLanguage,
      accept: request.headers['accept-language'],
    })
  await app.register(async (scope) => {
    hideFromDocs(scope)
    registerAssets(scope)
    registerMailbox(scope, { doors: deps.doors, languageOf })
  })
}

/** These are pages for people and no part of the API. */
const hideFromDocs = (scope: FastifyInstance) =>
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true } as typeof route.schema
  })

const searchOf = (request: IncomingMessage) => new URLSearchParams((request.url ?? '').split('?')[1])
const isChosenHere = (request: IncomingMessage) => searchOf(request).has('language')

/** What the reader chose: with the page's own links, now or before, or in the portal, which hands it on as ui_locales. */
function chosenLanguage(request: IncomingMessage): string | undefined {
  const search = searchOf(request)
  const cookie = /(?:^|;\s*)gettone_language=([a-z]{2})/.exec(request.headers.cookie ?? '')?.[1]
  return search.get('language') ?? spokenOf(search.get('ui_locales') ?? '') ?? cookie
}
