import type { SensorReport } from '#contract/device-protocol.ts'
import { remoteCommandStatuses, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { zoneClock } from '#simulator/clock.ts'
import { faultOf, faults } from '#simulator/faults.ts'
import type { MachineMemory } from '#simulator/memory.ts'
import { freshMemory } from '#simulator/memory.ts'
import { ownStateOf, settingsOf } from '#simulator/own-state.ts'
import { visitDays } from '#simulator/plan.ts'
import { fixedChance, type Random, randomFrom } from '#simulator/random.ts'
import { soilOf } from '#simulator/soil.ts'
import { openVending, type Vending } from '#simulator/vending.ts'
import type { MachineItem } from '#simulator/works/item-writer.ts'
import { noVendSettingsOf } from '../catalogue/no-vend-settings.ts'
import { type DemoMachine, mishapHours } from '../fleet/fleet.ts'
import { isHoliday } from '../fleet/rhythm.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A command that a user sent in the past, and its outcome. The numbers are those of the contract's vocabulary. */
export type PastCommand = {
  at: number
  type: number
  parameters: Record<string, number>
  status: number
  result: number
  info: string | null
  attempts: number
  startedAt: number | null
  executedAt: number | null
  expiresAt: number
}

/** A user marked the alarm of this code as repaired, before the machine reported it. */
export type HandRepair = { code: string; at: number }

export type MachineHistory = {
  memory: MachineMemory
  commands: PastCommand[]
  /** Last seen, for a machine that went offline long before the end of the history. */
  lastSeenAt: number
  /** The periods in which it was cut off, in any order. */
  absences: { from: number; to: number }[]
  lastBootAt: number
}

export type HistorySink = {
  /** `savedAt` is the time of receipt: later than `at` when the network was down. */
  happened(machineItem: MachineItem, savedAt: number): void
  repairedByHand(repair: HandRepair): void
  /** The sensors' values in an hour of the last days. */
  sensed(hour: number, sensors: readonly SensorReport[]): void
}

/** How far back the history of sensors goes. */
const sensedMs = 7 * 24 * 3_600_000

/** An event at the machine beside selling. Returns the end of the pause in selling. */
type Step = { at: number; do: (vending: Vending) => number | undefined }

/**
 * Shares of the usual sales on a local day (`2026-11-21`) and in its night. They depend on the date only, not on the start
 * of the history.
 */
function demandOf({ merchant, plan, keepsHolidays }: DemoMachine, date: string): { day: number; night: number } {
  const merchantId = merchant.id
  const weather = 0.9 + 0.2 * fixedChance(`${merchantId} ${date}`)
  const week =
    0.94 + 0.12 * fixedChance(`${merchantId} ${date.slice(0, 8)}${Math.floor(Number(date.slice(8, 10)) / 7)}`)
  const holiday = keepsHolidays && isHoliday(merchant.country, date) ? 0.12 : 1
  const day = weather * week * holiday
  // Some nights have no sales.
  return { day, night: fixedChance(`${plan.serial} ${date} night`) < 0.12 ? day / 4 : day }
}

/**
 * Plays a period of a machine's past hour by hour, with the same works as its live machine. Every item is sent to the sink
 * in the machine's order.
 */
export function simulatePast(
  machine: DemoMachine,
  from: number,
  until: number,
  seed: string,
  sink: HistorySink,
): MachineHistory {
  const { plan } = machine
  const random = randomFrom(`${seed} history ${plan.serial} ${until}`)
  const clock = zoneClock(plan.timeZone)
  const memory = freshMemory(plan, machine.earlier)
  // An offline machine went silent some time ago.
  const to = plan.behaviour === 'offline' ? Math.max(from + hourMs, until - random.int(20, 90) * hourMs) : until
  let silentUntil = 0
  const absences: MachineHistory['absences'] = []
  const vending = openVending(plan, memory, random, clock, (machineItem) => {
    const at = Math.min(machineItem.at, until)
    const saved = at < silentUntil ? silentUntil + 20_000 : at + 250 + random.next() * 900
    sink.happened({ ...machineItem, at }, Math.min(until, saved))
  })
  const { steps, commands, lastBootAt } = agendaOf(
    machine,
    from,
    to,
    random,
    (cut, isOnlyNetwork) => {
      absences.push(cut)
      if (isOnlyNetwork) silentUntil = cut.to
    },
    sink,
  )

  let next = 0
  /** Items are in order of time, except a power or network cut, which is reported afterwards. */
  let last = from
  const catchUp = (at: number) => {
    for (let step = steps[next]; step && step.at <= at; step = steps[++next]) {
      last = Math.max(last + 1, step.at, step.do(vending) ?? 0)
    }
  }
  let demand: ReturnType<typeof demandOf> | undefined
  for (let hour = Math.floor(from / hourMs) * hourMs; hour < to; hour += hourMs) {
    const end = Math.min(hour + hourMs, to)
    const minute = clock.minuteOfDay(hour)
    if (minute < 60 || demand === undefined) demand = demandOf(machine, clock.local(hour).slice(0, 10))
    const usual = (plan.rhythm[clock.weekHour(hour)] ?? 0) * (minute < 6 * 60 ? demand.night : demand.day)
    const mean = usual * random.around(0.18) * ((end - hour) / hourMs)
    const times = Array.from({ length: random.poisson(mean) }, () => hour + random.next() * (end - hour)).sort(
      (a, b) => a - b,
    )
    for (const time of times) {
      catchUp(time)
      const at = Math.floor(Math.max(time, last + 1500))
      if (at < from || at >= to) continue
      if (vending.sellOne(at)) last = at
    }
    catchUp(end)
    if (hour >= to - sensedMs && hour >= silentUntil) sink.sensed(hour, soilOf(plan, memory))
  }
  return { memory, commands, lastSeenAt: to, absences, lastBootAt }
}

/** Without power a machine sends nothing, and has nothing to send. */
type GoSilent = (cut: { from: number; to: number }, isOnlyNetwork: boolean) => void

/** Events at the machine beside selling, in order of time. */
function agendaOf(
  machine: DemoMachine,
  from: number,
  to: number,
  random: Random,
  goSilent: GoSilent,
  sink: HistorySink,
) {
  const steps: Step[] = []
  const add = (at: number, what: Step['do']) => {
    if (at >= from && at < to) steps.push({ at: Math.floor(at), do: what })
  }
  const lastCut = planFaults(machine, from, to, random, add, goSilent, sink)
  planVisits(machine, from, to, random, add)
  planReports(machine, from, to, add)
  planMishap(machine, to, add)
  planReadings(from, to, add)
  planSettings(machine, from, to, add)
  const commands = planCommands(machine, from, to, random, add)
  steps.sort((a, b) => a.at - b.at)
  const restarts = commands
    .filter(({ type, status }) => type === remoteCommandTypes.restart && status === remoteCommandStatuses.received)
    .map(({ executedAt }) => executedAt ?? 0)
  return { steps, commands, lastBootAt: Math.max(lastCut, machine.createdAt + 3 * hourMs, ...restarts) }
}

type Add = (at: number, what: Step['do']) => void
/** A step that does not stop sales. */
const pastStep = (what: (vending: Vending) => unknown) => (vending: Vending) => {
  what(vending)
  return undefined
}

function planFaults(
  machine: DemoMachine,
  from: number,
  to: number,
  random: Random,
  add: Add,
  goSilent: GoSilent,
  sink: HistorySink,
): number {
  const { plan } = machine
  let lastCut = 0
  for (const fault of faults) {
    if (!fault.kinds.includes(plan.kind)) continue
    if (fault.code === 'ENC' && plan.bills.length === 0) continue
    const every = (fault.everyDays * dayMs) / plan.trouble
    for (let at = from + random.wait(every); at < to; at += random.wait(every)) {
      const [shortest, longest] = fault.minutes
      const until = at + (shortest + (longest - shortest) * random.next() ** 2.5) * minuteMs
      // A cut must end before now, since the machine has reported it.
      if (fault.cuts && until > to - 5 * minuteMs) continue
      if (fault.cuts === 'power') lastCut = Math.max(lastCut, until)
      let faultCode: string | undefined
      const begin = pastStep((vending) => {
        if (fault.cuts) goSilent({ from: Math.floor(at), to: Math.floor(until) }, fault.cuts === 'network')
        faultCode = vending.startFault(at, fault.code, until)
      })
      add(at, begin)
      if (fault.isRepairedByHand && random.chance(0.45)) {
        const repairedAt = until - random.int(2, 15) * minuteMs
        const repair = pastStep(() => faultCode && sink.repairedByHand({ code: faultCode, at: repairedAt }))
        add(repairedAt, repair)
      }
      const end = pastStep((vending) => faultCode && vending.clear(until, faultCode))
      add(until, end)
    }
  }
  const { openFault } = machine
  const fault = openFault && faultOf(openFault.code)
  if (openFault && fault?.kinds.includes(plan.kind)) {
    const at = to - openFault.hours * (0.5 + random.next()) * hourMs
    const begin = pastStep((vending) => vending.startFault(at, openFault.code, to + random.int(1, 9) * hourMs))
    add(at, begin)
  }
  return lastCut
}

const visitMs = 4 * minuteMs

/**
 * Visits on working days: the sooner a selection is empty, the more visits. The cash is collected every week or two, or when the box is
 * nearly full.
 */
function planVisits({ plan, neglectedDays }: DemoMachine, from: number, to: number, random: Random, add: Add) {
  const clock = zoneClock(plan.timeZone)
  const lastDay = to - neglectedDays * dayMs
  let collectedAt = from - random.int(0, 9) * dayMs
  const everyDays = visitDays(plan)
  const pause = () => Math.max(1, Math.round(everyDays * random.around(0.3))) * dayMs
  for (let at = from + random.next() * everyDays * dayMs; at < lastDay; at += pause()) {
    const isSunday = clock.weekHour(at) >= 6 * 24
    const midnight = at - clock.minuteOfDay(at) * minuteMs
    const visitAt = midnight + (isSunday ? dayMs : 0) + random.int(6 * 60, 15 * 60) * minuteMs
    if (visitAt >= lastDay) continue
    const isDue = visitAt - collectedAt > random.int(8, 12) * dayMs
    if (isDue) collectedAt = visitAt
    add(visitAt, (vending) => {
      vending.visit(visitAt, isDue || vending.memory.box > plan.boxCapacity * 0.45)
      return visitAt + visitMs
    })
  }
}

/** Days with daily audits. Earlier audits are weekly, and every four weeks before a month. */
const dailyAudits = 8
const weeklyAudits = 31

function planReports({ plan }: DemoMachine, from: number, to: number, add: Add) {
  const clock = zoneClock(plan.timeZone)
  for (let day = 0, at = to; at > from; at -= dayMs, day++) {
    const midnight = at - clock.minuteOfDay(at) * minuteMs
    const reportAt = midnight + plan.auditMinute * minuteMs
    const every = day < dailyAudits ? 1 : day < weeklyAudits ? 7 : 28
    const isRead = day % every === 0
    // An audit includes the content of the boxes.
    add(
      reportAt,
      pastStep((vending) => (isRead ? vending.audit(reportAt, 1) : vending.reportCash(reportAt))),
    )
  }
}

/** Mishaps of counters: a reset, or a replaced board. A lost sale is lost in transmission. */
function planMishap({ mishap, plan }: DemoMachine, to: number, add: Add) {
  const lose = (vending: Vending) =>
    vending.loseCounters(mishap === 'boardSwap' ? `${plan.boot.boardSerial}R` : undefined)
  if (mishap === 'reset' || mishap === 'boardSwap') add(to - mishapHours * hourMs, pastStep(lose))
}

/** Days with about as many readings as a machine takes; before that, one an hour is stored. */
const denseDays = 7
const denseMs = 15 * minuteMs

function planReadings(from: number, to: number, add: Add) {
  const dense = to - denseDays * dayMs
  for (let at = from; at < to; at += at < dense ? hourMs : denseMs)
    add(
      at,
      pastStep((vending) => vending.measure(at)),
    )
}

/** Settings that users change at a machine, one after the other. The last are the current settings. */
const changesOfSettings: readonly Record<string, string>[] = [
  { 'display.brightness': '60', 'display.greeting': 'Gettone+' },
  { 'energy.nightFrom': '22:00', 'energy.nightTo': '06:00', 'sale.retries': '3' },
  { 'cashless.timeoutSeconds': '90', 'display.promotion': 'two-for-one' },
]

/** Reports the configuration at the start and after each change; some changes are on site. */
function planSettings(machine: DemoMachine, from: number, to: number, add: Add) {
  const { plan } = machine
  const report = (at: number, changed: Record<string, string>, origin: number) =>
    add(
      at,
      pastStep((vending) => {
        Object.assign(ownStateOf(vending.memory).settings, changed)
        vending.reportConfiguration(at, settingsOf(plan, vending.memory), origin)
      }),
    )
  report(from + minuteMs, noVendSettingsOf(machine), 6)
  const changes = changesOfSettings.slice(0, Math.floor(fixedChance(`${plan.serial} settings`) * 3) + 1)
  changes.forEach((changed, index) => {
    const part = (index + 0.3 + 0.5 * fixedChance(`${plan.serial} setting ${index}`)) / changesOfSettings.length
    report(Math.floor(from + part * (to - from)), changed, index === 1 ? 2 : 3)
  })
}

const commandTypes = [1, 1, 1, 2, 3, 4, 5, 8] as const
const readAlarms = 2

/** Commands of users: most succeeded; some were cancelled, expired, ran out of attempts, or met an unusual machine. */
function planCommands(
  { plan, merchant }: DemoMachine,
  from: number,
  to: number,
  random: Random,
  add: Add,
): PastCommand[] {
  const commands: PastCommand[] = []
  const mean = plan.behaviour === 'success' ? 0.7 : 3
  for (let left = random.poisson(mean); left > 0; left--) {
    const at = Math.floor(from + random.next() * Math.max(0, to - from - 26 * hourMs))
    const type = random.pick(commandTypes)
    const amount = random.pick(merchant.recharges) / 5
    const parameters: PastCommand['parameters'] = type === remoteCommandTypes.sendCredit ? { amount } : {}
    const sent = { at, type, parameters, attempts: 1, expiresAt: at + dayMs }
    const executedAt = at + (plan.behaviour === 'slow' ? 95_000 : 2500) + random.int(0, 4000)
    const ran = { ...sent, startedAt: executedAt - 700, executedAt }
    const ended = endOf(plan.behaviour, random)
    const lost = { ...sent, startedAt: null, executedAt: null, info: null, status: 3 }
    if (ended === 'cancelled') commands.push({ ...lost, attempts: 0, result: -3 })
    else if (ended === 'expired') commands.push({ ...lost, attempts: 0, result: -2 })
    else if (ended === 'retries') commands.push({ ...lost, attempts: 5, result: -1 })
    else if (ended === 'unsupported') commands.push({ ...ran, status: 3, result: 1, info: null })
    else if (ended === 'error') commands.push({ ...ran, status: 5, result: 2, info: 'E-42 payout busy' })
    else if (ended === 'warning') commands.push({ ...ran, status: 4, result: 3, info: 'W-07 clock not set' })
    else {
      commands.push({ ...ran, status: 2, result: 0, info: type === readAlarms ? 'none' : null })
      if (type === remoteCommandTypes.readAudit || type === remoteCommandTypes.readCounters)
        add(
          executedAt,
          pastStep((vending) => vending.audit(executedAt, 2)),
        )
      if (type === remoteCommandTypes.sendCredit)
        add(
          executedAt,
          pastStep((vending) => vending.addCredit(executedAt, amount)),
        )
    }
  }
  return commands
}

function endOf(behaviour: DemoMachine['plan']['behaviour'], random: Random) {
  if (behaviour === 'mute') return 'retries'
  if (behaviour === 'offline') return 'expired'
  if (random.chance(0.06)) return 'cancelled'
  if (random.chance(0.04)) return random.pick(['expired', 'retries'])
  return behaviour === 'slow' ? 'success' : behaviour
}
