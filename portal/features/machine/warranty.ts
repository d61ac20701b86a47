import { addDays, dayIn } from '#domain/period.ts'

/** A warranty that ends within so many days is worth a word. */
const soonDays = 60

/** How a warranty stands today in a zone: valid through its last day. */
export function warrantyOf(until: string | null, now: Date, timeZone: string) {
  if (!until) return undefined
  const today = dayIn(now, timeZone)
  const state = until < today ? 'ended' : until <= addDays(today, soonDays) ? 'ending' : 'valid'
  return { until, state } as const
}
