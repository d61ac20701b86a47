import { randomUUID } from 'node:crypto'
import { connect, type MqttClient } from 'mqtt'
import { Ack, deviceLimits, downTopic, topicRoot, upTopic, Wait } from '#contract/device-protocol.ts'
import { zoneClock } from '../clock.ts'
import { openHold } from '../hold.ts'
import type { Latencies } from './latencies.ts'

/** A machine of the load tool, and the last number that it has assigned. */
export interface LoadMember {
  serial: string
  secret: string
  epoch: number
  lastSeq: number
}

export interface LoadRules {
  broker: string
  /** IANA zone of the machines' clocks, and their error. */
  timeZone: string
  clockErrorSeconds?: number
  /** Sales in one message. */
  itemsPerMessage: number
  /** Shares, 0 to 1: messages that are sent twice, and messages that the next one overtakes. */
  duplicated: number
  reordered: number
  /** Acknowledged sales are kept for so long, for a database that is restored; by default not at all. */
  keptSeconds?: number
  /** Changes by newer firmware, in the head of each message and in each sale. */
  dialect?: { head: object; item(seq: number): object }
}

export interface LoadMachine {
  member: LoadMember
  /** Resolves once it is connected and knows the state of its journal. */
  ready: Promise<void>
  /** Sells: one message, or two with a delayed message. Does nothing while disconnected; the sales are sent later. */
  sell(): void
  /** Resends items and a hello that have waited too long for an answer. */
  remind(now: number): void
  /** The number of unconfirmed sales. */
  waiting(): number
  /** The number up to which the gateway has confirmed all items. */
  acknowledged(): number
  stop(): Promise<void>
}

interface Sent {
  item: object
  soldAt: number
  /** When it was first sent; 0 before. */
  firstAt: number
  lastAt: number
}

/** An item without an answer for this long is sent again. */
const patienceMs = 10_000
const reconnectMs = 1_000
/** After a wait the machine sends its backlog in messages of so many items. */
const backlogItems = Math.min(50, deviceLimits.items)

/** What a run measures of all machines; latencies are in milliseconds. */
interface LoadMeasures {
  puback: Latencies
  committed: Latencies
  sent(items: number): void
  stored(soldAt: number, storedAt: number): void
}

const connectTo = (broker: string, { serial, secret }: LoadMember): MqttClient =>
  connect(broker, {
    clientId: serial,
    username: serial,
    password: secret,
    clean: true,
    keepalive: 60,
    reconnectPeriod: reconnectMs,
    reconnectOnConnackError: true,
    resubscribe: false,
    queueQoSZero: false,
  })

/** A sale that differs by its number. */
const saleOf = (seq: number, at: string) => ({
  seq,
  at,
  type: 1,
  mediaType: 1 + (seq % 3),
  priceLine: seq % 40,
  value: 50 + (seq % 200),
})

/** The items with these numbers that are unconfirmed, noted as sent now. */
function itemsToSend(pending: ReadonlyMap<number, Sent>, seqs: readonly number[], now: number): object[] {
  return seqs.flatMap((seq) => {
    const sent = pending.get(seq)
    if (!sent) return []
    sent.firstAt ||= now
    sent.lastAt = now
    return [sent.item]
  })
}

/** Virtual machines without works: each sends hello, sells on demand, and stores every sale until it is confirmed. */
export function startLoadMachine(member: LoadMember, rules: LoadRules, measured: LoadMeasures): LoadMachine {
  const pending = new Map<number, Sent>()
  /** Acknowledged sales, with the time of their acknowledgement. */
  const kept = new Map<number, Sent & { confirmedAt: number }>()
  const keptMs = (rules.keptSeconds ?? 0) * 1000
  let known: number | undefined
  let isSynchronised = false
  let helloAt = 0
  let held: number[] | undefined
  let acknowledged = 0
  let becomeReady = () => {}
  const ready = new Promise<void>((resolve) => {
    becomeReady = resolve
  })

  const client = connectTo(rules.broker, member)
  client.on('connect', () => {
    isSynchronised = false
    client.subscribe(`${topicRoot}/${member.serial}/down/+`, { qos: 1 }, (error) => {
      if (!error) sendHello()
    })
  })
  const hold = openHold(Math.random, () => {
    if (isSynchronised) send([...pending.keys()], backlogItems)
    else if (client.connected) sendHello()
  })
  client.on('close', () => {
    isSynchronised = false
    hold.cancel()
  })
  // A close follows every error, and the client retries.
  client.on('error', () => {})
  client.on('message', (topic, payload) => {
    if (topic === downTopic(member.serial, 'wait')) hold.start(Wait.parse(JSON.parse(payload.toString())).seconds)
    if (topic !== downTopic(member.serial, 'ack')) return
    const ack = Ack.safeParse(JSON.parse(payload.toString()))
    if (ack.success && ack.data.epoch === member.epoch) receive(ack.data)
  })

  const { local } = zoneClock(rules.timeZone)
  const clock = () => local(Date.now() + (rules.clockErrorSeconds ?? 0) * 1000)
  const head = () => ({ id: randomUUID(), at: clock(), epoch: member.epoch, ...rules.dialect?.head })
  const publish = (kind: 'hello' | 'sale', payload: object, done = () => {}) =>
    client.publish(upTopic(member.serial, kind), JSON.stringify(payload), { qos: 1 }, (error) => {
      if (!error) done()
    })

  function sendHello() {
    helloAt = performance.now()
    let oldestSeq = member.lastSeq + 1
    for (const items of [kept, pending]) for (const seq of items.keys()) oldestSeq = Math.min(oldestSeq, seq)
    publish('hello', { ...head(), lastSeq: member.lastSeq, oldestSeq })
  }

  function receive({ committed, missing, recovery }: Ack) {
    const now = performance.now()
    for (const [seq, { confirmedAt }] of kept) if (seq <= committed && now - confirmedAt >= keptMs) kept.delete(seq)
    for (const [seq, sent] of pending) {
      if (seq > committed) continue
      pending.delete(seq)
      if (keptMs > 0) kept.set(seq, { ...sent, confirmedAt: now })
      // After a restore it may be acknowledged once more.
      if (seq <= acknowledged) continue
      measured.committed.note(now - sent.firstAt)
      measured.stored(sent.soldAt, now)
    }
    acknowledged = Math.max(acknowledged, committed)
    for (const [from, to] of missing)
      for (let seq = from; seq <= to; seq++) {
        const lost = kept.get(seq)
        if (!lost) continue
        kept.delete(seq)
        pending.set(seq, lost)
      }
    // A number that the gateway has is never assigned again.
    if (committed > member.lastSeq) member.lastSeq = committed
    if (!isSynchronised) {
      isSynchronised = true
      becomeReady()
      if (!hold.isOn()) send([...pending.keys()])
    } else if (!hold.isOn())
      for (const [from, to] of missing)
        send(
          [...pending.keys()].filter((seq) => seq >= from && seq <= to),
          keptMs > 0 ? backlogItems : undefined,
        )
    if (recovery !== undefined && known !== undefined && recovery !== known) sendHello()
    known = recovery ?? known
  }

  function send(seqs: readonly number[], itemsPerMessage = rules.itemsPerMessage) {
    for (let from = 0; from < seqs.length; from += itemsPerMessage) {
      const now = performance.now()
      const part = itemsToSend(pending, seqs.slice(from, from + itemsPerMessage), now)
      if (part.length === 0) continue
      const message = { ...head(), items: part }
      publish('sale', message, () => measured.puback.note(performance.now() - now))
      if (Math.random() < rules.duplicated) publish('sale', message)
    }
  }

  return {
    member,
    ready,
    sell() {
      const soldAt = performance.now()
      const seqs = Array.from({ length: rules.itemsPerMessage }, () => ++member.lastSeq)
      for (const seq of seqs) {
        const item = { ...saleOf(seq, clock()), ...rules.dialect?.item(seq) }
        pending.set(seq, { item, soldAt, firstAt: 0, lastAt: 0 })
      }
      measured.sent(seqs.length)
      if (!isSynchronised || hold.isOn()) return
      if (!held && Math.random() < rules.reordered) {
        held = seqs
        return
      }
      send(seqs)
      if (held) send(held)
      held = undefined
    },
    remind(now) {
      held = undefined
      if (hold.isOn()) return
      if (!isSynchronised) {
        // The gateway that received the hello may be gone. Without an answer, the journal would never be sent.
        if (client.connected && now - helloAt > patienceMs) sendHello()
        return
      }
      send([...pending].filter(([, { lastAt }]) => now - lastAt > patienceMs).map(([seq]) => seq))
    },
    waiting: () => pending.size,
    acknowledged: () => acknowledged,
    stop: async () => {
      hold.cancel()
      await client.endAsync(true).catch(() => {})
    },
  }
}
