import { createStore, del, entries, get, set } from 'idb-keyval'
import type { BrokenRule } from '#contract/frame/broken.ts'
import type { NewVisit, VisitPlan } from '#contract/stock/visit.ts'
import { noteKeptVisits } from '#portal/app/keptVisits.ts'

/** A visit on this phone that the server does not have yet. */
export interface KeptVisit {
  id: string
  merchantId: string
  posId: string
  posName: string
  /** Who made it; another user of this phone does not send it. */
  userId: string
  body: NewVisit
  /** Milliseconds since 1970. */
  keptAt: number
  /** Why the server refused it; the user must change it. */
  refused: { code: string; fields: Record<string, BrokenRule>; facts: Record<string, unknown> } | null
}

/** What was read of a machine while there was a connection. */
export interface KeptPlan {
  plan: VisitPlan
  userId: string
  /** The server's clock minus the phone's, in milliseconds. */
  clockOffset: number
  readAt: number
}

const visits = createStore('gettone-visits', 'visits')
const plans = createStore('gettone-visit-plans', 'plans')

const listeners = new Set<() => void>()
let cachedVisits: readonly KeptVisit[] = []

/** Reads the kept visits, and updates the screens. */
async function reread(): Promise<void> {
  const all = await entries<string, KeptVisit>(visits)
  cachedVisits = all.map(([, visit]) => visit).sort((one, other) => one.keptAt - other.keptAt)
  noteKeptVisits(cachedVisits.length)
  for (const listener of listeners) listener()
}

export const visitStore = {
  /** The visits that are kept, oldest first, as last read. */
  known: () => cachedVisits,
  subscribe(listener: () => void) {
    listeners.add(listener)
    void reread().catch(() => undefined)
    return () => {
      listeners.delete(listener)
    }
  },
  reread,
  async keep(visit: KeptVisit): Promise<void> {
    await set(visit.id, visit, visits)
    await reread()
  },
  async remove(id: string): Promise<void> {
    await del(id, visits)
    await reread()
  },
  find: (id: string) => get<KeptVisit>(id, visits),
  keepPlan: (keptPlan: KeptPlan) => set(keptPlan.plan.posId, keptPlan, plans),
  findPlan: (posId: string) => get<KeptPlan>(posId, plans),
}
