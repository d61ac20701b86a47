import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProductError } from '#contract/errors.ts'
import { createCallLimit } from '../http/call-limit.ts'
import type { Services } from '../http/handler.ts'
import { publicOriginOf } from '../http/origin.ts'
import { admitDirectory, type DirectoryCall, userOf } from './directory.ts'
import { getScimGroup, listScimGroups, patchScimGroup, replaceScimGroup } from './groups.ts'
import { errorBody, mostOperations, mostPerPage, ScimError, scimErrorOf } from './messages.ts'
import { resourceTypes, schemas } from './schemas.ts'
import {
  createScimUser,
  deleteScimUser,
  listScimUsers,
  patchScimUser,
  presentScimUser,
  replaceScimUser,
} from './users.ts'

export const scimPath = '/scim/v2'
const longestBody = 256 * 1024
const contentType = 'application/scim+json; charset=utf-8'

const serviceProvider = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: longestBody },
  filter: { supported: true, maxResults: mostPerPage },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API token',
      description: `Up to ${mostOperations} operations of a PATCH`,
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const idOf = (request: FastifyRequest) => (request.params as { id: string }).id
const queryOf = (request: FastifyRequest) => request.query as Record<string, unknown>

/** SCIM 2.0 (RFC 7643, RFC 7644) for a merchant's directory, by an API token with the permission to provision users. */
export function registerScim(app: FastifyInstance, services: Services): void {
  const { TOKEN_CALLS: token, USER_CALLS: user } = services.config
  const counted = createCallLimit({ token, user })
  const baseOf = (request: FastifyRequest) => publicOriginOf(services.config, request) + scimPath

  /** An answer as JSON of the standard; none is 204. */
  const answer = (reply: FastifyReply, body: object | undefined, status = 200) =>
    body === undefined ? reply.code(204).send() : reply.code(status).type(contentType).send(JSON.stringify(body))

  const refuse = (reply: FastifyReply, error: ScimError) => answer(reply, errorBody(error), error.status)

  app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true } as typeof route.schema
    })
    scope.removeAllContentTypeParsers()
    for (const type of ['application/json', 'application/scim+json'])
      scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit: longestBody }, (_request, text, done) => {
        try {
          if (String(text).includes('\\u0000')) throw new SyntaxError('NUL')
          done(null, JSON.parse(String(text)))
        } catch {
          done(new ScimError(400, 'invalidSyntax', 'The body is no JSON'))
        }
      })
    scope.setErrorHandler((error, request, reply) => {
      if (error instanceof ScimError) return refuse(reply, error)
      if (error instanceof ProductError) return refuse(reply, scimErrorOf(error))
      const status = (error as { statusCode?: number }).statusCode ?? 500
      if (status >= 500) request.log.error({ err: error }, 'A call of a directory failed')
      return refuse(reply, new ScimError(status, undefined, status >= 500 ? 'InternalError' : 'BadRequest'))
    })

    /** A route for an admitted directory. It is admitted before its body is read. */
    const calls = new WeakMap<FastifyRequest, DirectoryCall>()
    scope.addHook('onRequest', async (request, reply) => {
      calls.set(request, await admitDirectory(services, request, reply, counted))
    })
    const on = (
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path: string,
      work: (call: DirectoryCall, request: FastifyRequest, base: string) => Promise<object | undefined | void> | object,
      status = 200,
    ) =>
      scope.route({
        method,
        url: scimPath + path,
        handler: async (request, reply) => {
          const base = baseOf(request)
          const body = (await work(calls.get(request) as DirectoryCall, request, base)) ?? undefined
          const { version, location } =
            (body as { meta?: { version?: string; location?: string } } | undefined)?.meta ?? {}
          if (version) reply.header('etag', version)
          if (status === 201 && location) reply.header('location', location)
          return answer(reply, body, status)
        },
      })

    on('GET', '/ServiceProviderConfig', (_call, _request, base) => serviceProvider(base))
    on('GET', '/ResourceTypes', (_call, _request, base) => resourceTypes(base))
    on('GET', '/Schemas', (_call, _request, base) => schemas(base))
    on('GET', '/Users', (call, request, base) => listScimUsers(call, queryOf(request), base))
    on('POST', '/Users', (call, request, base) => createScimUser(call, request.body, base), 201)
    on('GET', '/Users/:id', async (call, request, base) =>
      presentScimUser(call, await userOf(call, idOf(request)), base),
    )
    on('PUT', '/Users/:id', (call, request, base) => replaceScimUser(call, idOf(request), request.body, base))
    on('PATCH', '/Users/:id', (call, request, base) => patchScimUser(call, idOf(request), request.body, base))
    on('DELETE', '/Users/:id', (call, request) => deleteScimUser(call, idOf(request)))
    on('GET', '/Groups', (call, request, base) => listScimGroups(call, queryOf(request), base))
    on('POST', '/Groups', () => {
      throw new ScimError(403, 'mutability', 'Groups are created in the portal')
    })
    on('GET', '/Groups/:id', (call, request, base) => getScimGroup(call, idOf(request), queryOf(request), base))
    on('PUT', '/Groups/:id', (call, request, base) => replaceScimGroup(call, idOf(request), request.body, base))
    on('PATCH', '/Groups/:id', (call, request) => patchScimGroup(call, idOf(request), request.body))
    on('DELETE', '/Groups/:id', () => {
      throw new ScimError(403, 'mutability', 'Groups are deleted in the portal')
    })
  })
}
