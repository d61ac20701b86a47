import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import type { Role } from '#contract/vocabulary/roles.ts'
import { type Identity, registerIdentity } from '#server/identity/identity.ts'
import { type Invitations, openInvitations } from '#server/identity/invitations.ts'
import { openMail } from '#server/mail/mail.ts'
import { createVault } from '#server/secrets/vault.ts'
import { aDatabase, type TestDatabase } from './database.ts'
import { givePassword } from './passwords.ts'

export const origin = 'http://portal.test:8080'
export const client = { clientId: 'gettone-portal', audience: 'gettone-api', scope: 'gettone.read' }

export interface TestIdentity extends Identity {
  app: FastifyInstance
  invitations: Invitations
  database: TestDatabase
  /** A user who signs in with a password. */
  aUser(with_?: { role?: Role; password?: string; language?: string | null; email?: string }): Promise<TestAccount>
  /** An invited user without a password. */
  anInvited(role?: Role): Promise<{ id: string; email: string }>
  /** The newest message to an address. Waits for it, since mails are sent in the background. */
  mailTo(email: string): Promise<{ subject: string; text: string }>
  mailCount(email: string): Promise<number>
  /** Ids of users whose sessions were reported as ended. */
  revoked: string[]
  /** Lines of the log about sign-ins. */
  logged: { text: string; [fact: string]: unknown }[]
}
export interface TestAccount {
  id: string
  email: string
  password: string
  subject: string
}

/**
 * The embedded identity provider on a database of its own, or with `database` another process of the same deployment.
 */
export async function anIdentity(
  database?: TestDatabase,
  origins: readonly string[] = [origin],
  options: { isForSuperAdmins?: boolean } = {},
): Promise<TestIdentity> {
  const identityDatabase = database ?? (await aDatabase())
  const app = Fastify()
  const revoked: string[] = []
  const logged: TestIdentity['logged'] = []
  const mail = openMail({
    smtpUrl: undefined,
    from: 'Gettone <no-reply@gettone.test>',
    isMailboxShown: true,
    doors: identityDatabase,
  })
  const identity = await registerIdentity(app, {
    doors: identityDatabase,
    client,
    vault: createVault('secret of the tests'),
    mail,
    publicOrigins: origins,
    defaultLanguage: undefined,
    demoAccounts: [],
    ...options,
    onRevoked: (userId) => revoked.push(userId),
    log: {
      error: (facts, text) => app.log.error(facts, text),
      info: (facts, text) => logged.push({ ...facts, text }),
    },
  })
  onTestFinished(() => app.close())

  const newUser = async (role: Role, email: string, language: string | null) => {
    const id = randomUUIDv7()
    await identityDatabase.admin(
      `insert into users (id, email, name, role, language, status, created_at) values ($1, $2, 'Anna', $3, $4, 'invited', now())`,
      [id, email, role, language],
    )
    return id
  }
  const someEmail = () => `${randomBytes(6).toString('hex')}@gettone.test`
  const mailsOf = (email: string) =>
    identityDatabase.admin<{ subject: string; text: string }>(
      'select subject, body_text as text from mailbox where recipient = $1 order by at desc',
      [email],
    )

  return {
    ...identity,
    invitations: openInvitations({
      doors: identityDatabase,
      mail,
      origin: origins[0] as string,
      defaultLanguage: undefined,
      isExternal: false,
      log: app.log,
    }),
    revoked,
    logged,
    app,
    database: identityDatabase,
    async aUser({ role = 'merchantAdmin', password = 'Gettone-demo-1', language = null, email = someEmail() } = {}) {
      const id = await newUser(role, email, language)
      return { id, email, password, subject: await givePassword(identityDatabase, id, password) }
    },
    async anInvited(role = 'merchantUser') {
      const email = someEmail()
      return { id: await newUser(role, email, null), email }
    },
    async mailTo(email) {
      for (let tries = 0; tries < 100; tries += 1) {
        const [mail] = await mailsOf(email)
        if (mail) return mail
        await new Promise((done) => setTimeout(done, 50))
      }
      throw new Error(`No mail came to ${email}`)
    },
    mailCount: async (email) => (await mailsOf(email)).length,
  }
}

export interface Answer {
  status: number
  /** The redirect target, if the browser was redirected. */
  location: string | undefined
  body: string
  headers: Record<string, unknown>
}

export interface Browser {
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  /** Submits a form as a page of the same origin does. */
  post(url: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  /** Follows the provider's redirects to a page, or to an address outside. */
  follow(answer: Answer): Promise<Answer & { at: string }>
  cookies: Map<string, { value: string; path: string }>
}

/** Handles the provider's cookies and redirects as a browser does. */
export function aBrowser(app: FastifyInstance, at: string = origin): Browser {
  const cookies: Browser['cookies'] = new Map()

  async function send(
    method: 'GET' | 'POST',
    url: string,
    form: Record<string, string> | undefined,
    headers: Record<string, string>,
  ) {
    const address = new URL(url, at)
    const cookie = [...cookies]
      .filter(([, { path }]) => address.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const response = await app.inject({
      method,
      url: address.pathname + address.search,
      headers: {
        host: new URL(at).host,
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }),
        ...headers,
      },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    })
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/s.exec(line) ?? []
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(attributes)) cookies.delete(name)
      else cookies.set(name, { value, path: /path=([^;]+)/i.exec(attributes)?.[1] ?? '/' })
    }
    const location = response.headers.location
    return {
      status: response.statusCode,
      location,
      body: response.body,
      headers: response.headers as Record<string, unknown>,
    }
  }

  const browser: Browser = {
    cookies,
    get: (url, headers = {}) => send('GET', url, undefined, headers),
    post: (url, form, headers = {}) => send('POST', url, form, headers),
    async follow(answer) {
      let here = answer
      let where = at
      while (here.location) {
        const next = new URL(here.location, at)
        where = next.href
        if (next.origin !== at || !next.pathname.startsWith('/identity')) return { ...here, at: where }
        here = await browser.get(next.href)
      }
      return { ...here, at: where }
    },
  }
  return browser
}

/** A request for a code, with its PKCE verifier, as the portal sends it. */
export function anAuthorization(changed: Record<string, string | undefined> = {}, at: string = origin) {
  const verifier = randomBytes(32).toString('base64url')
  const parameters = {
    client_id: client.clientId,
    response_type: 'code',
    scope: `openid profile email ${client.scope}`,
    redirect_uri: `${at}/signed-in`,
    state: randomBytes(8).toString('hex'),
    nonce: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changed,
  }
  const fields = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...parameters, verifier, url: `${at}/identity/auth?${new URLSearchParams(fields)}` }
}

export interface Tokens {
  access_token: string
  id_token: string
  token_type: string
  scope: string
  expires_in: number
}

/** Exchanges a code as the portal does. */
export async function tokensOf(
  browser: Browser,
  exchange: { code: string; verifier: string; redirect?: string },
): Promise<{ status: number; tokens: Tokens; error?: string }> {
  const answer = await browser.post(
    '/identity/token',
    {
      grant_type: 'authorization_code',
      client_id: client.clientId,
      code: exchange.code,
      code_verifier: exchange.verifier,
      redirect_uri: exchange.redirect ?? `${origin}/signed-in`,
    },
    { accept: 'application/json' },
  )
  const body = JSON.parse(answer.body) as Tokens & { error?: string }
  return { status: answer.status, tokens: body, ...(body.error && { error: body.error }) }
}

/** Signs a user in, from the request for a code to the tokens. */
export async function signIn(browser: Browser, user: { email: string; password: string }): Promise<Tokens> {
  const request = anAuthorization()
  const form = await browser.follow(await browser.get(request.url))
  const done = await browser.follow(await browser.post(form.at, { email: user.email, password: user.password }))
  const code = new URL(done.at).searchParams.get('code')
  if (!code) throw new Error(`No code: ${done.status} ${done.at}`)
  return (await tokensOf(browser, { code, verifier: request.verifier })).tokens
}
