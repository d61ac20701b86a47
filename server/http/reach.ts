import type { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { type IdName, missingId, nounOfId } from '#contract/frame/ids.ts'
import { isLookedUp, type NamedIds, outOfReach } from '#database/frame/reach.ts'
import type { TenantDb } from '#database/frame/tenant.ts'

/**
 * The places of ids in a schema: here, in an object's fields by name, or in the values of a record. Lists count as their
 * items.
 */
interface Places {
  noun: IdName | undefined
  fields: ReadonlyMap<string, Places>
  values: Places | undefined
}

// zod has a type for each kind of schema; this interface has the common properties.
interface Definition {
  type: string
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  innerType?: z.ZodType
  valueType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  options?: readonly z.ZodType[]
}

const nothing: Places = { noun: undefined, fields: new Map(), values: undefined }
const read = new WeakMap<z.ZodType, Places | undefined>()

/** The places of ids that the frame looks up; undefined without any. */
export function placesOf(schema: z.ZodType | undefined): Places | undefined {
  if (!schema) return undefined
  if (!read.has(schema)) read.set(schema, readPlaces(schema))
  return read.get(schema)
}

function readPlaces(schema: z.ZodType): Places | undefined {
  const noun = nounOfId(schema)
  if (noun) return isLookedUp(noun) ? { noun, fields: new Map(), values: undefined } : undefined
  const { type, shape, element, innerType, valueType, in: input, out, options = [] } = schema.def as Definition
  if (type === 'object' && shape) {
    const fields = Object.entries(shape).flatMap(([name, field]) => {
      const places = placesOf(field)
      return places ? [[name, places] as const] : []
    })
    return fields.length > 0 ? { noun: undefined, fields: new Map(fields), values: undefined } : undefined
  }
  // Recursive schemas are free JSON without declared fields.
  if (type === 'lazy') return undefined
  const values = placesOf(valueType)
  const parts = [element, innerType, input, out, ...options].map(placesOf)
  return merged([...parts, values && { noun: undefined, fields: new Map<string, Places>(), values }])
}

/** Merges the places of several variants of a value. */
function merged(all: readonly (Places | undefined)[]): Places | undefined {
  const reached = all.filter((places) => places !== undefined)
  if (reached.length < 2) return reached[0]
  const nouns = new Set(reached.flatMap(({ noun }) => noun ?? []))
  if (nouns.size > 1) throw new Error(`An id is of ${[...nouns].join(' and of ')}.`)
  const names = new Set(reached.flatMap(({ fields }) => [...fields.keys()]))
  const fields = [...names].map((name) => [name, merged(reached.map((one) => one.fields.get(name)))] as const)
  return {
    noun: [...nouns][0],
    fields: new Map(fields.flatMap(([name, places]) => (places ? [[name, places] as const] : []))),
    values: merged(reached.map(({ values }) => values)),
  }
}

const nounsWithin = ({ noun, fields, values }: Places): IdName[] => [
  ...(noun ? [noun] : []),
  ...[...fields.values(), ...(values ? [values] : [])].flatMap(nounsWithin),
]

/** Nouns of the ids in a row that the frame looks up. */
export const nounsTaken = ({ params, query, body }: AnyEndpoint): Set<IdName> =>
  new Set([params, query, body].flatMap((schema) => nounsWithin(placesOf(schema) ?? nothing)))

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function gather(value: unknown, { noun, fields, values }: Places, named: Map<IdName, Set<string>>): void {
  if (Array.isArray(value)) for (const each of value) gather(each, { noun, fields, values }, named)
  else if (typeof value === 'string' && noun) named.set(noun, (named.get(noun) ?? new Set()).add(value.toLowerCase()))
  else if (isRecord(value)) {
    for (const [name, places] of fields) gather(value[name], places, named)
    if (values) for (const each of Object.values(value)) gather(each, values, named)
  }
}

/** The ids in a value, by their nouns. */
export function idsNamed(schema: z.ZodType | undefined, value: unknown): Map<IdName, Set<string>> {
  const named = new Map<IdName, Set<string>>()
  const places = placesOf(schema)
  if (places) gather(value, places, named)
  return named
}

/** The ids in a call that the frame looks up: all except the path's merchant and ids that the handler looks up itself. */
export function idsOfCall(
  row: AnyEndpoint,
): ((call: { params: unknown; query: unknown; body: unknown }) => NamedIds) | undefined {
  const isOurs = (name: string) => name !== 'merchantId' && !row.finds.includes(name)
  const params = placesOf(row.params)
  const inPath = params && { ...params, fields: new Map([...params.fields].filter(([name]) => isOurs(name))) }
  const query = placesOf(row.query)
  const body = placesOf(row.body)
  if (!inPath?.fields.size && !query && !body) return undefined
  return (call) => {
    const named = new Map<IdName, Set<string>>()
    if (inPath) gather(call.params, inPath, named)
    if (query) gather(call.query, query, named)
    if (body) gather(call.body, body, named)
    return named
  }
}

/** The records that a path names, in its order, beside its merchant. */
export function recordsInPath(row: AnyEndpoint): (params: Readonly<Record<string, string>>) => [IdName, string][] {
  const nouns = [...row.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => {
    const noun = placesOf(row.params)?.fields.get(name)?.noun
    return name === 'merchantId' || noun === undefined ? [] : [[name, noun] as const]
  })
  return (params) => nouns.map(([name, noun]) => [noun, params[name] as string])
}

/** Throws the code of the first noun with an id that does not exist or is out of scope. */
export async function refuseOutOfReach(db: TenantDb, named: NamedIds): Promise<void> {
  const noun = await outOfReach(db, named)
  if (noun) throw new ProductError(missingId[noun])
}
