import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { endpoints } from '#contract/endpoints.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { missingId } from '#contract/frame/ids.ts'
import { tokenPrefix } from '#contract/merchants/api-token.ts'
import { nounsTaken } from './reach.ts'

/** The part of an OpenAPI 3.1 document to which this file adds. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas?: Record<string, unknown> }
}
interface Operation {
  operationId?: string
  security?: unknown[]
  responses: Record<string, unknown>
}

/** Documents every row of the contract at /api/openapi.json, with a page at /api/docs. Call it before the rows are registered. */
export async function registerOpenApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Gettone', version, description: 'Cloud portal for operators of vending machines.' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          apiToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: `${tokenPrefix}…`,
            description:
              'API token of a merchant. It opens the calls of its scopes at that merchant; the scope of a call is named beside it.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    // A self-contained page: no validator of another site, no upgrade to TLS. Its elements have inline styles.
    transformStaticCSP: () =>
      "default-src 'self'; base-uri 'none'; font-src 'self' data:; img-src 'self' data:; object-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'self'",
    transformSpecification: (document) => withAnswers(document),
    theme: { title: 'Gettone API' },
    uiConfig: { validatorUrl: null },
  })
  app.get('/api/openapi.json', { schema: { hide: true }, config: { isQuiet: true } }, async () =>
    withAnswers(structuredClone(app.swagger())),
  )
}

/** Answers that any endpoint may give beside those of its row. */
const always = (row: AnyEndpoint): ErrorCode[] => [
  'ValidationFailed',
  'Internal',
  'ServiceUnavailable',
  ...(row.needs === 'anyone' ? [] : (['Unauthorized', 'UnauthorizedUserException', 'Forbidden'] as const)),
  ...(row.path.includes('{merchantId}') ? (['MerchantNotFoundException', 'GroupNotFound'] as const) : []),
  ...(row.needs !== 'anyone' || row.limit ? (['TooManyRequests'] as const) : []),
  ...(row.feature ? (['FeatureNotEnabled'] as const) : []),
  ...[...nounsTaken(row)].map((noun) => missingId[noun]),
  ...(row.body ? (['BadRequest', 'PayloadTooLarge', 'UnsupportedMediaType'] as const) : []),
]

const problem = {
  type: 'object',
  description: 'RFC 9457. `code` identifies the error.',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(errors) },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      description: 'Fields that are not valid, with the reason.',
      items: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
          rule: { type: 'string', description: 'Key of the rule’s message in every language' },
          values: { type: 'object', description: 'Values of the message' },
        },
      },
    },
    facts: {
      type: 'object',
      description: 'Values of the message, such as the current record or the new number of rows.',
    },
  },
}

/** Adds to each operation what rows define and schemas lack: answers without a body, streams, and problems by their codes. */
function withAnswers<Library extends object>(made: Library): Library {
  // Cast: the document is JSON of the OpenAPI schema; its library has a wider type.
  const document = made as unknown as OpenApiDocument
  document.components.schemas = { ...document.components.schemas, Problem: problem }
  const rows: Readonly<Record<string, AnyEndpoint>> = endpoints
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const row = rows[operation.operationId ?? '']
    if (!row) continue
    operation.security ??= []
    if (!row.ok) operation.responses = { [row.status]: bodiless(row) }
    const codes = [...new Set([...row.fails, ...always(row)])]
    for (const [status, these] of Map.groupBy(codes, (code) => errors[code])) {
      const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: these } } }] }
      operation.responses[status] = {
        description: these.join(', '),
        content: { 'application/problem+json': { schema } },
      }
    }
  }
  return made
}

const bodiless = ({ produces }: AnyEndpoint) =>
  produces ? { description: 'File', content: { [produces]: { schema: { type: 'string' } } } } : { description: 'Done' }
