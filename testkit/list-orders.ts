import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { idNames } from '#contract/frame/ids.ts'
import type { ListTotal } from '#contract/frame/list-totals.ts'
import { samples } from './access/access-samples.ts'
import type { Aim } from './access/aim.ts'
import type { AnyInput, TestApi, TestUser } from './api.ts'

export interface SortedList {
  name: EndpointName
  ords: readonly string[]
}

const shapeOf = (query: unknown) => (query as { shape?: Record<string, unknown> } | undefined)?.shape
const optionsOf = (schema: unknown): readonly string[] => {
  const { options, unwrap } = schema as { options?: readonly string[]; unwrap?: () => unknown }
  return options ?? (unwrap ? optionsOf(unwrap.call(schema)) : [])
}

/** All lists of the contract that are sorted, with their orders. */
export const sortedLists: readonly SortedList[] = Object.entries(endpoints as unknown as Record<string, AnyEndpoint>)
  .filter(
    ([, row]) => row.method === 'GET' && shapeOf(row.query)?.ord && shapeOf(row.query)?.page && shapeOf(row.ok)?.items,
  )
  .map(([name, row]) => ({ name: name as EndpointName, ords: optionsOf(shapeOf(row.query)?.ord) }))

/** A call of a list without filters, or with the least of them that it takes. */
export function callOf(name: EndpointName, aim: Aim): AnyInput {
  const sample = samples[name].input(aim)
  const { query } = endpoints[name] as unknown as AnyEndpoint
  return query?.safeParse({}).success ? { params: sample.params } : sample
}

/** An aim at records that are there: `idOf` says a record of each noun. */
export const aimOf = (idOf: (name: string) => string): Aim =>
  Object.fromEntries(idNames.map((name) => [name, idOf(name)])) as unknown as Aim

type Row = Readonly<Record<string, unknown>>
export interface ListPage {
  items: readonly Row[]
  total: number
  totals?: ListTotal[]
}

/** A page of a list, as a user gets it. */
export async function pageOfList(
  api: TestApi,
  user: TestUser,
  name: EndpointName,
  call: AnyInput,
  order: { ord: string; ordType: 'ASC' | 'DESC'; page: number; size: number },
): Promise<ListPage> {
  const answer = await api.send(name, { ...call, query: { ...(call.query as object | undefined), ...order } }, user)
  if (answer.statusCode !== 200) throw new Error(`${name} ${order.ord} ${order.ordType}: ${answer.payload}`)
  return answer.json() as ListPage
}
