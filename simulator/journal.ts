import type { MachineItem } from './works/item-writer.ts'

/**
 * Items that the gateway has not confirmed as stored: they are sent again until it has. Confirmed items are kept for ten minutes, since a restored database may
 * lack them.
 */
export interface Journal {
  add(machineItem: MachineItem): void
  /** All items up to and including this number are stored. */
  commit(seq: number, now: number): void
  /** Marks items to be sent again, from and to included. */
  resend(from: number, to: number): void
  /** Items to send now. They count as sent until `resend`, `resendAll` or the time-out. */
  take(now: number): MachineItem[]
  /** After a broken connection no item counts as sent. */
  resendAll(): void
  /** All unconfirmed items, in order. */
  pending(): MachineItem[]
  /** The number of the oldest item, confirmed or not. */
  oldest(): number | undefined
  /** The number of unconfirmed items. */
  size(): number
}

/** An item without an answer for this long is sent again. */
const patienceMs = 20_000

/** A confirmed item is dropped when it is confirmed again after so long. While the gateway is away, none is. */
const keptMs = 600_000

interface Held {
  machineItem: MachineItem
  sentAt: number | null
  confirmedAt: number | null
}

export function openJournal(initial: readonly MachineItem[]): Journal {
  const items = new Map<number, Held>()
  const add = (machineItem: MachineItem) =>
    void items.set(machineItem.seq, { machineItem, sentAt: null, confirmedAt: null })
  const unconfirmed = () => [...items.values()].filter(({ confirmedAt }) => confirmedAt === null)
  initial.forEach(add)
  return {
    add,
    commit(seq, now) {
      for (const [itemSeq, item] of items) {
        if (itemSeq > seq) continue
        item.confirmedAt ??= now
        if (now - item.confirmedAt >= keptMs) items.delete(itemSeq)
      }
    },
    resend(from, to) {
      for (const [seq, item] of items)
        if (seq >= from && seq <= to) {
          item.sentAt = null
          item.confirmedAt = null
        }
    },
    resendAll() {
      for (const item of items.values()) item.sentAt = null
    },
    take(now) {
      const due: MachineItem[] = []
      for (const item of unconfirmed()) {
        if (item.sentAt !== null && now - item.sentAt < patienceMs) continue
        item.sentAt = now
        due.push(item.machineItem)
      }
      return due
    },
    pending: () => unconfirmed().map(({ machineItem }) => machineItem),
    oldest: () => items.keys().next().value,
    size: () => unconfirmed().length,
  }
}
