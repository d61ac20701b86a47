import type { MachineItem } from './works/item-writer.ts'

/** Items that the gateway has not confirmed as stored. They are sent again until it has. */
export interface Journal {
  add(machineItem: MachineItem): void
  /** All items up to and including this number are stored. */
  commit(seq: number): void
  /** Marks items to be sent again, from and to included. */
  resend(from: number, to: number): void
  /** Items to send now. They count as sent until `resend`, `resendAll` or the time-out. */
  take(now: number): MachineItem[]
  /** After a broken connection no item counts as sent. */
  resendAll(): void
  /** All unconfirmed items, in order. */
  pending(): MachineItem[]
  size(): number
}

/** An item without an answer for this long is sent again. */
const patienceMs = 20_000

export function openJournal(initial: readonly MachineItem[]): Journal {
  const items = new Map<number, { machineItem: MachineItem; sentAt: number | null }>()
  for (const machineItem of initial) items.set(machineItem.seq, { machineItem, sentAt: null })
  return {
    add: (machineItem) => void items.set(machineItem.seq, { machineItem, sentAt: null }),
    commit(seq) {
      for (const itemSeq of items.keys()) if (itemSeq <= seq) items.delete(itemSeq)
    },
    resend(from, to) {
      for (const [seq, item] of items) if (seq >= from && seq <= to) item.sentAt = null
    },
    resendAll() {
      for (const item of items.values()) item.sentAt = null
    },
    take(now) {
      const due: MachineItem[] = []
      for (const item of items.values()) {
        if (item.sentAt !== null && now - item.sentAt < patienceMs) continue
        item.sentAt = now
        due.push(item.machineItem)
      }
      return due
    },
    pending: () => [...items.values()].map(({ machineItem }) => machineItem),
    size: () => items.size,
  }
}
