import { z } from 'zod'
import { endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { scopeOfCall } from '#contract/merchants/token-scope.ts'
import { webhookData } from '#contract/merchants/webhook-event.ts'
import type { JsonSchema } from './schema-type.ts'

/** A call that integrations make with an API token. */
export interface PublicCall {
  /** Left out where it is GET. */
  method?: string
  path: string
  summary: string
  /** The content type of an answer that is a file. */
  produces?: string
  /** The body of a change; a content type where it is a file. */
  body?: JsonSchema
  takes?: string
  query: Record<string, JsonSchema>
  requiredQuery: string[]
  answer: JsonSchema | null
}

/** What integrations see: the calls of API tokens, and the facts of each event of webhooks. */
export interface PublicApi {
  calls: Record<string, PublicCall>
  events: Record<string, JsonSchema>
}

const json = (schema: z.ZodType, io: 'input' | 'output') =>
  bare(z.toJSONSchema(schema, { io, unrepresentable: 'any', cycles: 'ref' }) as JsonSchema)

const eachOf = (fields: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, bare(field)]))

/** A schema without what changes no type: patterns, lengths, descriptions. */
function bare(schema: JsonSchema): JsonSchema {
  const { type, const: value, enum: values, anyOf, oneOf, allOf, properties, required, additionalProperties } = schema
  const { items, prefixItems } = schema
  return {
    ...(type !== undefined && { type }),
    ...(value !== undefined && { const: value }),
    ...(values && { enum: values }),
    ...(anyOf && { anyOf: anyOf.map(bare) }),
    ...(oneOf && { oneOf: oneOf.map(bare) }),
    ...(allOf && { allOf: allOf.map(bare) }),
    ...(properties && { properties: eachOf(properties) }),
    ...(required && { required }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: bare(additionalProperties) }),
    ...(items && { items: bare(items) }),
    ...(prefixItems && { prefixItems: prefixItems.map(bare) }),
  }
}

const isOpen = ({ type, enum: values, anyOf, oneOf }: JsonSchema) => !type && !values && !anyOf && !oneOf

/** A filter as a caller writes it: what is read of it, or, where the contract cannot say that, what it takes. */
function filterOf(output: JsonSchema | undefined, input: JsonSchema | undefined): JsonSchema {
  const isFlag = [...(input?.enum ?? [])].sort().join() === 'false,true'
  if (isFlag) return { type: 'boolean' }
  if (output && !isOpen(output)) return output
  return input && !isOpen(input) ? input : { type: ['string', 'number', 'boolean'] }
}

function callOf(row: AnyEndpoint): PublicCall {
  const output = row.query ? json(row.query, 'output') : {}
  const input = row.query ? json(row.query, 'input') : {}
  const names = Object.keys({ ...input.properties, ...output.properties })
  return {
    ...(row.method !== 'GET' && { method: row.method }),
    path: row.path,
    summary: row.summary,
    ...(row.body && { body: json(row.body, 'input') }),
    ...(row.takes !== undefined && { takes: row.takes }),
    ...(row.produces !== undefined && { produces: row.produces }),
    query: Object.fromEntries(
      names.map((name) => [name, filterOf(output.properties?.[name], input.properties?.[name])]),
    ),
    requiredQuery: input.required ?? [],
    answer: row.ok ? json(row.ok, 'output') : null,
  }
}

/** The public API as text, with a line for each call and event. */
export function textOfApi(version: string, { calls, events }: PublicApi): string {
  const lines = (entries: object) =>
    Object.entries(entries)
      .map(([name, value]) => `      ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n')
  return `{
  "version": ${JSON.stringify(version)},
  "api": {
    "calls": {
${lines(calls)}
    },
    "events": {
${lines(events)}
    }
  }
}
`
}

/** The public API of the contract, by names in their order. */
export function publicApi(): PublicApi {
  const rows = Object.entries<AnyEndpoint>(endpoints)
    .filter(([name, row]) => scopeOfCall(name) && row.produces !== 'text/event-stream')
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    calls: Object.fromEntries(rows.map(([name, row]) => [name, callOf(row)])),
    events: Object.fromEntries(Object.entries(webhookData).map(([event, schema]) => [event, json(schema, 'output')])),
  }
}
