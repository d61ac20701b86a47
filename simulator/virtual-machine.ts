// Over 400 lines because connection, journal, vending, commands and updates of one machine share its state.
import { createHash, randomUUID } from 'node:crypto'
import type { SentVpConfig } from '#contract/commands/command-parameters.ts'
import { AppPayment } from '#contract/commands/command-parameters.ts'
import { deviceLimits, type UpKind } from '#contract/device-protocol.ts'
import type { DemoAction } from '#contract/platform/demo.ts'
import { screenDocument } from '#contract/vocabulary/configuration.ts'
import type { NetworkType } from '#contract/vocabulary/device.ts'
import { appPaymentCommand, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { zoneClock } from './clock.ts'
import { commandActionOf, commandActionsOf, type During } from './command-actions.ts'
import { openCommandRunner } from './command-runner.ts'
import { machineConnection } from './connection.ts'
import { PowerCutError, prepareUpdate, type Update, type UpdateFault } from './downloads/updates.ts'
import { editOneVpValue, takeVpDocument } from './downloads/vp.ts'
import { openHold } from './hold.ts'
import { openJournal } from './journal.ts'
import { openMachineLife } from './live.ts'
import type { Keyring } from './media/keyring.ts'
import type { MediaAct, MediaActResult } from './media/media-acts.ts'
import { openMediaSimulation } from './media/media-works.ts'
import { editOnePrice, installedIn, ownStateOf, personalPlan, settingsOf } from './own-state.ts'
import type { MachinePlan } from './plan.ts'
import { randomFrom } from './random.ts'
import { soilOf } from './soil.ts'
import type { Kept, Store } from './store.ts'
import { openVending } from './vending.ts'
import { itemOf } from './works/item-form.ts'
import type { MachineItem } from './works/item-writer.ts'

export interface VirtualMachine {
  serial: string
  timeZone: string
  /** Mean sales an hour at this time of the week. */
  rateAt(now: number): number
  /** Simulates the time since the last step. */
  step(now: number, boost: number): void
  act(action: DemoAction): void
  /** A customer with a medium; resolves at the end. */
  serve(act: MediaAct): Promise<MediaActResult>
  /** How it breaks at its next updates; null repairs it, and a silent machine returns. */
  breakUpdates(fault: UpdateFault | null): void
  kept(): Kept
  isConnected(): boolean
  /** The number of unconfirmed items. */
  waiting(): number
  stop(): Promise<void>
}

const secondMs = 1000
/** The share of edits of prices at which the screen is edited too. */
const screenEdits = 0.3
const stateEveryMs = 60 * secondMs
/** A hello without an answer for this long is repeated: the gateway that received it may be gone. */
const helloPatienceMs = 20 * secondMs
/** Items are collected for this long, as in a telemetry box. */
const gatherMs = 300
/** This many of the largest items fit easily into one message. */
const itemsPerMessage = Math.min(150, deviceLimits.items)
const jamMs = 25 * 60 * secondMs
const restartMs = 6 * secondMs
/** The origin of what a technician changed at the machine. */
const byHand = 0
/** A vend takes this long; nothing is installed meanwhile. */
const vendMs = 5 * secondMs

/** A connected machine: the works of `vending`, its live simulation, its journal, and its connection. */
export function startMachine(options: {
  plan: MachinePlan
  kept: Kept
  store: Pick<Store, 'note'>
  broker: string
  /** Origin of the portal from which it fetches files; without it, it fetches none. */
  portal?: string | undefined
  /** When it first connects. */
  connectAt: number
  /** The share of visits at which the technician edits a price. */
  priceEdits?: number
  keys: Keyring
  /** The share of customers with a key who pay with cloud credit, if they have any. */
  cloudUse?: number
}): VirtualMachine {
  const { kept, store } = options
  const { memory } = kept
  const plan = personalPlan(options.plan, memory)
  const random = randomFrom(`live ${plan.serial} ${memory.seq} ${Date.now()}`)
  const clock = zoneClock(plan.timeZone)
  const access = { portal: options.portal, serial: plan.serial, secret: plan.secret }
  const journal = openJournal(kept.pending)
  let newItems: MachineItem[] = []
  const isFromCloud = () => isSynchronised && connection.isOpen() && random.chance(options.cloudUse ?? 0)
  const vending = openVending(
    ...([plan, memory, random, clock] as const),
    (machineItem) => {
      // Some items follow within seconds; none is sent before its time.
      newItems.push({ ...machineItem, at: Math.min(machineItem.at, Date.now()) })
    },
    {
      keys: options.keys,
      payFromCloud(media, line, otherwise) {
        if (!isFromCloud()) return false
        void mediaWorks.act({ ...media, action: 'sell', selection: String(line) }).then(({ outcome }) => {
          if (outcome === 'refused' && !isStopped) otherwise()
          settle()
        })
        return true
      },
      rechargeCloud(media, amount) {
        if (!isFromCloud()) return false
        void mediaWorks.act({ ...media, action: 'recharge', amount, to: 'cloud' })
        return true
      },
    },
  )
  const course = openMachineLife(vending, random, clock, Date.now(), {
    share: options.priceEdits ?? 0,
    edit: editPrice,
  })
  function editPrice(at: number) {
    editOnePrice(plan, options.plan, memory, random)
    vending.reportPrices(at)
    const { vp, settings } = ownStateOf(memory)
    if (vp) vending.reportVp(at, editOneVpValue(vp, random), byHand)
    // Technicians who edit prices sometimes also change what the screen shows.
    if (settings[screenDocument] === undefined || !random.chance(screenEdits)) return
    settings[screenDocument] = createHash('sha256').update(`edited ${at}`).digest('hex')
    vending.reportConfiguration(at, settingsOf(options.plan, memory))
  }
  let bootAt = Date.now() - random.int(1, 5) * 3600 * secondMs
  /** The time of the next connection attempt, and the end of any pause. */
  let nextTry = options.connectAt
  let awayUntil = 0
  let failures = 0
  /** Whether the gateway has sent the state of the journal. Items are sent only after that. */
  let isSynchronised = false
  let helloAt = 0
  let nextState = 0
  let signal = plan.signalPercent
  /** The boot for which stock and prices were reported. */
  let reportedBoot = 0
  let isStopped = false
  let isAway = plan.behaviour === 'offline'
  let gathering: NodeJS.Timeout | undefined

  const clockOf = (at: number) => clock.local(at + plan.driftSeconds * secondMs)
  const head = () => ({ id: randomUUID(), at: clockOf(Date.now()) })

  const hold = openHold(random.next, () => {
    if (isStopped) return
    // What was sent before may not have arrived: everything is sent again, the oldest items first.
    journal.resendAll()
    if (isSynchronised) gather()
    else if (connection.isOpen()) sendHello()
  })

  const connection = machineConnection(options.broker, plan.serial, plan.secret, {
    connected() {
      failures = 0
      isSynchronised = false
      journal.resendAll()
      sendHello()
      sendState()
      reportWares()
      mediaWorks.connected()
    },
    closed() {
      isSynchronised = false
      hold.cancel()
      const pause = Math.min(60, 2 ** ++failures) * secondMs
      nextTry = Date.now() + pause * (0.5 + random.next())
    },
    ack({ epoch, committed, missing }) {
      if (epoch !== plan.epoch) return
      // If the machine has lost a number that the gateway has, it must not assign it again.
      if (committed > memory.seq) memory.seq = committed
      journal.commit(committed)
      for (const [from, to] of missing) journal.resend(from, to)
      isSynchronised = true
      gather()
    },
    command: (command) => commandRunner.command(command),
    go: (go) => commandRunner.go(go),
    authorised: (answer) => mediaWorks.authorised(answer),
    blocked: (changes) => mediaWorks.blocked(changes),
    linked: (answer) => mediaWorks.linked(answer),
    wait: ({ seconds }) => hold.start(seconds),
    refill(refill) {
      vending.takeRefill(Date.now(), refill)
      settle()
    },
  })

  const mediaWorks = openMediaSimulation({
    plan,
    memory,
    vending,
    keys: options.keys,
    isOnline: () => isSynchronised && connection.isOpen(),
    request: (kind, payload) => connection.send(kind, { at: clockOf(Date.now()), ...payload }),
    report: (credit) => void newItems.push({ kind: 'credit', seq: ++memory.seq, at: Date.now(), credit }),
    keep: () => store.note(plan.serial, memory, []),
    settle: () => settle(),
    cut(milliseconds) {
      awayUntil = Date.now() + milliseconds
      connection.cut()
    },
  })
  // Vends that were under way when the machine stopped.
  for (const reservationId of memory.holds?.splice(0) ?? [])
    newItems.push({
      kind: 'credit',
      seq: ++memory.seq,
      at: Date.now(),
      credit: { action: 'release', reservationId },
    })

  /** Prepares an update, with the machine's fault. Returns false if the installed version stays. */
  async function update(given: Update, during: During): Promise<boolean> {
    const fault = memory.updateFault
    await prepareUpdate(given, {
      access,
      fault,
      ...during,
      clock: () => clockOf(Date.now()).slice(0, 19),
      isVending: () => Date.now() - (memory.lastSaleAt ?? 0) < vendMs,
    })
    if (fault === 'powerCut') {
      restart()
      setTimeout(() => commandRunner.resume(), 2 * restartMs).unref()
      throw new PowerCutError()
    }
    if (fault === 'silent')
      setTimeout(() => {
        isAway = true
        connection.cut()
      }, secondMs).unref()
    return fault !== 'oldVersion'
  }

  const vpDocument = (given: SentVpConfig, { signal }: During) => takeVpDocument(given, access, signal)
  const makers = options.plan
  const actions = commandActionsOf({ plan, makers, memory, vending, sendHello, restart, update, vpDocument, access })
  const underway = (memory.underway ??= [])
  const commandRunner = openCommandRunner({
    behaviour: plan.behaviour,
    random,
    taken: memory.commands,
    underway,
    keep: () => store.note(plan.serial, memory, []),
    claim: (commandId, claimId) => connection.send('claim', { id: claimId, at: clockOf(Date.now()), commandId }),
    report(commandId, outcome) {
      newItems.push({ kind: 'result', seq: ++memory.seq, at: Date.now(), commandId, ...outcome })
      settle()
    },
    progress: (commandId, phase, percent) =>
      connection.send('progress', { ...head(), commandId, phase, ...(percent !== undefined && { percent }) }),
    action: (type) =>
      type === appPaymentCommand
        ? (parameters) => mediaWorks.takePayment(AppPayment.parse(parameters))
        : commandActionOf(actions, type, remoteCommandTypes),
  })
  commandRunner.resume()

  function sendHello() {
    helloAt = Date.now()
    const oldestSeq = journal.pending()[0]?.seq ?? memory.seq + 1
    const { epoch } = plan
    const lastSeq = memory.seq
    const boot = { ...plan.boot, ...(memory.board !== undefined && { boardSerial: memory.board }) }
    connection.send('hello', {
      ...head(),
      epoch,
      lastSeq,
      oldestSeq,
      bootAt: clockOf(bootAt),
      versions: installedIn(memory),
      ...boot,
    })
  }

  /** Reports prices, levels and the configuration, once after each start. */
  function reportWares() {
    if (reportedBoot === bootAt) return
    reportedBoot = bootAt
    vending.reportPrices(Date.now())
    vending.reportStock(Date.now())
    const settings = settingsOf(options.plan, memory)
    // The same configuration again says nothing new.
    if (memory.reportedConfiguration !== JSON.stringify(settings)) {
      memory.reportedConfiguration = JSON.stringify(settings)
      vending.reportConfiguration(Date.now(), settings, 1)
    }
    const { vp } = ownStateOf(memory)
    if (vp) vending.reportVp(Date.now(), vp, 1)
    settle()
  }

  /** Restarts soon after the announcement. */
  function restart() {
    setTimeout(() => {
      awayUntil = Date.now() + restartMs
      bootAt = Date.now() + restartMs / 2
      connection.cut()
    }, 2 * secondMs).unref()
  }

  /** Stores the latest items, and sends them soon. */
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
      if (isSynchronised && connection.isOpen() && !hold.isOn()) sendJournal()
    }, gatherMs).unref()
  }

  function sendJournal() {
    const due = Map.groupBy(journal.take(Date.now()), ({ kind }) => kind)
    for (const [kind, happenings] of due) {
      if (kind === 'audit') for (const machineItem of happenings) sendAudit(machineItem)
      else sendItems(kind, happenings)
    }
  }

  function sendItems(kind: UpKind, happenings: readonly MachineItem[]) {
    for (let from = 0; from < happenings.length; from += itemsPerMessage) {
      const items = happenings.slice(from, from + itemsPerMessage).map((machineItem) => itemOf(machineItem, clockOf))
      connection.send(kind, { ...head(), epoch: plan.epoch, items })
    }
  }

  function sendAudit(machineItem: MachineItem) {
    if (machineItem.kind !== 'audit') return
    const { seq, origin, bytes } = machineItem
    const data = Buffer.from(bytes).toString('base64')
    connection.send('audit', {
      id: randomUUID(),
      at: clockOf(machineItem.at),
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
      // Until this attempt has ended; it has its own time-out.
      nextTry = now + 60 * secondMs
      connection.open()
    } else if (hold.isOn()) {
      // Signs of life wait like items.
    } else if (connection.isOpen() && !isSynchronised && now - helloAt > helloPatienceMs) {
      sendHello()
    } else if (connection.isOpen() && now >= nextState) {
      sendState()
      // Resends items without a timely acknowledgement.
      gather()
    }
  }

  const acts: Record<DemoAction, () => void> = {
    jam: () => vending.startFault(Date.now(), 'EAD', Date.now() + jamMs),
    emptySelection: () => vending.emptySelection(Date.now()),
    editPrice: () => editPrice(Date.now()),
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
    serve: (act) => mediaWorks.act(act),
    breakUpdates(fault) {
      memory.updateFault = fault ?? undefined
      if (fault === null && isAway && plan.behaviour !== 'offline') acts.recover()
    },
    kept: () => ({ memory, pending: journal.pending() }),
    isConnected: () => connection.isOpen(),
    waiting: () => journal.size(),
    async stop() {
      isStopped = true
      commandRunner.stop()
      mediaWorks.stop()
      clearTimeout(gathering)
      hold.cancel()
      settle()
      await connection.close()
    },
  }
}
