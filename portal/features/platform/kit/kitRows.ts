import { QueryClient, type QueryClientConfig } from '@tanstack/react-query'
import { z } from 'zod'
import { exports } from '#contract/export/export.ts'
import { endpoint } from '#contract/frame/endpoint.ts'
import { MinorUnits, paged, pageOf, Search } from '#contract/frame/shapes.ts'
import { contains } from '#domain/frame/folded.ts'
import { ApiError } from '#portal/app/apiError.ts'
import type { RowEdit, RowOutcome } from '#portal/ui/grid/types.ts'
import { kitExports } from './kitExports.ts'

export const kitStates = ['rows', 'loading', 'empty', 'noMatch', 'error'] as const
export type KitState = (typeof kitStates)[number]

const KitRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  state: z.enum(['blocked', 'silent', 'warning', 'selling']),
  at: z.string(),
  sold: z.int(),
  taken: MinorUnits,
  currency: z.enum(['EUR', 'GBP']),
})
export type KitRow = z.infer<typeof KitRow>

/** Has the shape of an API list; the page itself answers it. */
export const kitRows = endpoint({
  method: 'GET',
  path: '/kit/rows',
  summary: 'Rows of the kit',
  needs: 'profile.read',
  query: z.strictObject({ ...paged(['name', 'sold']), search: Search.optional() }),
  ok: pageOf(KitRow),
})

export const rowStates = KitRow.shape.state.options
const rows: KitRow[] = Array.from({ length: 45 }, (_, index) => ({
  id: `row-${index + 1}`,
  name: `Vitro ${String(index + 1).padStart(2, '0')}`,
  state: rowStates[index % rowStates.length] ?? 'selling',
  at: new Date(Date.UTC(2026, 10, 21, 9) - index * 4_000_000).toISOString().slice(0, -1),
  sold: (index * 7919) % 20_000,
  taken: (index * 104_729) % 900_000,
  currency: index % 5 === 0 ? 'GBP' : 'EUR',
}))

interface KitQuery {
  page: number
  size: number
  ord?: 'name' | 'sold'
  ordType?: 'ASC' | 'DESC'
  search?: string
}

/** A page of the rows, in the format of an endpoint. */
function pageOfKit({ page, size, ord = 'name', ordType, search = '' }: KitQuery) {
  const matches = rows
    .filter(({ name }) => contains(name, search))
    .sort((a, b) => (ord === 'sold' ? a.sold - b.sold : a.name.localeCompare(b.name)))
  if (ordType === 'DESC') matches.reverse()
  return { items: matches.slice((page - 1) * size, page * size), total: matches.length, capped: false }
}

const changedByOthers = new Set<string>()

/**
 * Saves rows like a server. The state of a row sets its result: a blocked row is refused, a silent row was changed by
 * another user, and a row with a warning loses the connection.
 */
export function saveKitRows(edits: readonly RowEdit<KitRow>[], refusal: string): Promise<RowOutcome<KitRow>[]> {
  if (edits.some(({ row }) => row.state === 'warning')) return Promise.reject(new ApiError('Unreachable'))
  return Promise.resolve(
    edits.map(({ row, values }): RowOutcome<KitRow> => {
      if (row.state === 'blocked')
        return { kind: 'refused', column: Object.keys(values)[0] ?? 'name', sentence: refusal }
      const index = rows.findIndex(({ id }) => id === row.id)
      if (row.state === 'silent' && !changedByOthers.has(row.id)) {
        changedByOthers.add(row.id)
        rows[index] = { ...row, name: `${row.name} b`, sold: row.sold + 1 }
        return { kind: 'conflict', current: rows[index], by: 'Anna Bianchi', at: '2026-11-21T08:00:00.000' }
      }
      rows[index] = { ...row, ...values }
      return { kind: 'saved', row: rows[index] }
    }),
  )
}

function answerOf(state: KitState, query: KitQuery): Promise<unknown> {
  if (state === 'loading') return new Promise(() => undefined)
  if (state === 'error') return Promise.reject(new ApiError('ServiceUnavailable', 503))
  return Promise.resolve(state === 'empty' ? { items: [], total: 0, capped: false } : pageOfKit(query))
}

type Params = { exportId?: string }

/** A client whose list, in the requested state, and exports are answered in the page; other requests use the API. */
export class KitClient extends QueryClient {
  readonly #state: KitState
  constructor(state: KitState, config?: QueryClientConfig) {
    super(config)
    this.#state = state
  }
  override defaultQueryOptions: QueryClient['defaultQueryOptions'] = (options) => {
    const made = super.defaultQueryOptions(options)
    const key: readonly unknown[] = made.queryKey ?? []
    const isChart = key[0] === 'chart'
    const [path, { exportId } = {}, query] = (isChart ? key.slice(1) : key) as [string, Params | undefined, KitQuery]
    const answers: Readonly<Record<string, () => unknown>> = {
      [kitRows.path]: () =>
        isChart ? pageOfKit({ ...query, page: 1, size: rows.length }).items : answerOf(this.#state, query),
      [exports.listExports.path]: () => kitExports,
      [exports.getExport.path]: () => kitExports.find(({ id }) => id === exportId),
    }
    const answer = answers[path]
    // Cast: the answer is that of the row with this path.
    if (answer) made.queryFn = () => answer() as never
    return made
  }
}
