import { randomUUIDv7 } from 'node:crypto'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type Permission, roleMay } from '#contract/access.ts'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { type ErrorCode, ProductError } from '#contract/errors.ts'
import { type AnyEndpoint, isOfCustomer } from '#contract/frame/endpoint.ts'
import { groupsHeader } from '#contract/frame/group-lens.ts'
import { SelectedGroups } from '#contract/frame/group-lens-header.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { handlers } from '../api/handlers.ts'
import { admitCustomer, type CustomerPrincipal } from '../customers/admit.ts'
import { asyncApiDocument } from '../gateway/asyncapi.ts'
import type { Authenticator, Caller } from './authentication.ts'
import { compressAnswers } from './compression.ts'
import { endConnections } from './connections-at-end.ts'
import { enabledIn, gatedOf, refuseGated, strippedOf } from './features.ts'
import type { Services, TenantCall, UserCall } from './handler.ts'
import { createNetworkLimit, type NetworkLimit } from './network-limit.ts'
import { registerOpenApi } from './openapi.ts'
import { apiPrefix } from './prefix.ts'
import { answerError, handleErrors } from './problem.ts'
import { idsOfCall, refuseOutOfReach } from './reach.ts'
import { revalidated } from './revalidated.ts'
import { narrowScope, resolvePrincipal, scopeOf } from './scope.ts'
import { admitToken, isApiToken, isForTokens } from './token-bearer.ts'
import { withUpload } from './upload.ts'

const longestBody = 1024 * 1024
/** The time of a request with its body; a file takes longer over a slow line. */
const requestTimeoutMs = 30_000
const uploadTimeoutMs = 30 * 60_000
/** An endpoint without filters refuses any filter: ignoring it would look as if it applied. */
const noQuery = z.strictObject({})

/** One year, without subdomains: other names of the domain may be served without TLS. */
const strictTransport = 'max-age=31536000'

/** Default headers of a page: isolated from windows of other sites, and no referrer to them. */
const pageDefaults = { 'cross-origin-opener-policy': 'same-origin', 'referrer-policy': 'same-origin' } as const

/** A Fastify with problem documents and request ids, without routes. */
export function createApp(
  log: Logger,
  options: { trustProxy?: boolean; https?: { key: string; cert: string }; isAlwaysHttps?: boolean } = {},
): FastifyInstance {
  const settings: FastifyServerOptions = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUIDv7(),
    bodyLimit: longestBody,
    // Only the nearest proxy is trusted: the caller may have written earlier entries.
    trustProxy: options.trustProxy ? (_address, hop) => hop === 0 : false,
    // Disconnects a client that sends its request too slowly; rows without a file have less time. The keep-alive time closes idle
    // connections.
    requestTimeout: uploadTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // An address that no route can have: badly encoded, or too long.
    frameworkErrors: answerError,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    ...(options.https ? { https: options.https } : {}),
  }
  const app = Fastify(settings)
  endConnections(app, options.https !== undefined)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  handleErrors(app)
  compressAnswers(app)
  // Set on the raw answer, so that the identity provider's answers have it too.
  if (options.isAlwaysHttps)
    app.addHook('onRequest', async (_request, reply) => {
      reply.raw.setHeader('strict-transport-security', strictTransport)
    })
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (String(reply.getHeader('content-type')).startsWith('text/html'))
      for (const [name, value] of Object.entries(pageDefaults)) if (!reply.hasHeader(name)) reply.header(name, value)
    // Only files of the portal may be cached; all other answers are personal.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (routeOptions.config.takesFile || raw.complete) return
    const late = setTimeout(() => raw.complete || raw.destroy(), requestTimeoutMs).unref()
    raw.once('close', () => clearTimeout(late))
  })
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config.isQuiet) return
    const { method, url } = request
    request.log.info(
      { method, url: url.split('?')[0], status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
  return app
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests that are not logged: health, metrics, static files. */
    isQuiet?: boolean
    /** The body is a file, and may take long. */
    takesFile?: boolean
    /** The error code of a body that is too large. */
    tooLarge?: ErrorCode
  }
}

/**
 * Registers every row of the contract, its documentation at /api/openapi.json, its page at /api/docs, and the machines'
 * protocol at /api/asyncapi.json.
 */
export async function registerApi(
  app: FastifyInstance,
  services: Services,
  authenticator: Authenticator,
): Promise<void> {
  await registerOpenApi(app, services.config.version)
  const asyncApi = asyncApiDocument(services.config)
  app.get('/api/asyncapi.json', { schema: { hide: true }, config: { isQuiet: true } }, async () => asyncApi)
  app.addHook('preClose', async () => services.live.dismiss())
  // Cast: each row has a type of its own; what all have in common is read.
  const rows = Object.entries(endpoints) as unknown as [EndpointName, AnyEndpoint][]
  const limited = createNetworkLimit(services.doors)
  await app.register(async (api) => {
    for (const [name, row] of rows.filter(([, { takes }]) => takes === undefined))
      registerEndpoint(api, name, row, { services, authenticator, limited })
  })
  // A file is not read into memory: only here is a body a stream.
  await app.register(async (api) => {
    api.removeAllContentTypeParsers()
    for (const type of new Set(rows.flatMap(([, { takes }]) => takes ?? [])))
      api.addContentTypeParser(type, (_request, body, done) => done(null, body))
    for (const [name, row] of rows.filter(([, { takes }]) => takes !== undefined))
      registerEndpoint(api, name, row, { services, authenticator, limited })
  })
}

// Handlers differ in their input by endpoint; only their names are known here.
type AnyHandler = (call: Partial<TenantCall> & { params: unknown; query: unknown; body: unknown }) => Promise<unknown>

function registerEndpoint(
  api: FastifyInstance,
  name: EndpointName,
  row: AnyEndpoint,
  { services, authenticator, limited }: { services: Services; authenticator: Authenticator; limited: NetworkLimit },
): void {
  // A filter of a missing feature is refused before its ids are looked up.
  // Cast: each handler has a type of its own; the row's schemas check its input and its answer.
  const handler = gated(reaching(handlers[name] as unknown as AnyHandler, row), row)
  const isOpen = row.needs === 'anyone'
  api.route({
    method: row.method,
    url: apiPrefix + row.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(row.longestBody !== undefined && { bodyLimit: row.longestBody }),
    // A link's token gives access to the file, so it is not logged.
    config: {
      isQuiet: row.produces === 'text/event-stream' || row.path.includes('{token}'),
      tooLarge: row.tooLarge,
      takesFile: row.takes !== undefined,
    },
    // A file or a stream is sent while it is written.
    ...((row.hasSecret || row.produces !== undefined) && { compress: false as const }),
    schema: {
      operationId: name,
      summary: row.summary,
      tags: [
        row.path.split('/').find((part) => part !== '' && part !== 'merchants' && !part.startsWith('{')) ?? 'merchants',
      ],
      params: row.params,
      ...(isTenants(row) ? { headers: SelectedGroups } : {}),
      querystring: row.query ?? noQuery,
      ...(row.body ? { body: row.body } : {}),
      ...(row.ok ? { response: { [row.status]: row.ok } } : {}),
      ...(isOpen ? {} : { security: [{ bearer: [] }, ...(isForTokens(row) ? [{ apiToken: [] }] : [])] }),
    },
    // Authenticates before validating, so that strangers learn nothing about our fields.
    onRequest: async (request) => {
      if (!isOpen) await admit(request, row, services, authenticator)
      else if (row.limit) await limited(row.limit, request.ip, new Date())
    },
    handler: async (request, reply) => {
      reply.status(row.status)
      const answer = () => run(handler, row, services, request, reply)
      const result = row.takes === undefined ? await answer() : await withUpload(request, row, services.blobs, answer)
      if (row.isCacheable) return revalidated(request, reply, result)
      if (row.ok) return result
      if (!row.produces) return reply.status(204).send()
      return reply
    },
  })
}

/**
 * A handler that refuses input of features that the merchant lacks, and answers without their fields. A conflict shows the
 * current record in the same way.
 */
function gated(handler: AnyHandler, row: AnyEndpoint): AnyHandler {
  const gates = isTenants(row) ? gatedOf(row) : undefined
  if (!gates) return handler
  return async (call) => {
    const db = call.db as TenantDb
    const enabled = await enabledIn(db, gates.features)
    refuseGated(db, gates, call, enabled)
    const answered = (value: unknown) => strippedOf(value, gates.answer, db.scope, enabled)
    try {
      return answered(await handler(call))
    } catch (error) {
      if (!(error instanceof ProductError) || !error.facts?.current) throw error
      throw new ProductError(error.code, { ...error.facts, current: answered(error.facts.current) })
    }
  }
}

/**
 * A handler whose ids are all within the caller's scope; other ids are not found. Reads see the selected groups. Writes see
 * the user's whole scope, since a machine may move into a group that is not selected.
 */
function reaching(handler: AnyHandler, row: AnyEndpoint): AnyHandler {
  const idsOf = idsOfCall(row)
  if (!idsOf) return handler
  return async (call) => {
    const named = idsOf(call)
    if (named.size === 0) return handler(call)
    const { db, user, doors } = call as TenantCall
    // A customer's ids are those of their merchant here; that they are their own is the handler's check.
    if (!user) await refuseOutOfReach(db, named)
    else if (!db) await doors.withTenant(user.scope, (userDb) => refuseOutOfReach(userDb, named), 'read')
    else await refuseOutOfReach(row.method === 'GET' ? db : withinScope(db, user.scope), named)
    return handler(call)
  }
}

const isTenants = (row: AnyEndpoint) => row.path.includes('{merchantId}')

type Admitted = { caller: Caller; user?: UserCall['user'] } | { customer: CustomerPrincipal }
const admitted = new WeakMap<FastifyRequest, Admitted>()

async function admit(
  request: FastifyRequest,
  row: AnyEndpoint,
  services: Services,
  authenticator: Authenticator,
): Promise<void> {
  const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!bearer) throw new ProductError('Unauthorized')
  if (isOfCustomer(row)) {
    const refuseUser = async () => {
      if (!isApiToken(bearer)) await authenticator.authenticate(bearer)
      throw new ProductError('Forbidden')
    }
    admitted.set(request, { customer: await admitCustomer(services, bearer, row, refuseUser) })
    return
  }
  if (isApiToken(bearer)) {
    const from = { address: request.ip, now: new Date() }
    admitted.set(request, await admitToken(services.doors, bearer, row, from))
    return
  }
  const caller = await authenticator.authenticate(bearer)
  if (row.needs === 'newcomer') {
    admitted.set(request, { caller })
    return
  }
  const user = await resolvePrincipal(services.doors, caller)
  if (!userMay(user, row.needs as Permission)) throw new ProductError('Forbidden')
  admitted.set(request, { caller, user })
}

async function run(
  handler: AnyHandler,
  row: AnyEndpoint,
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const input = { params: request.params, query: request.query, body: request.body }
  const who: Partial<UserCall> & { customer?: CustomerPrincipal } = { ...admitted.get(request) }
  const call = { ...services, ...input, ...who, now: new Date(), request, reply }
  const { customer } = call
  if (customer)
    return services.doors.withTenant(
      [{ merchantId: customer.merchantId, groups: 'all' }],
      (db) => handler({ ...call, db } as typeof call),
      row.method === 'GET' ? 'read' : 'write',
    )
  if (!call.user) return handler(call)
  if (!isTenants(row)) {
    // Data without a merchant is open to the provider, and to users of a merchant with the feature.
    if (row.feature && !roleMay(call.user.role, 'merchant.readAll'))
      await narrowScope(services.doors, call.user.scope, { feature: row.feature, groupIds: undefined })
    return handler(call)
  }
  const { merchantId } = request.params as { merchantId: string }
  if (row.produces) reply.type(row.produces)
  const lens = request.headers[groupsHeader] as string | undefined
  const narrowing = { feature: row.feature, groupIds: lens?.toLowerCase().split(',') }
  return services.doors.withTenant(
    await narrowScope(services.doors, scopeOf(call.user, merchantId), narrowing),
    (db) => handler({ ...call, db } as typeof call),
    row.method === 'GET' ? 'read' : 'write',
  )
}
