import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { type Logger, pino } from 'pino'
import { type EndpointName, type Endpoints, endpoints } from '#contract/endpoints.ts'
import { ProductError } from '#contract/errors.ts'
import type { AnyEndpoint, ClientInput, ResultOf } from '#contract/frame/endpoint.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { SignInProof } from '#domain/people/second-factor.ts'
import { registerApi } from '#server/api/register.ts'
import { type Config, readConfig } from '#server/config.ts'
import { type CustomerTokens, openCustomerTokens } from '#server/customers/tokens.ts'
import type { Blobs } from '#server/files/blobs.ts'
import { folderBlobs } from '#server/files/folder-blobs.ts'
import type { Authenticator, Caller } from '#server/http/authentication.ts'
import { apiPrefix } from '#server/http/prefix.ts'
import { createApp } from '#server/http/server.ts'
import { openInvitations } from '#server/identity/invitations.ts'
import { startLiveHub } from '#server/live/hub.ts'
import { openMail } from '#server/mail/mail.ts'
import { registerPayments } from '#server/payments/routes.ts'
import { registerScim } from '#server/scim/routes.ts'
import { createVault } from '#server/secrets/vault.ts'
import { openTestDatabase, systemAddressOf, type TestDatabase } from './database.ts'
import { testSecretKey } from './fixtures.ts'

/** `proof`: how the user has signed in; now and with a password alone if left out. */
export type TestUser = { issuer: string; subject: string; role: Role; proof?: SignInProof }

/** A typed client for one user; a refusal throws its problem document, whose `code` is the error. */
export type TestClient = {
  [Name in EndpointName]: (input: ClientInput<Endpoints[Name]>) => Promise<ResultOf<Endpoints[Name]>>
}

export interface TestApi {
  app: FastifyInstance
  customerTokens: CustomerTokens
  database: TestDatabase
  config: Config
  blobs: Blobs
  /** Calls as a user; `claim` is the role in the token, the user's own by default. */
  as(user: TestUser, claim?: Role | null): TestClient
  /** The raw answer of a call. */
  send(name: EndpointName, input: AnyInput, user?: TestUser, claim?: Role | null): Promise<LightMyRequestResponse>
  tokenOf(user: TestUser, claim?: Role | null): string
  /** Another server on the same database. */
  another(): Promise<FastifyInstance>
  close(): Promise<void>
}

export interface AnyInput {
  /** The body of a row that takes a file. */
  file?: string | Uint8Array
  params?: unknown
  query?: unknown
  body?: unknown
  headers?: Record<string, string>
}

/**
 * The API on a database and files of its own, or on a database and files that its caller closes. Tokens are opaque here; the verification of real tokens has its own tests.
 */
export async function openTestApi(
  environment: Record<string, string> = {},
  shared?: TestDatabase,
  sharedBlobs?: Blobs,
  log: Logger = pino({ level: 'silent' }),
): Promise<TestApi> {
  const database = shared ?? (await openTestDatabase())
  const read = readConfig(
    { PORT: '0', USER_CALLS: '1000000', TOKEN_CALLS: '1000000', ...environment },
    { production: false, keptSecret: testSecretKey },
  )
  // The address of a demo's simulator, where nothing listens.
  const config = read.DEMO ? { ...read, simulatorUrl: 'http://127.0.0.1:9' } : read
  const live = await startLiveHub(systemAddressOf(database.adminUrl))
  const callers = new Map<string, Caller>()
  const authenticator: Authenticator = {
    authenticate: async (token) => {
      const caller = callers.get(token)
      if (!caller) throw new ProductError('Unauthorized')
      return caller
    },
  }
  const files = await mkdtemp(join(tmpdir(), 'gettone-blobs-'))
  const blobs = sharedBlobs ?? folderBlobs(files)
  const app = createApp(log)
  const vault = createVault(config.secretKey)
  // Mails are stored in the mailbox table.
  const mail = openMail({ smtpUrl: undefined, from: config.MAIL_FROM, isMailboxShown: false, doors: database })
  const invitations = openInvitations({
    doors: database,
    mail,
    origin: config.publicUrl,
    defaultLanguage: config.DEFAULT_LANGUAGE,
    isExternal: Boolean(config.OIDC_ISSUER),
    log: app.log,
  })
  const customerTokens = openCustomerTokens(database, vault)
  const services = { config, doors: database, live, blobs, vault, invitations, customerTokens, mail }
  await registerApi(app, services, authenticator)
  registerScim(app, services)
  await registerPayments(app, { config, doors: database, live, vault }, { hasAssets: false })
  await app.ready()

  const others: FastifyInstance[] = []
  const another = async () => {
    const other = createApp(pino({ level: 'silent' }))
    others.push(other)
    await registerApi(other, services, authenticator)
    await other.ready()
    return other
  }

  const tokenOf = (user: TestUser, claim: Role | null = user.role) => {
    const token = randomUUID()
    callers.set(token, {
      issuer: user.issuer,
      subject: user.subject,
      role: claim,
      expiresAt: new Date(Date.now() + 600_000),
      validFrom: new Date(),
      proof: user.proof ?? { at: new Date(), hasSecondFactor: false },
    })
    return token
  }

  const send: TestApi['send'] = (name, input, user, claim) => {
    const row = endpoints[name] as unknown as AnyEndpoint
    return app.inject({
      method: row.method,
      url: apiPrefix + addressOf(row.path, input),
      headers: {
        ...(row.takes && { 'content-type': row.takes }),
        ...input.headers,
        ...(user && { authorization: `Bearer ${tokenOf(user, claim)}` }),
      },
      ...(input.body === undefined ? {} : { payload: input.body as object }),
      ...(input.file === undefined ? {} : { payload: Buffer.from(input.file) }),
    })
  }

  return {
    app,
    customerTokens,
    database,
    config,
    blobs,
    tokenOf,
    send,
    another,
    as: (user, claim) =>
      new Proxy({} as TestClient, {
        get: (_, name: EndpointName) => async (input: AnyInput) => {
          const answer = await send(name, input, user, claim)
          if (answer.statusCode >= 400) throw answer.json()
          return answer.statusCode === 204 || !answer.headers['content-type']?.includes('json')
            ? answer.rawPayload
            : answer.json()
        },
      }),
    close: async () => {
      for (const one of [app, ...others]) await one.close()
      await live.stop()
      if (!shared) await database.close()
      await rm(files, { recursive: true, force: true })
    },
  }
}

/** The path of a call with its parameters and query. */
export function addressOf(path: string, { params, query }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) search.append(key, typeof one === 'object' ? JSON.stringify(one) : String(one))
  }
  return search.size > 0 ? `${filled}?${search}` : filled
}
