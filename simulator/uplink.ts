import { randomUUID } from 'node:crypto'
import { type Ack, deviceLimits, type UpKind } from '#contract/device-protocol.ts'
import type { NetworkType } from '#contract/vocabulary/device.ts'
import type { Connection } from './connection.ts'
import { openHold } from './hold.ts'
import type { Journal } from './journal.ts'
import type { MachineMemory } from './memory.ts'
import { installedIn } from './own-state.ts'
import type { MachinePlan } from './plan.ts'
import type { Random } from './random.ts'
import { soilOf } from './soil.ts'
import type { Store } from './store.ts'
import { itemOf } from './works/item-form.ts'
import type { MachineItem } from './works/item-writer.ts'

/** What a machine sends of its own accord: its hello, its state, and the items of its journal. */
export interface Uplink {
  /** Sends a message with the machine's own time. */
  send(kind: UpKind, payload: object): void
  hello(): void
  /** Takes an item; it is stored and sent when the machine settles. */
  add(machineItem: MachineItem): void
  /** Stores the latest items, and sends them soon. */
  settle(): void
  /** Whether the gateway takes items now. */
  isOnline(): boolean
  opened(): void
  closed(): void
  acknowledged(ack: Ack): void
  /** The gateway is overloaded: items wait for so many seconds. */
  wait(seconds: number): void
  /** Repeats an unanswered hello, and shows from time to time that the machine is alive. */
  keepAlive(now: number): void
  stop(): void
}

const secondMs = 1000
const stateEveryMs = 60 * secondMs
/** A hello without an answer for this long is repeated: the gateway that received it may be gone. */
const helloPatienceMs = 20 * secondMs
/** Items are collected for this long, as in a telemetry box. */
const gatherMs = 300
/** This many of the largest items fit easily into one message. */
const itemsPerMessage = Math.min(150, deviceLimits.items)

interface UplinkParts {
  plan: MachinePlan
  memory: MachineMemory
  store: Pick<Store, 'note'>
  journal: Journal
  connection: Pick<Connection, 'isOpen' | 'send'>
  random: Random
  /** The time of the machine's own clock. */
  clockOf(at: number): string
  bootAt(): number
}

const helloOf = ({ plan, memory, journal, clockOf, bootAt }: UplinkParts) => ({
  id: randomUUID(),
  epoch: plan.epoch,
  lastSeq: memory.seq,
  oldestSeq: journal.oldest() ?? memory.seq + 1,
  bootAt: clockOf(bootAt()),
  versions: installedIn(memory),
  ...plan.boot,
  ...(memory.board !== undefined && { boardSerial: memory.board }),
})

/** The signal wanders around its usual strength, in percent. */
const nextSignal = (signal: number, usual: number, random: Random) =>
  Math.max(12, Math.min(100, Math.round(signal + (usual - signal) * 0.3 + (random.next() - 0.5) * 9)))

function stateOf({ plan, memory }: UplinkParts, signalPercent: number) {
  const networkType: NetworkType = plan.boot.networkType
  const { publicIp } = plan.boot
  return { id: randomUUID(), online: true, signalPercent, sensors: soilOf(plan, memory), networkType, publicIp }
}

/** The messages of items of one kind, in their order. */
function batchesOf({ plan, clockOf }: UplinkParts, happenings: readonly MachineItem[]) {
  const starts = Array.from({ length: Math.ceil(happenings.length / itemsPerMessage) }, (_, at) => at * itemsPerMessage)
  return starts.map((from) => ({
    id: randomUUID(),
    epoch: plan.epoch,
    items: happenings.slice(from, from + itemsPerMessage).map((machineItem) => itemOf(machineItem, clockOf)),
  }))
}

/** The messages of audits: one for each file. */
function auditsOf({ plan, clockOf }: UplinkParts, happenings: readonly MachineItem[]) {
  return happenings.flatMap((machineItem) => {
    if (machineItem.kind !== 'audit') return []
    const { seq, origin, bytes } = machineItem
    const data = Buffer.from(bytes).toString('base64')
    return { id: randomUUID(), at: clockOf(machineItem.at), epoch: plan.epoch, seq, origin, port: 'mqtt', data }
  })
}

export function openUplink(machine: UplinkParts): Uplink {
  const { plan, memory, store, journal, connection, random, clockOf } = machine
  let newItems: MachineItem[] = []
  /** Whether the gateway has sent the state of the journal. Items are sent only after that. */
  let isSynchronised = false
  let isStopped = false
  /** The `recovery` of the last ack. */
  let known: number | undefined
  let helloAt = 0
  let nextState = 0
  let signal = plan.signalPercent
  let gathering: NodeJS.Timeout | undefined

  const isOnline = () => isSynchronised && connection.isOpen()
  const send = (kind: UpKind, payload: object) => connection.send(kind, { at: clockOf(Date.now()), ...payload })

  const hold = openHold(random.next, () => {
    if (isStopped) return
    // What was sent before may not have arrived: everything is sent again, the oldest items first.
    journal.resendAll()
    if (isSynchronised) gather()
    else if (connection.isOpen()) hello()
  })

  function hello() {
    helloAt = Date.now()
    send('hello', helloOf(machine))
  }

  function sendState() {
    nextState = Date.now() + stateEveryMs * (0.8 + random.next() * 0.4)
    signal = nextSignal(signal, plan.signalPercent, random)
    send('state', stateOf(machine, signal))
  }

  function settle() {
    if (newItems.length === 0) return
    store.note(plan.serial, memory, newItems)
    for (const machineItem of newItems) journal.add(machineItem)
    newItems = []
    gather()
  }

  function gather() {
    gathering ??= setTimeout(() => {
      gathering = undefined
      if (isOnline() && !hold.isOn()) sendJournal()
    }, gatherMs).unref()
  }

  function sendJournal() {
    const due = Map.groupBy(journal.take(Date.now()), ({ kind }) => kind)
    for (const [kind, happenings] of due) {
      for (const message of kind === 'audit' ? auditsOf(machine, happenings) : batchesOf(machine, happenings))
        send(kind, message)
    }
  }

  return {
    send,
    hello,
    add: (machineItem) => void newItems.push(machineItem),
    settle,
    isOnline,
    opened() {
      isSynchronised = false
      journal.resendAll()
      hello()
      sendState()
    },
    closed() {
      isSynchronised = false
      hold.cancel()
    },
    acknowledged({ epoch, committed, missing, recovery }) {
      if (epoch !== plan.epoch) return
      // If the machine has lost a number that the gateway has, it must not assign it again.
      if (committed > memory.seq) memory.seq = committed
      journal.commit(committed, Date.now())
      for (const [from, to] of missing) journal.resend(from, to)
      isSynchronised = true
      const isRestored = recovery !== undefined && known !== undefined && recovery !== known
      known = recovery ?? known
      // The hello says how far the machine has counted, so the gateway requests what the restored database lacks.
      if (isRestored) hello()
      gather()
    },
    wait: hold.start,
    keepAlive(now) {
      // Signs of life wait like items.
      if (hold.isOn()) return
      if (!isSynchronised && now - helloAt > helloPatienceMs) hello()
      else if (now >= nextState) {
        sendState()
        // Resends items without a timely acknowledgement.
        gather()
      }
    },
    stop() {
      isStopped = true
      clearTimeout(gathering)
      hold.cancel()
      settle()
    },
  }
}
