import { randomUUID } from 'node:crypto'
import { AppPayment } from '#contract/commands/command-parameters.ts'
import type { DemoAction } from '#contract/platform/demo.ts'
import { appPaymentCommand, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { zoneClock } from './clock.ts'
import { commandActionOf, commandActionsOf, type During } from './command-actions.ts'
import { openCommandRunner } from './command-runner.ts'
import { machineConnection } from './connection.ts'
import type { PortalAccess } from './downloads/portal-files.ts'
import { PowerCutError, prepareUpdate, type Update, type UpdateFault } from './downloads/updates.ts'
import { takeVpDocument } from './downloads/vp.ts'
import { openJournal } from './journal.ts'
import { openMachineLife } from './live.ts'
import type { Keyring } from './media/keyring.ts'
import type { MediaAct, MediaActResult } from './media/media-acts.ts'
import { openMediaSimulation } from './media/media-works.ts'
import type { MachineMemory } from './memory.ts'
import { personalPlan } from './own-state.ts'
import type { MachinePlan } from './plan.ts'
import { openPresence, type Presence } from './presence.ts'
import { type Random, randomFrom } from './random.ts'
import type { Kept, Store } from './store.ts'
import { openUplink } from './uplink.ts'
import { openVending, type Vending } from './vending.ts'
import type { CreditEvent } from './works/item-writer.ts'
import { editByHand, reportWares } from './works/wares.ts'

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
  stored(): Kept
  /** Whether it is connected, and the gateway has answered its hello: from then on it sends items and sells for cloud credit. */
  isConnected(): boolean
  /** The number of unconfirmed items. */
  waiting(): number
  stop(): Promise<void>
}

const secondMs = 1000
const jamMs = 25 * 60 * secondMs
/** A vend takes this long; nothing is installed meanwhile. */
const vendMs = 5 * secondMs

interface MachineOptions {
  plan: MachinePlan
  stored: Kept
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
  /** How long it is away when it restarts; 6 by default. */
  restartSeconds?: number | undefined
}

/** A connected machine: the works of `vending`, its live simulation, its journal, and its connection. */
export function startMachine(options: MachineOptions): VirtualMachine {
  const { stored, store, keys, plan: makers } = options
  const { memory } = stored
  const plan = personalPlan(makers, memory)
  const random = randomFrom(`live ${plan.serial} ${memory.seq} ${Date.now()}`)
  const clock = zoneClock(plan.timeZone)
  const clockOf = (at: number) => clock.local(at + plan.driftSeconds * secondMs)
  const access = { portal: options.portal, serial: plan.serial, secret: plan.secret }
  const journal = openJournal(stored.pending)
  const keep = () => store.note(plan.serial, memory, [])
  let isStopped = false
  /** The boot for which stock and prices were reported. */
  let reportedBoot = 0

  const connection = machineConnection(options.broker, plan.serial, plan.secret, {
    connected() {
      presence.opened()
      uplink.opened()
      reportStart()
      mediaWorks.connected()
    },
    closed() {
      uplink.closed()
      presence.closed()
    },
    ack: (ack) => uplink.acknowledged(ack),
    command: (command) => commandRunner.command(command),
    go: (go) => commandRunner.go(go),
    authorised: (answer) => mediaWorks.authorised(answer),
    blocked: (changes) => mediaWorks.blocked(changes),
    linked: (answer) => mediaWorks.linked(answer),
    wait: ({ seconds }) => uplink.wait(seconds),
    refill(refill) {
      vending.takeRefill(Date.now(), refill)
      uplink.settle()
    },
  })
  const { connectAt, restartSeconds } = options
  const isAway = plan.behaviour === 'offline'
  const presence = openPresence(connection, random, { connectAt, isAway, restartSeconds })
  const { bootAt } = presence
  const uplink = openUplink({ plan, memory, store, journal, connection, random, clockOf, bootAt })
  const numbered = () => ({ seq: ++memory.seq, at: Date.now() })
  const reportCredit = (credit: CreditEvent) => uplink.add({ kind: 'credit', ...numbered(), credit })

  const isFromCloud = () => uplink.isOnline() && random.chance(options.cloudUse ?? 0)
  const vending = openVending(
    ...([plan, memory, random, clock] as const),
    // Some items follow within seconds; none is sent before its time.
    (machineItem) => uplink.add({ ...machineItem, at: Math.min(machineItem.at, Date.now()) }),
    {
      keys,
      payFromCloud(media, line, otherwise) {
        if (!isFromCloud()) return false
        void mediaWorks.act({ ...media, action: 'sell', selection: String(line) }).then(({ outcome }) => {
          if (outcome === 'refused' && !isStopped) otherwise()
          uplink.settle()
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
  const edit = (at: number) => editByHand(at, vending, makers, random)
  const course = openMachineLife(vending, random, clock, Date.now(), { share: options.priceEdits ?? 0, edit })

  const mediaWorks = openMediaSimulation({
    plan,
    memory,
    vending,
    keys,
    isOnline: uplink.isOnline,
    request: uplink.send,
    report: reportCredit,
    keep,
    settle: uplink.settle,
    cut: presence.cut,
  })
  // Vends that were under way when the machine stopped.
  for (const reservationId of memory.holds?.splice(0) ?? []) reportCredit({ action: 'release', reservationId })

  const actions = commandActionsOf({
    plan,
    makers,
    memory,
    vending,
    access,
    sendHello: uplink.hello,
    restart: presence.restart,
    update: (sent, during) =>
      takeUpdate(sent, during, { access, memory, clockOf, presence, resume: () => commandRunner.resume() }),
    vpDocument: (sent, { signal }) => takeVpDocument(sent, access, signal),
  })
  const underway = (memory.underway ??= [])
  const commandRunner = openCommandRunner({
    behaviour: plan.behaviour,
    random,
    handled: memory.commands,
    underway,
    keep,
    claim: (commandId, claimId) => uplink.send('claim', { id: claimId, commandId }),
    report(commandId, outcome) {
      uplink.add({ kind: 'result', ...numbered(), commandId, ...outcome })
      uplink.settle()
    },
    progress: (commandId, phase, percent) =>
      uplink.send('progress', { id: randomUUID(), commandId, phase, ...(percent !== undefined && { percent }) }),
    action: (type) =>
      type === appPaymentCommand
        ? (parameters) => mediaWorks.takePayment(AppPayment.parse(parameters))
        : commandActionOf(actions, type, remoteCommandTypes),
  })
  commandRunner.resume()

  /** Reports prices, levels and the configuration, once after each start. */
  function reportStart() {
    if (reportedBoot === bootAt()) return
    reportedBoot = bootAt()
    reportWares(vending, makers)
    uplink.settle()
  }

  function keepConnected(now: number) {
    if (!isStopped && presence.keep(now, course.isCutOff())) uplink.keepAlive(now)
  }

  const acts = demoActs({ vending, presence, random, edit })
  return {
    serial: plan.serial,
    timeZone: plan.timeZone,
    rateAt: (now) => (presence.isAway() ? 0 : (plan.rhythm[clock.weekHour(now)] ?? 0)),
    step(now, boost) {
      if (isStopped) return
      if (!presence.isAway()) course.step(now, boost)
      uplink.settle()
      keepConnected(now)
    },
    act(action) {
      acts[action]()
      uplink.settle()
      keepConnected(Date.now())
    },
    serve: (act) => mediaWorks.act(act),
    breakUpdates(fault) {
      memory.updateFault = fault ?? undefined
      if (fault === null && presence.isAway() && plan.behaviour !== 'offline') acts.recover()
    },
    stored: () => ({ memory, pending: journal.pending() }),
    isConnected: uplink.isOnline,
    waiting: () => journal.size(),
    async stop() {
      isStopped = true
      commandRunner.stop()
      mediaWorks.stop()
      uplink.stop()
      await connection.close()
    },
  }
}

/** Prepares an update, with the machine's fault. Returns false if the installed version stays. */
async function takeUpdate(
  sent: Update,
  during: During,
  machine: {
    access: PortalAccess
    memory: MachineMemory
    presence: Presence
    clockOf(at: number): string
    /** Resumes the commands that were under way. */
    resume(): void
  },
): Promise<boolean> {
  const { access, memory, presence } = machine
  const fault = memory.updateFault
  await prepareUpdate(sent, {
    access,
    fault,
    ...during,
    clock: () => machine.clockOf(Date.now()).slice(0, 19),
    isVending: () => Date.now() - (memory.lastSaleAt ?? 0) < vendMs,
  })
  if (fault === 'powerCut') {
    setTimeout(machine.resume, 1.5 * presence.restart()).unref()
    throw new PowerCutError()
  }
  if (fault === 'silent') setTimeout(presence.leave, secondMs).unref()
  return fault !== 'oldVersion'
}

/** What a visitor of the demo lets happen to a machine. */
function demoActs(machine: {
  vending: Vending
  presence: Presence
  random: Random
  /** Changes a price at the machine. */
  edit(at: number): void
}): Record<DemoAction, () => void> {
  const { vending, presence, random } = machine
  const { plan, memory } = vending
  return {
    jam: () => vending.startFault(Date.now(), 'EAD', Date.now() + jamMs),
    emptySelection: () => vending.emptySelection(Date.now()),
    editPrice: () => machine.edit(Date.now()),
    cutSignal: () => presence.cut(random.int(90, 180) * secondMs),
    recover() {
      presence.comeBack()
      for (const { code } of [...memory.faults]) vending.clear(Date.now(), code)
      if (memory.stock.includes(0)) vending.visit(Date.now(), memory.box >= plan.boxCapacity)
    },
  }
}
