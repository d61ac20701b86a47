import type { z } from 'zod'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import { isOfCustomer } from '#contract/frame/endpoint.ts'
import { type IdName, nounOfId } from '#contract/frame/ids.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { AnyInput, TestUser } from '../api.ts'
import { samples } from './access-samples.ts'
import type { Aim } from './aim.ts'
import { may, rowOf } from './trial.ts'

/** A call that reads. */
export interface Read {
  name: EndpointName
  /** What is special in the call, such as its order. */
  what: string
  user: TestUser
  input: AnyInput
}

type Definition = {
  type: string
  format?: string
  in?: z.ZodType
  out?: z.ZodType
  innerType?: z.ZodType
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  values?: unknown[]
  entries?: Record<string, unknown>
}
const definitionOf = (schema: z.ZodType) => schema.def as unknown as Definition

/** Values that a filter may have: each of few choices, an id of the aim, a text. */
function valuesOf(schema: z.ZodType, aim: Aim): unknown[] {
  const { type, format, in: before, out, innerType, element, options = [], values, entries } = definitionOf(schema)
  if (type === 'string' && (format === 'uuid' || format === 'guid')) {
    const noun = nounOfId(schema)
    return noun ? [aim[noun as IdName]] : []
  }
  if (type === 'string') return format === undefined ? ['e'] : []
  if (type === 'boolean') return [true, false]
  if (type === 'number' || type === 'int') return [1]
  if (type === 'literal') return values ?? []
  if (type === 'enum') return Object.values(entries ?? {})
  if (type === 'union') return options.flatMap((option) => valuesOf(option, aim))
  if (type === 'array' && element) return valuesOf(element, aim).map((value) => [value])
  if (type === 'pipe') return [before, out].flatMap((one) => (one ? valuesOf(one, aim) : []))
  return innerType ? valuesOf(innerType, aim) : []
}

const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> => {
  if (!schema) return {}
  const { shape, in: before, innerType } = definitionOf(schema)
  return shape ?? shapeOf(before ?? innerType)
}

/** Kept in each call: without them a call is refused, or reads another amount. */
const isKept = (field: string) =>
  ['startDate', 'endDate', 'from', 'to', 'page', 'size', 'ord', 'ordType'].includes(field)

interface Query {
  kind: 'sample' | 'page' | 'filter'
  query: Record<string, unknown> | undefined
}

/** The queries of a row: its sample, without its filters, pages of each order, and with each filter alone. */
function queriesOf(name: EndpointName, aim: Aim): Query[] {
  const { query: schema } = rowOf(name)
  const sample = (samples[name].input(aim) as AnyInput).query as Record<string, unknown> | undefined
  const shape = shapeOf(schema)
  const isFit = (query: Record<string, unknown>) => schema?.safeParse(asText(query)).success ?? false
  const bare = Object.fromEntries(Object.entries(sample ?? {}).filter(([field]) => isKept(field)))
  const base = isFit(bare) ? bare : (sample ?? {})
  const paged = 'page' in shape && 'size' in shape
  const pages = paged
    ? [
        { page: 1, size: 2 },
        { page: 2, size: 3 },
      ]
    : [{}]
  const orders = shape.ord
    ? valuesOf(shape.ord, aim).flatMap((ord) =>
        (shape.ordType ? ['ASC', 'DESC'] : [undefined]).flatMap((ordType) =>
          pages.map((page) => ({ ...base, ord, ...(ordType && { ordType }), ...page })),
        ),
      )
    : pages.map((page) => ({ ...base, ...page }))
  const filters = Object.entries(shape)
    .filter(([field]) => !isKept(field))
    .flatMap(([field, value]) => valuesOf(value, aim).map((one) => ({ ...base, [field]: one })))
  const fit = (kind: Query['kind'], queries: readonly Record<string, unknown>[]): Query[] =>
    schema ? queries.filter(isFit).map((query) => ({ kind, query })) : []
  return [{ kind: 'sample', query: sample }, ...fit('page', [base, ...orders]), ...fit('filter', filters)]
}

/** The values of an address are texts. */
const asText = (query: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(query).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.map(String) : value === undefined ? undefined : String(value),
    ]),
  )

const isRead = (name: EndpointName) => rowOf(name).method === 'GET' && rowOf(name).timeOut !== 'stream'

/** All rows of the contract that read. */
export const readingRows = (Object.keys(endpoints) as EndpointName[]).filter(isRead)

/** A user, and whether they see several merchants. */
export interface Reader {
  user: TestUser
  seesSeveral: boolean
}

/** How many calls: some of each row, each order of its pages, or also each of its filters. */
export type Amount = 'some' | 'pages' | 'all'

const isAmong = (amount: Amount, seesSeveral: boolean, { kind }: Query, at: number) => {
  if (kind === 'sample') return seesSeveral || amount !== 'some'
  if (!seesSeveral) return false
  if (amount === 'some') return kind === 'page' && at % 12 === 2
  return kind === 'page' || amount === 'all'
}

/**
 * Calls that read, of each user who may: on the merchant of the aim, and on all merchants. Readers of several merchants also page through
 * the orders, and set filters.
 */
export const readsOf = (name: EndpointName, readers: readonly Reader[], aim: Aim, amount: Amount): Read[] => {
  const row = rowOf(name)
  if (isOfCustomer(row)) return []
  const input = samples[name].input(aim) as AnyInput
  const isOfMerchant = row.path.includes('{merchantId}')
  const queries = isOfMerchant ? queriesOf(name, aim) : []
  // A reader of everything, and one of some groups.
  const isTypical = ({ user }: Reader) => amount !== 'some' || user.role !== 'merchantAdmin'
  return readers
    .filter((reader) => may(reader.user.role, name) && isTypical(reader))
    .flatMap(({ user, seesSeveral }) => [
      ...(amount === 'some' && isOfMerchant ? [] : [{ name, what: 'one merchant', user, input }]),
      ...queries
        .filter((query, at) => isAmong(amount, seesSeveral, query, at))
        .map(({ kind, query }) => ({
          name,
          what: `all merchants, ${kind} ${JSON.stringify(query)}`,
          user,
          input: { ...input, params: { ...(input.params as object), merchantId: allMerchants }, query },
        })),
    ])
}
