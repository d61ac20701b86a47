import { z } from 'zod'
import type { Permission } from '../access.ts'
import type { ErrorCode } from '../errors.ts'
import type { Gate } from '../vocabulary/feature.ts'
import { type IdName, idNames, ids } from './ids.ts'
import type { Limit } from './limits.ts'
import type { LiveTopic } from './live.ts'

/** Names in braces of a path: `/merchants/{merchantId}/pos` has `merchantId`. */
export type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [K in Name]: string } & ParamsOf<Rest>
  : unknown

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Time-outs: `normal` calls 60 s, `large` calls 120 s; `stream` stays open. */
export type TimeOutClass = 'normal' | 'large' | 'stream'

/** A row; `needs` has no default, so a row without it does not compile. */
export interface Row<Path extends string, Query, Body, Ok> {
  method: Method
  path: Path
  summary: string
  /**
   * A permission of the access table; `anyone` for public calls; `newcomer` for every token of the identity
   * provider, also of unknown users: then there is no `user`, and the handler decides about access.
   */
  needs: Permission | 'anyone' | 'newcomer'
  /** A feature or service that the merchant needs; merchants without it are out of the call's scope, and a single one is refused as FeatureNotEnabled. */
  feature?: Gate
  /** The rate limit; above it the answer is TooManyRequests. The frame counts public calls by network, the handler any others. */
  limit?: Limit
  /** The live topics that refresh the answer. Without any, only time does. */
  topics?: readonly LiveTopic[]
  /** Schemas of path names that are not ids. */
  params?: Record<string, z.ZodType>
  /**
   * Ids of the path that the handler's own query finds within the scope, and answers as missing. The frame looks up all others. When
   * the path ends with an id, that one is the handler's unless said otherwise.
   */
  finds?: readonly (keyof ParamsOf<Path> & IdName)[]
  query?: Query
  body?: Body
  /** The answer's schema; without it the answer is 204. */
  ok?: Ok
  status?: 200 | 201 | 202
  /** Errors of its own; `feature` adds FeatureNotEnabled. */
  fails?: readonly ErrorCode[]
  timeOut?: TimeOutClass
  /** The longest body in bytes, where it is not 1 MiB. */
  longestBody?: number
  /** The content type of a file that is the body; it is stored before the handler runs (`server/http/upload.ts`). */
  takes?: string
  /** What is said of a body that is longer than the server takes, where the row has a word of its own for it. */
  tooLarge?: ErrorCode
  /** The response is the same for all users of one language: it carries an ETag, and a current copy gets 304. */
  isCacheable?: boolean
  /** The answer has a secret that gives access alone, such as a PIN, a token or a link with one; it is never compressed. */
  hasSecret?: boolean
  /** The answer's content type when it is not JSON; then `ok` is absent and the handler streams. */
  produces?: string
}

/** A row with its types: the handler's input, the client's input and the answer. */
export interface Endpoint<Params, QueryOut, QueryIn, BodyOut, BodyIn, Result> {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly needs: Permission | 'anyone' | 'newcomer'
  readonly feature: Gate | undefined
  readonly limit: Limit | undefined
  readonly topics: readonly LiveTopic[]
  readonly params: z.ZodType
  readonly finds: readonly string[]
  readonly query: z.ZodType | undefined
  readonly body: z.ZodType | undefined
  readonly ok: z.ZodType | undefined
  readonly status: number
  readonly fails: readonly ErrorCode[]
  readonly timeOut: TimeOutClass
  readonly longestBody: number | undefined
  readonly takes: string | undefined
  readonly tooLarge: ErrorCode
  readonly isCacheable: boolean
  readonly hasSecret: boolean
  readonly produces: string | undefined
  /** For types only; undefined at run time. */
  readonly types?: {
    params: Params
    queryOut: QueryOut
    queryIn: QueryIn
    bodyOut: BodyOut
    bodyIn: BodyIn
    result: Result
  }
}

export type AnyEndpoint = Endpoint<unknown, unknown, unknown, unknown, unknown, unknown>

type Out<T> = T extends z.ZodType ? z.output<T> : undefined
type In<T> = T extends z.ZodType ? z.input<T> : undefined

const isId = (name: string): name is IdName => (idNames as string[]).includes(name)

function paramOf(name: string, given: z.ZodType | undefined): z.ZodType {
  if (given) return given
  if (!isId(name)) throw new Error(`No schema says what {${name}} is.`)
  return ids[name]
}

/** Declares an endpoint. Path names are ids of their nouns unless `params` differs. */
export function endpoint<
  const Path extends string,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Ok extends z.ZodType | undefined = undefined,
>(row: Row<Path, Query, Body, Ok>): Endpoint<ParamsOf<Path>, Out<Query>, In<Query>, Out<Body>, In<Body>, Out<Ok>> {
  const names = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const params = z.strictObject(Object.fromEntries(names.map((name) => [name, paramOf(name, row.params?.[name])])))
  const last = /\{(\w+)\}$/.exec(row.path)?.[1]
  return {
    method: row.method,
    path: row.path,
    summary: row.summary,
    needs: row.needs,
    feature: row.feature,
    limit: row.limit,
    topics: row.topics ?? [],
    params,
    finds: row.finds ?? (last && last !== 'merchantId' ? [last] : []),
    query: row.query,
    body: row.body,
    ok: row.ok,
    status: row.status ?? (row.ok || row.produces ? 200 : 204),
    fails: [...(row.fails ?? []), ...(row.feature ? (['FeatureNotEnabled'] as const) : [])],
    timeOut: row.timeOut ?? 'normal',
    longestBody: row.longestBody,
    takes: row.takes,
    tooLarge: row.tooLarge ?? 'PayloadTooLarge',
    isCacheable: row.isCacheable ?? false,
    hasSecret: row.hasSecret ?? false,
    produces: row.produces,
  }
}

/** A row of the end customers' door: its handler gets the customer, and the tables of the customer's merchant. */
export interface OfCustomer {
  readonly door: 'customer'
}

/** Declares an endpoint that end customers call about themselves, and no one else. */
export function customerEndpoint<
  const Path extends string,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Ok extends z.ZodType | undefined = undefined,
>(
  row: Omit<Row<Path, Query, Body, Ok>, 'needs'>,
): Endpoint<ParamsOf<Path>, Out<Query>, In<Query>, Out<Body>, In<Body>, Out<Ok>> & OfCustomer {
  return { ...endpoint({ ...row, needs: 'customer.self' }), door: 'customer' }
}

/** Whether only end customers call a row. */
export const isOfCustomer = (row: AnyEndpoint): boolean => (row as Partial<OfCustomer>).door === 'customer'

/** A row of the wall displays' door: its handler gets the display, and the tables of its merchant or group. */
export interface OfKiosk {
  readonly door: 'kiosk'
}

/** Declares an endpoint that a wall display calls with the secret of its link, and no one else. */
export function kioskEndpoint<
  const Path extends string,
  Query extends z.ZodType | undefined = undefined,
  Ok extends z.ZodType | undefined = undefined,
>(
  row: Omit<Row<Path, Query, undefined, Ok>, 'needs' | 'method'>,
): Endpoint<ParamsOf<Path>, Out<Query>, In<Query>, undefined, undefined, Out<Ok>> & OfKiosk {
  return { ...endpoint({ ...row, method: 'GET', needs: 'kiosk.self' }), door: 'kiosk' }
}

/** Whether only wall displays call a row. */
export const isOfKiosk = (row: AnyEndpoint): boolean => (row as Partial<OfKiosk>).door === 'kiosk'

type Types<E> = E extends { types?: infer T } ? NonNullable<T> : never
/** The validated input of an endpoint's handler. */
export type HandlerInput<E> =
  Types<E> extends { params: infer P; queryOut: infer Q; bodyOut: infer B } ? { params: P; query: Q; body: B } : never
/** The client's view of the answer. */
export type ResultOf<E> = Types<E> extends { result: infer R } ? R : never
/** The client's input of a row whose types are not known: its schemas check it where it arrives. */
interface AnyInput {
  params?: object
  query?: object | undefined
  body?: object
}
/** The client's input; parts that an endpoint does not take are absent. */
export type ClientInput<E> =
  Types<E> extends { params: infer P; queryIn: infer Q; bodyIn: infer B }
    ? unknown extends B
      ? AnyInput
      : (unknown extends P ? { params?: undefined } : { params: P }) &
          (Q extends undefined
            ? { query?: undefined }
            : Record<string, never> extends Q
              ? { query?: Q }
              : { query: Q }) &
          ([B] extends [undefined] ? { body?: undefined } : { body: B })
    : never
