import { createStore, del, entries, get, set } from 'idb-keyval'
import { noteKeptVisits } from '#portal/app/keptVisits.ts'
import type { KeptStep, KeptVisit } from './steps.ts'

/** Its name is from a time when only visits were kept; what waits in it is not lost by an update. */
const store = createStore('gettone-visits', 'visits')

const listeners = new Set<() => void>()
let cached: readonly KeptStep[] = []

/** An older version has kept visits without a kind. */
const withKind = (step: KeptStep): KeptStep => (step.kind ? step : { ...(step as KeptVisit), kind: 'visit' })

/** Steps in order of time. */
const read = async (): Promise<KeptStep[]> =>
  (await entries<string, KeptStep>(store))
    .map(([, step]) => withKind(step))
    .sort((one, other) => one.keptAt - other.keptAt)

/** Reads the kept steps, and updates the screens. */
async function reread(): Promise<void> {
  cached = await read()
  noteKeptVisits(cached.length)
  for (const listener of listeners) listener()
}

/** The steps of a round, and visits outside of rounds, that wait on this phone. */
export const outbox = {
  /** Oldest first, as last read. */
  known: () => cached,
  subscribe(listener: () => void) {
    listeners.add(listener)
    void reread().catch(() => undefined)
    return () => {
      listeners.delete(listener)
    }
  },
  reread,
  /** Keeps a step, or another content of it; that stays in its place. */
  async keep(step: KeptStep): Promise<void> {
    const steps = await read()
    const before = steps.find(({ id }) => id === step.id)
    const last = steps.at(-1)?.keptAt ?? 0
    await set(step.id, { ...step, keptAt: before?.keptAt ?? Math.max(step.keptAt, last + 1) }, store)
    await reread()
  },
  async remove(id: string): Promise<void> {
    await del(id, store)
    await reread()
  },
  async find(id: string): Promise<KeptStep | undefined> {
    const step = await get<KeptStep>(id, store)
    return step && withKind(step)
  },
}
