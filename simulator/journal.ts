import type { Happening } from './works/telling.ts'

/** Items that are not yet known to be stored; they are sent again until they are. */
export interface Journal {
  add(happening: Happening): void
  /** Everything up to and with this number is stored. */
  commit(seq: number): void
  /** These must be sent again, from and to included. */
  askAgain(from: number, to: number): void
  /** What is to be sent now; taken as sent until `askAgain`, `askAllAgain` or the time-out. */
  take(now: number): Happening[]
  /** After a break nothing can be taken as sent. */
  askAllAgain(): void
  /** All that is not known to be stored, in order. */
  pending(): Happening[]
  size(): number
}

/** Without an answer for this long an item is sent again. */
const patienceMs = 20_000

export function openJournal(initial: readonly Happening[]): Journal {
  const items = new Map<number, { happening: Happening; sentAt: number | null }>()
  for (const happening of initial) items.set(happening.seq, { happening, sentAt: null })
  return {
    add: (happening) => void items.set(happening.seq, { happening, sentAt: null }),
    commit(seq) {
      for (const known of items.keys()) if (known <= seq) items.delete(known)
    },
    askAgain(from, to) {
      for (const [seq, item] of items) if (seq >= from && seq <= to) item.sentAt = null
    },
    askAllAgain() {
      for (const item of items.values()) item.sentAt = null
    },
    take(now) {
      const due: Happening[] = []
      for (const item of items.values()) {
        if (item.sentAt !== null && now - item.sentAt < patienceMs) continue
        item.sentAt = now
        due.push(item.happening)
      }
      return due
    },
    pending: () => [...items.values()].map(({ happening }) => happening),
    size: () => items.size,
  }
}
