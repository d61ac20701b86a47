import { randomUUID } from 'node:crypto'
import { type Ack, deviceLimits, type Hello, type UpKind } from '#contract/device-protocol.ts'
import { waitMsOf } from '#domain/machines/overload.ts'
import type { AgentItem, NewItem } from '../journal/items.ts'
import type { AgentJournal } from '../journal/journal.ts'
import { clockOf } from './clock.ts'
import type { Link } from './link.ts'

/** Reports to the portal: the hello after each connect, signs of life, and the journal until the portal has it (docs/device-protocol.md). */
export interface Uplink {
  /** Writes items to the disk and sends them. Throws DiskFullError. */
  report(...items: NewItem[]): void
  send(kind: UpKind, payload: object): void
  hello(): void
  opened(): void
  closed(): void
  acknowledged(ack: Ack): void
  /** The portal is overloaded: everything waits for so many seconds. */
  wait(seconds: number): void
  stop(): void
}

export interface UplinkParts {
  journal: AgentJournal
  link: Pick<Link, 'isOpen' | 'send'>
  /** What the hello says of this computer. */
  facts(): Partial<Hello>
  /** What a sign of life says beside. */
  signs(): { signalPercent?: number }
  /** The portal has begun another association: this agent's secret is of the one before. */
  stale(epoch: number): void
  random?: () => number
}

/** Milliseconds. */
const every = { tick: 1000, state: 240_000, patience: 20_000 } as const
/** Items that are sent without an answer. After weeks without a portal the others follow their acknowledgements. */
const atOnce = 100

export function openUplink({ journal, link, facts, signs, stale, random = Math.random }: UplinkParts): Uplink {
  /** When each item was sent, so that it is not sent again at once. */
  let sentAt = new Map<number, number>()
  /** Whether the portal has said what it has. Items are sent only after that. */
  let isSynchronised = false
  let helloAt = 0
  let stateAt = 0
  let heldUntil = 0
  let recovery: number | undefined

  const isHeld = (now: number) => now < heldUntil
  const send = (kind: UpKind, payload: object) =>
    link.send(kind, { id: randomUUID(), at: clockOf(Date.now()), ...payload })

  function hello() {
    helloAt = Date.now()
    const { epoch, lastSeq, oldestSeq } = journal
    send('hello', { ...facts(), epoch: epoch(), lastSeq: lastSeq(), oldestSeq: oldestSeq() })
  }

  function sendItems() {
    const now = Date.now()
    if (!isSynchronised || !link.isOpen() || isHeld(now)) return
    const next = journal.pending().slice(0, atOnce)
    const due = next.filter(({ seq }) => now - (sentAt.get(seq) ?? 0) >= every.patience)
    for (const { seq } of due) sentAt.set(seq, now)
    for (const [kind, payload] of messagesOf(due, journal.epoch())) send(kind, payload)
  }

  function tick() {
    const now = Date.now()
    if (!link.isOpen() || isHeld(now)) return
    if (!isSynchronised) {
      if (now - helloAt >= every.patience) hello()
      return
    }
    if (now - stateAt >= every.state) {
      stateAt = now
      send('state', { online: true, ...signs() })
    }
    sendItems()
  }
  const timer = setInterval(tick, every.tick)

  return {
    send,
    hello,
    report(...items) {
      journal.add(...items)
      sendItems()
    },
    opened() {
      isSynchronised = false
      sentAt = new Map()
      stateAt = 0
      if (!isHeld(Date.now())) hello()
    },
    closed() {
      isSynchronised = false
    },
    acknowledged(ack) {
      if (ack.epoch !== journal.epoch()) return stale(ack.epoch)
      journal.acknowledge(ack, Date.now())
      for (const [from, to] of ack.missing)
        for (const seq of sentAt.keys()) if (seq >= from && seq <= to) sentAt.delete(seq)
      for (const seq of sentAt.keys()) if (seq <= ack.committed) sentAt.delete(seq)
      isSynchronised = true
      const isRestored = ack.recovery !== undefined && recovery !== undefined && ack.recovery !== recovery
      recovery = ack.recovery ?? recovery
      if (isRestored) hello()
      sendItems()
    },
    wait(seconds) {
      heldUntil = seconds === 0 ? 0 : Date.now() + waitMsOf(seconds, random())
      // What was sent before may not have arrived.
      sentAt = new Map()
    },
    stop: () => clearInterval(timer),
  }
}

/** Messages of items: one for each audit, and batches of the other kinds, the oldest first. */
function messagesOf(items: readonly AgentItem[], epoch: number): [UpKind, object][] {
  const messages: [UpKind, object][] = []
  let batch: { kind: 'event' | 'result' | 'sale'; items: object[] } | undefined
  for (const item of items) {
    const { kind, seq, at, source: _, ...rest } = { source: undefined, ...item }
    if (kind === 'audit') {
      batch = undefined
      const readAt = clockOf(at)
      messages.push([kind, { epoch, seq, readAt, ...rest }])
      continue
    }
    if (batch?.kind !== kind || batch.items.length >= deviceLimits.items) {
      batch = { kind, items: [] }
      messages.push([kind, { epoch, items: batch.items }])
    }
    batch.items.push({ seq, at: clockOf(at), ...rest })
  }
  return messages
}
