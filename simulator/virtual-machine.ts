import { randomUUID } from 'node:crypto'
import {
  type ConfigItem,
  deviceLimits,
  type PricesItem,
  type ResultItem,
  type StockItem,
  type UpKind,
} from '#contract/device-protocol.ts'
import type { DemoAction } from '#contract/platform/demo.ts'
import type { NetworkType } from '#contract/vocabulary/device.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { zoneClock } from './clock.ts'
import { machineConnection } from './connection.ts'
import { dutiesOf, dutyOf } from './duties.ts'
import { openJournal } from './journal.ts'
import { openCourse } from './live.ts'
import { openObedience } from './obey.ts'
import { personalPlan } from './own-state.ts'
import type { MachinePlan } from './plan.ts'
import { randomFrom } from './random.ts'
import { soilOf } from './soil.ts'
import type { Kept, Store } from './store.ts'
import { openVending } from './vending.ts'
import type { Happening } from './works/telling.ts'

export interface VirtualMachine {
  serial: string
  timeZone: string
  /** Mean sales an hour at this time of its week. */
  rateAt(now: number): number
  /** Lets time pass. */
  step(now: number, boost: number): void
  act(action: DemoAction): void
  kept(): Kept
  isConnected(): boolean
  /** How many items wait to be stored. */
  waiting(): number
  stop(): Promise<void>
}

const secondMs = 1000
const stateEveryMs = 60 * secondMs
/** A hello without an answer for this long is said again: the gateway that had it may be gone. */
const helloPatienceMs = 20 * secondMs
/** Items are gathered this long, as in a telemetry box. */
const gatherMs = 300
/** So many of the largest items stay well below the limit of a message. */
const itemsPerMessage = Math.min(150, deviceLimits.items)
const jamMs = 25 * 60 * secondMs
const restartMs = 6 * secondMs

/** A machine on the line: the works of `vending`, its course of life, its journal, and its connection. */
export function startMachine(options: {
  plan: MachinePlan
  kept: Kept
  store: Pick<Store, 'note'>
  broker: string
  /** When it first connects. */
  connectAt: number
}): VirtualMachine {
  const { kept, store } = options
  const { memory } = kept
  const plan = personalPlan(options.plan, memory)
  const random = randomFrom(`live ${plan.serial} ${memory.seq} ${Date.now()}`)
  const clock = zoneClock(plan.timeZone)
  const journal = openJournal(kept.pending)
  let told: Happening[] = []
  const vending = openVending(plan, memory, random, clock, (happening) => {
    // Some items follow within seconds; none is sent before its time.
    told.push({ ...happening, at: Math.min(happening.at, Date.now()) })
  })
  const course = openCourse(vending, random, clock, Date.now())
  let bootAt = Date.now() - random.int(1, 5) * 3600 * secondMs
  /** When it tries to connect next, and until when something keeps it from trying. */
  let nextTry = options.connectAt
  let awayUntil = 0
  let failures = 0
  /** Whether the gateway has sent the state of the journal; before that nothing of it is sent. */
  let isSynchronised = false
  let helloAt = 0
  let nextState = 0
  let signal = plan.signalPercent
  /** Of which start it has said what it holds and what it asks for that. */
  let toldOfBoot = 0
  let isStopped = false
  let isAway = plan.behaviour === 'offline'
  let gathering: NodeJS.Timeout | undefined

  const clockOf = (at: number) => clock.local(at + plan.driftSeconds * secondMs)
  const head = () => ({ id: randomUUID(), at: clockOf(Date.now()) })

  const connection = machineConnection(options.broker, plan.serial, plan.secret, {
    connected() {
      failures = 0
      isSynchronised = false
      journal.askAllAgain()
      sayHello()
      sendState()
      sayWares()
    },
    closed() {
      isSynchronised = false
      const pause = Math.min(60, 2 ** ++failures) * secondMs
      nextTry = Date.now() + pause * (0.5 + random.next())
    },
    ack({ epoch, committed, missing }) {
      if (epoch !== plan.epoch) return
      // A number that the gateway has must never be given out again, should the machine have forgotten it.
      if (committed > memory.seq) memory.seq = committed
      journal.commit(committed)
      for (const [from, to] of missing) journal.askAgain(from, to)
      isSynchronised = true
      gather()
    },
    command: (command) => obedience.command(command),
    go: (go) => obedience.go(go),
  })

  const duties = dutiesOf({ plan, makers: options.plan, memory, vending, sayHello, restart })
  const underway = (memory.underway ??= [])
  const obedience = openObedience({
    behaviour: plan.behaviour,
    random,
    taken: memory.commands,
    underway,
    keep: () => store.note(plan.serial, memory, []),
    claim: (commandId, claimId) => connection.send('claim', { id: claimId, at: clockOf(Date.now()), commandId }),
    report(commandId, outcome) {
      told.push({ kind: 'result', seq: ++memory.seq, at: Date.now(), commandId, ...outcome })
      settle()
    },
    duty: (type) => dutyOf(duties, type, remoteCommandTypes),
  })
  obedience.resume()

  function sayHello() {
    helloAt = Date.now()
    const oldestSeq = journal.pending()[0]?.seq ?? memory.seq + 1
    const { epoch } = plan
    const lastSeq = memory.seq
    const boot = { ...plan.boot, ...(memory.board !== undefined && { boardSerial: memory.board }) }
    connection.send('hello', { ...head(), epoch, lastSeq, oldestSeq, bootAt: clockOf(bootAt), ...boot })
  }

  /** Prices and levels, once after each start. */
  function sayWares() {
    if (toldOfBoot === bootAt) return
    toldOfBoot = bootAt
    vending.reportPrices(Date.now())
    vending.reportStock(Date.now())
    settle()
  }

  /** The machine is off for a moment, soon after it has said that it will be. */
  function restart() {
    setTimeout(() => {
      awayUntil = Date.now() + restartMs
      bootAt = Date.now() + restartMs / 2
      connection.cut()
    }, 2 * secondMs).unref()
  }

  /** Stores the latest items, and sends them soon. */
  function settle() {
    if (told.length === 0) return
    store.note(plan.serial, memory, told)
    for (const happening of told) journal.add(happening)
    told = []
    gather()
  }

  function gather() {
    gathering ??= setTimeout(() => {
      gathering = undefined
      if (isSynchronised && connection.isOpen()) sendJournal()
    }, gatherMs).unref()
  }

  function sendJournal() {
    const due = Map.groupBy(journal.take(Date.now()), ({ kind }) => kind)
    for (const [kind, happenings] of due) {
      if (kind === 'audit') for (const happening of happenings) sendAudit(happening)
      else sendItems(kind, happenings)
    }
  }

  function sendItems(kind: UpKind, happenings: readonly Happening[]) {
    for (let from = 0; from < happenings.length; from += itemsPerMessage) {
      const items = happenings.slice(from, from + itemsPerMessage).map((happening) => itemOf(happening, clockOf))
      connection.send(kind, { ...head(), epoch: plan.epoch, items })
    }
  }

  function sendAudit(happening: Happening) {
    if (happening.kind !== 'audit') return
    const { seq, origin, bytes } = happening
    const data = Buffer.from(bytes).toString('base64')
    connection.send('audit', {
      id: randomUUID(),
      at: clockOf(happening.at),
      epoch: plan.epoch,
      seq,
      origin,
      port: 'mqtt',
      data,
    })
  }

  function sendState() {
    nextState = Date.now() + stateEveryMs * (0.8 + random.next() * 0.4)
    signal = Math.max(
      12,
      Math.min(100, Math.round(signal + (plan.signalPercent - signal) * 0.3 + (random.next() - 0.5) * 9)),
    )
    const networkType: NetworkType = plan.boot.networkType
    const { publicIp } = plan.boot
    connection.send('state', {
      ...head(),
      online: true,
      signalPercent: signal,
      sensors: soilOf(plan, memory),
      networkType,
      publicIp,
    })
  }

  function keepConnected(now: number) {
    if (isAway || isStopped) return
    if (course.isCutOff()) {
      if (connection.isOpen()) connection.cut()
      nextTry = now + secondMs
    } else if (!connection.isOpen() && now >= Math.max(nextTry, awayUntil)) {
      // Until this attempt has ended, which closes it in time.
      nextTry = now + 60 * secondMs
      connection.open()
    } else if (connection.isOpen() && !isSynchronised && now - helloAt > helloPatienceMs) {
      sayHello()
    } else if (connection.isOpen() && now >= nextState) {
      sendState()
      // What was not acknowledged in good time goes out again.
      gather()
    }
  }

  const acts: Record<DemoAction, () => void> = {
    jam: () => vending.strike(Date.now(), 'EAD', Date.now() + jamMs),
    emptySelection: () => vending.emptySelection(Date.now()),
    cutSignal() {
      awayUntil = Date.now() + random.int(90, 180) * secondMs
      connection.cut()
    },
    recover() {
      isAway = false
      awayUntil = 0
      if (!connection.isOpen()) nextTry = Date.now()
      for (const { code } of [...memory.faults]) vending.clear(Date.now(), code)
      if (memory.stock.includes(0)) vending.visit(Date.now(), memory.box >= plan.boxCapacity)
    },
  }

  return {
    serial: plan.serial,
    timeZone: plan.timeZone,
    rateAt: (now) => (isAway ? 0 : (plan.rhythm[clock.weekHour(now)] ?? 0)),
    step(now, boost) {
      if (isStopped) return
      if (!isAway) course.step(now, boost)
      settle()
      keepConnected(now)
    },
    act(action) {
      acts[action]()
      settle()
      keepConnected(Date.now())
    },
    kept: () => ({ memory, pending: journal.pending() }),
    isConnected: () => connection.isOpen(),
    waiting: () => journal.size(),
    async stop() {
      isStopped = true
      obedience.stop()
      clearTimeout(gathering)
      settle()
      await connection.close()
    },
  }
}

/** An item as it goes into its kind's batch. */
function itemOf(happening: Happening, clockOf: (at: number) => string): object {
  const { seq } = happening
  const at = clockOf(happening.at)
  if (happening.kind === 'sale') return { seq, at, ...happening.sale }
  if (happening.kind === 'event') return { seq, at, code: happening.code, active: happening.active }
  if (happening.kind === 'cash') return { seq, at, ...happening.cash }
  if (happening.kind === 'reading') return { seq, at, ...happening.reading }
  if (happening.kind === 'config') {
    const { origin, parameters } = happening
    return { seq, at, origin, port: 'mqtt', parameters } satisfies ConfigItem
  }
  if (happening.kind === 'stock') {
    const levels = happening.levels.map(({ refilledAt, ...level }) => ({
      ...level,
      ...(refilledAt !== null && { refilledAt: clockOf(refilledAt) }),
      gone: false,
    }))
    return { seq, at, levels } satisfies StockItem
  }
  if (happening.kind === 'prices')
    return { seq, at, prices: happening.prices.map((price) => ({ ...price, gone: false })) } satisfies PricesItem
  if (happening.kind === 'result') {
    const { commandId, outcome, info } = happening
    return { seq, at, commandId, outcome, info } satisfies ResultItem
  }
  throw new TypeError(`Items of kind ${happening.kind} do not travel in batches.`)
}
