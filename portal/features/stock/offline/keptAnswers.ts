import type { Query, QueryClient } from '@tanstack/react-query'
import { get, set } from 'idb-keyval'
import { users } from '#contract/people/user.ts'
import { rounds } from '#contract/stock/round.ts'
import { picking } from '#contract/warehouse/picking.ts'
import { stockPlaces } from '#contract/warehouse/stock-place.ts'
import { buildOfPage } from '#portal/app/newerBuild.ts'
import { answers } from './answerStore.ts'

/** At most so many, the newest first: rounds of some days, and their picking lists. */
const most = 40
const pauseMs = 400

interface KeptAnswer {
  key: readonly unknown[]
  data: unknown
  /** Milliseconds since 1970. */
  updatedAt: number
}
interface KeptAnswers {
  /** Another build may read them differently. */
  build: string | undefined
  list: KeptAnswer[]
}

const paths = [
  rounds.getRound,
  rounds.listRounds,
  picking.getRoundPicking,
  stockPlaces.listStockPlaces,
  users.listMyMerchants,
].map(({ path }) => path as string)

/** Whether an answer is needed on a round: of lists only the user's own rounds and the warehouses, not those of the office. */
export function isOfRound(key: readonly unknown[]): boolean {
  const [path, , query] = key as [string, unknown, Record<string, unknown> | undefined]
  if (path === rounds.listRounds.path) return query?.assigneeIds !== undefined && query.page === undefined
  if (path === stockPlaces.listStockPlaces.path) return String(query?.kinds) === 'warehouse'
  return paths.includes(path)
}

const isKept = ({ queryKey, state }: Query) => isOfRound(queryKey) && state.data !== undefined

/** Until the page goes: a round lasts longer than the cache keeps what no screen shows. */
const stayInMemory = (client: QueryClient) => {
  for (const path of paths) client.setQueryDefaults([path], { gcTime: Number.POSITIVE_INFINITY })
}

let stop: (() => void) | undefined

/** Keeps the answers that a round needs on the phone, now and as they change, until `stopKeeping`. */
export function keepAnswers(client: QueryClient, userId: string): void {
  if (stop) return
  stayInMemory(client)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const write = async () => {
    const list = client
      .getQueryCache()
      .findAll({ predicate: isKept })
      .map(({ queryKey, state }) => ({ key: queryKey, data: state.data, updatedAt: state.dataUpdatedAt }))
      .sort((one, other) => other.updatedAt - one.updatedAt)
      .slice(0, most)
    if (!isOver) await set(userId, { build: buildOfPage(), list } satisfies KeptAnswers, answers).catch(() => undefined)
  }
  const writeLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void write(), pauseMs)
  }
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && isOfRound(event.query.queryKey)) writeLater()
  })
  writeLater()
  stop = () => {
    isOver = true
    clearTimeout(timer)
    unsubscribe()
    stop = undefined
  }
}

/** The session has ended: what is still under way is not written. */
export const stopKeeping = (): void => stop?.()

/** Gives the screens what was kept of a user, with the time of each answer. */
export async function restoreAnswers(client: QueryClient, userId: string): Promise<void> {
  stayInMemory(client)
  const kept = await get<KeptAnswers>(userId, answers).catch(() => undefined)
  if (kept?.build !== buildOfPage()) return
  for (const { key, data, updatedAt } of kept?.list ?? [])
    if (client.getQueryData(key) === undefined) client.setQueryData(key, data, { updatedAt })
}
