import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Permission, roleMay } from '#contract/access.ts'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { ProductError } from '#contract/errors.ts'
import { type AnyEndpoint, isOfCustomer, isOfKiosk } from '#contract/frame/endpoint.ts'
import { groupsHeader } from '#contract/frame/group-lens.ts'
import { SelectedGroups } from '#contract/frame/group-lens-header.ts'
import { scopeOfCall } from '#contract/merchants/token-scope.ts'
import { withinMerchantOf } from '#database/frame/reach.ts'
import { type Scope, type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { userMay } from '#domain/people/user-edit.ts'
import { admitCustomer, type CustomerPrincipal } from '../customers/admit.ts'
import { asyncApiDocument } from '../gateway/asyncapi.ts'
import type { Authenticator, Caller } from '../http/authentication.ts'
import { type CallLimit, createCallLimit } from '../http/call-limit.ts'
import { enabledIn, gatedOf, refuseGated, strippedOf } from '../http/features.ts'
import type { Services, TenantCall, UserCall } from '../http/handler.ts'
import { registerOpenApi } from '../http/openapi.ts'
import { apiPrefix } from '../http/prefix.ts'
import { idsOfCall, recordsInPath, refuseOutOfReach } from '../http/reach.ts'
import { revalidated } from '../http/revalidated.ts'
import { narrowScope, resolvePrincipal, scopeOf } from '../http/scope.ts'
import { admitToken, isApiToken } from '../http/token-bearer.ts'
import { withUpload } from '../http/upload.ts'
import { type AdmittedKiosk, admitKiosk, isKioskSecret } from '../kiosk/admit.ts'
import { createNetworkLimit, type NetworkLimit } from '../network/network-limit.ts'
import { handlers } from './handlers.ts'

/** An endpoint without filters refuses any filter: ignoring it would look as if it applied. */
const noQuery = z.strictObject({})

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
  const rows = Object.entries<AnyEndpoint>(endpoints) as [EndpointName, AnyEndpoint][]
  const limited = createNetworkLimit(services.doors)
  const { TOKEN_CALLS: token, USER_CALLS: user } = services.config
  const counted = createCallLimit({ token, user })
  const frame = { services, authenticator, limited, counted }
  await app.register(async (api) => {
    for (const [name, row] of rows.filter(([, { takes }]) => takes === undefined))
      registerEndpoint(api, name, row, frame)
  })
  // A file is not read into memory: only here is a body a stream.
  await app.register(async (api) => {
    api.removeAllContentTypeParsers()
    for (const type of new Set(rows.flatMap(([, { takes }]) => takes ?? [])))
      api.addContentTypeParser(type, (_request, body, done) => done(null, body))
    for (const [name, row] of rows.filter(([, { takes }]) => takes !== undefined))
      registerEndpoint(api, name, row, frame)
  })
}

// Handlers differ in their input by endpoint; only their names are known here.
type AnyHandler = (call: Partial<TenantCall> & { params: unknown; query: unknown; body: unknown }) => Promise<unknown>

/** What all rows share. */
interface Frame {
  services: Services
  authenticator: Authenticator
  limited: NetworkLimit
  counted: CallLimit
}

function registerEndpoint(api: FastifyInstance, name: EndpointName, row: AnyEndpoint, frame: Frame): void {
  const { services, limited } = frame
  // A filter of a missing feature is refused before its ids are looked up.
  // Cast: each handler has a type of its own; the row's schemas check its input and its answer.
  const handler = narrowed(gated(reaching(handlers[name] as unknown as AnyHandler, row), row), row)
  const isOpen = row.needs === 'anyone'
  const scope = scopeOfCall(name)
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
      ...(isOpen ? {} : { security: [{ bearer: [] }, ...(scope ? [{ apiToken: [scope] }] : [])] }),
    },
    // Authenticates before validating, so that strangers learn nothing about our fields.
    onRequest: async (request, reply) => {
      if (!isOpen) await admit(request, reply, [name, row], frame)
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
  const gates = isTenants(row) || isOfKiosk(row) ? gatedOf(row) : undefined
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

/** A handler that sees the merchant of the record in its path alone, where the path names all merchants. */
function narrowed(handler: AnyHandler, row: AnyEndpoint): AnyHandler {
  const recordsOf = isTenants(row) ? recordsInPath(row) : undefined
  if (!recordsOf) return handler
  return async (call) => {
    const records = recordsOf(call.params as Record<string, string>)
    return handler({ ...call, db: await withinMerchantOf(call.db as TenantDb, records) })
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

type Admitted = { caller: Caller; user?: UserCall['user'] } | { customer: CustomerPrincipal } | AdmittedKiosk
const admitted = new WeakMap<FastifyRequest, Admitted>()

/** Each further line about this request names its caller: the subject of a user's token, or the id of an API token, a wall display or a customer. */
function nameInLog(request: FastifyRequest, caller: string): void {
  request.log = request.log.child({ caller })
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  named: readonly [EndpointName, AnyEndpoint],
  { services, authenticator, counted }: Frame,
): Promise<void> {
  const [, row] = named
  const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!bearer) throw new ProductError('Unauthorized')
  const from = (now: Date) => ({
    address: request.ip,
    now,
    count: (tokenId: string) => counted(reply, 'token', tokenId, now.getTime()),
  })
  if (isKioskSecret(bearer)) {
    const display = await admitKiosk(services.doors, bearer, row, from(new Date()))
    nameInLog(request, display.kiosk.id)
    admitted.set(request, display)
    return
  }
  if (isOfCustomer(row)) {
    const refuseUser = async () => {
      if (!isApiToken(bearer)) await authenticator.authenticate(bearer)
      throw new ProductError('Forbidden')
    }
    const customer = await admitCustomer(services, bearer, row, refuseUser)
    nameInLog(request, customer.customerId)
    admitted.set(request, { customer })
    return
  }
  if (isApiToken(bearer)) {
    const token = await admitToken(services.doors, bearer, named, from(new Date()))
    nameInLog(request, token.user.id)
    admitted.set(request, token)
    return
  }
  const caller = await authenticator.authenticate(bearer)
  nameInLog(request, caller.subject)
  if (row.needs === 'newcomer') {
    admitted.set(request, { caller })
    return
  }
  // Before the database is read: a caller above the limit costs nothing.
  counted(reply, 'user', `${caller.issuer} ${caller.subject}`)
  const user = await resolvePrincipal(services.doors, caller, services.config)
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
  const who: Partial<UserCall> & { customer?: CustomerPrincipal; kiosk?: AdmittedKiosk['kiosk']; scope?: Scope } = {
    ...admitted.get(request),
  }
  const call = { ...services, ...input, ...who, now: new Date(), request, reply }
  const { customer, scope } = call
  if (scope) return services.doors.withTenant(scope, (db) => handler({ ...call, db } as typeof call), 'read')
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
