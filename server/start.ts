import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { embeddedIssuer } from '#database/people/identity.ts'
import { contextClasses } from '#domain/people/second-factor.ts'
import { portalOf } from './api/key-portal/portal.ts'
import { presentPortal } from './api/key-portal/present-portal.ts'
import { registerApi } from './api/register.ts'
import { openBackups } from './backup/open-backups.ts'
import type { Config } from './config.ts'
import { publicPages } from './customers/public-pages.ts'
import { openCustomerTokens } from './customers/tokens.ts'
import { openBlobs } from './files/open-blobs.ts'
import { registerDeviceRoutes } from './gateway/device-routes.ts'
import { startGateway } from './gateway/gateway.ts'
import { registerHealth, registerMetrics } from './health/health.ts'
import { openWriteProbe } from './health/write-probe.ts'
import {
  createAuthenticator,
  embeddedProviders,
  externalProvider,
  safeAlgorithms,
  type TrustedProvider,
} from './http/authentication.ts'
import { registerBackchannelLogout } from './http/backchannel-logout.ts'
import { createApp } from './http/server.ts'
import { inviteFirstAdmin } from './identity/first-admin.ts'
import { registerIdentity, registerMailboxAlone } from './identity/identity.ts'
import { openInvitations } from './identity/invitations.ts'
import type { DemoAccount } from './identity/pages.ts'
import { startLiveHub } from './live/hub.ts'
import { openMail } from './mail/mail.ts'
import { createNetworkLimit } from './network/network-limit.ts'
import { registerPayments } from './payments/routes.ts'
import { moveSandbox } from './payments/sandbox.ts'
import { registerPortal } from './portal/portal.ts'
import type { Storage } from './postgres/storage.ts'
import { registerScim } from './scim/routes.ts'
import { createVault } from './secrets/vault.ts'
import { openTelemetry } from './watching/open-telemetry.ts'
import { watchStatementTimes } from './watching/slow-statements.ts'
import { startWorker } from './worker/worker.ts'

export const serverRoles = ['api', 'gateway', 'worker'] as const
export type ServerRole = (typeof serverRoles)[number]

export interface Running {
  app: FastifyInstance
  /** Stops accepting work, finishes running work, and releases everything but the database. */
  stop(): Promise<void>
}

/** Starts the requested roles on an open database. */
export async function startServer(options: {
  config: Config
  storage: Storage
  roles: readonly ServerRole[]
  log: Logger
  demoAccounts?: readonly DemoAccount[]
  https?: { key: string; cert: string }
  /** Off in tests of the API, which have no built portal. */
  withPortal?: boolean
}): Promise<Running> {
  const { config, storage, roles, log, https } = options
  const { doors } = storage
  const telemetry = await openTelemetry(config, log)
  const vault = createVault(config.secretKey)
  const blobs = await openBlobs(config)
  const live = await startLiveHub(storage.systemAddress, log)
  // A self-signed certificate is for trials: with HSTS, a browser could not return to plain HTTP.
  const isAlwaysHttps = config.publicUrl.startsWith('https:') && !https
  const app = createApp(log, { trustProxy: config.TRUST_PROXY, isAlwaysHttps, ...(https ? { https } : {}) })
  // Stopped in reverse order.
  const stops: (() => Promise<void>)[] = [async () => telemetry?.stop(), async () => blobs.close()]
  const slow = watchStatementTimes(doors, config.SLOW_STATEMENT_MS, log)
  stops.push(() => slow.stop())
  let isDraining = false
  // A gateway alone only reads files.
  const writesFiles = roles.includes('api') || roles.includes('worker')
  registerHealth(app, {
    doors,
    isDraining: () => isDraining,
    unwritable: openWriteProbe({ doors, blobs: writesFiles ? blobs : undefined, log }),
  })
  await registerMetrics(app, config)

  const mail = openMail({
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
    isMailboxShown: !config.production,
    doors,
  })
  stops.push(async () => mail.close())

  if (roles.includes('api')) {
    const identity = config.OIDC_ISSUER
      ? undefined
      : await registerIdentity(app, {
          client: { clientId: config.OIDC_CLIENT_ID, audience: config.OIDC_AUDIENCE, scope: config.OIDC_SCOPE },
          doors,
          vault,
          mail,
          publicOrigins: config.publicOrigins,
          defaultLanguage: config.DEFAULT_LANGUAGE,
          demoAccounts: options.demoAccounts ?? [],
          onRevoked: live.announceUser,
          isForSuperAdmins: config.SUPER_ADMIN_SECOND_FACTOR,
          log,
        })
    if (!identity) await registerMailboxAlone(app, { doors, mail, defaultLanguage: config.DEFAULT_LANGUAGE })
    const algorithms = config.OIDC_ALGORITHMS.length > 0 ? config.OIDC_ALGORITHMS : safeAlgorithms
    const external = config.OIDC_ISSUER === undefined ? undefined : externalProvider(config.OIDC_ISSUER)
    if (external)
      registerBackchannelLogout(app, {
        provider: external,
        clientId: config.OIDC_CLIENT_ID,
        algorithms,
        isTyped: config.OIDC_LOGOUT_TOKEN_TYPED,
        doors,
        live,
      })
    const authenticator = createAuthenticator({
      providers: identity
        ? embeddedProviders(config.publicOrigins, embeddedIssuer, identity.verifyingKey)
        : [external as TrustedProvider],
      audience: config.OIDC_AUDIENCE,
      tokenType: config.OIDC_TOKEN_TYPE ?? 'at+jwt',
      algorithms,
      tenant: config.TENANT,
      roleClaim: identity ? 'userRole' : config.OIDC_ROLE_CLAIM,
      scopes: identity ? config.OIDC_SCOPE.split(' ').filter(Boolean) : config.OIDC_TOKEN_SCOPE,
      secondFactorClasses: identity ? [contextClasses.two] : config.OIDC_SECOND_FACTOR_ACR,
    })
    const invitations = openInvitations({
      doors,
      mail,
      origin: config.publicUrl,
      defaultLanguage: config.DEFAULT_LANGUAGE,
      isExternal: Boolean(config.OIDC_ISSUER),
      log,
    })
    const customerTokens = openCustomerTokens(doors, vault)
    const services = { config, doors, live, vault, blobs, invitations, customerTokens, mail }
    await registerApi(app, services, authenticator)
    registerScim(app, services)
    await registerPayments(app, { config, doors, live, vault }, { hasAssets: Boolean(identity ?? mail.mailboxPath) })
    if (config.FIRST_ADMIN_EMAIL) await inviteFirstAdmin({ email: config.FIRST_ADMIN_EMAIL, doors, invitations, log })
    if (options.withPortal ?? true) {
      const portalFacts = async (slug: string) => presentPortal(await portalOf({ doors, now: new Date() }, slug))
      await registerPortal(app, config, portalFacts, publicPages(doors, createNetworkLimit(doors)))
    }
  }
  if (roles.includes('gateway')) {
    const gateway = await startGateway({ config, doors, live, log })
    stops.push(() => gateway.stop())
    registerDeviceRoutes(app, gateway, { config, doors, blobs, vault })
  }
  if (roles.includes('worker')) {
    const worker = await startWorker({
      adminUrl: storage.adminUrl,
      doors,
      vault,
      blobs,
      log,
      hours: config.EXPORT_HOURS,
      mail,
      live,
      config,
    })
    stops.push(() => worker.stop())
    const backups = await openBackups(config, { adminUrl: storage.adminUrl, files: blobs, log })
    if (backups) stops.push(() => backups.stop())
  }

  app.server.maxConnections = config.MAX_HTTP_CONNECTIONS
  await app.listen({ port: config.PORT, host: config.HOST })
  if (config.DEMO && roles.includes('api')) await moveSandbox(app, doors, https ? 'https' : 'http')
  return {
    app,
    stop: async () => {
      isDraining = true
      await app.close()
      for (const stop of stops.reverse()) await stop()
      await live.stop()
    },
  }
}
