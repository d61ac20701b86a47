import type { ZoneClock } from './clock.ts'
import { faults } from './faults.ts'
import { visitDays } from './plan.ts'
import type { Random } from './random.ts'
import type { Vending } from './vending.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Live machines break and recover more often than in the history, so that users see activity. */
const haste = 8
/** Response time of a technician by day. */
const answerMs = 0.6 * hourMs
const visitMs = 3 * minuteMs
const cashEveryMs = hourMs
const readingEveryMs = 5 * minuteMs
/** Pause between reports of levels after sales. */
const stockEveryMs = 2 * minuteMs

export interface MachineLife {
  /** Simulates the time since the last step: sales, faults and their ends, visits, reports. `boost` multiplies sales. */
  step(now: number, boost: number): void
  /** Whether its power or network is cut, so that it is unreachable. */
  isCutOff(): boolean
}

/**
 * The live simulation of a machine with the works of `vending`, starting at `start`. At a share of the visits the technician edits
 * a price.
 */
export function openMachineLife(
  vending: Vending,
  random: Random,
  clock: ZoneClock,
  start: number,
  edits: { share: number; edit(at: number): void },
): MachineLife {
  const { plan, memory } = vending
  const visitEveryMs = visitDays(plan) * dayMs
  let last = start
  let nextCash = start + random.next() * cashEveryMs
  let nextReading = start + random.next() * readingEveryMs
  let nextStock = start + stockEveryMs
  /** A technician is at the machine since then. */
  let visitedSince: number | undefined
  const possibleFaults = faults.filter(
    ({ kinds, code }) => kinds.includes(plan.kind) && (code !== 'ENC' || plan.bills.length > 0),
  )

  /** Whether an event with a mean interval of `every` occurs within a period. */
  const happens = (stretch: number, every: number) => random.chance(1 - Math.exp(-stretch / every))

  function breakAndMend(now: number, stretch: number) {
    for (const { code, until } of [...memory.faults]) if (until !== null && until <= now) vending.clear(now, code)
    for (const fault of possibleFaults) {
      if (!happens(stretch, (fault.everyDays * dayMs) / plan.trouble / haste)) continue
      const [shortest, longest] = fault.minutes
      const minutes = Math.max(2, (shortest + (longest - shortest) * random.next() ** 2.5) / haste)
      vending.startFault(now, fault.code, now + minutes * minuteMs)
    }
  }

  function visitWhenDue(now: number, stretch: number) {
    const minute = clock.minuteOfDay(now)
    if (minute < 6 * 60 || minute > 19 * 60) return
    const isWaitedFor = memory.stock.includes(0) || memory.faults.some(({ until }) => until === null)
    // Thirteen hours of a day are working hours.
    if (!happens(stretch, isWaitedFor ? answerMs : visitEveryMs * (13 / 24))) return
    visitedSince = now
  }

  function endVisit(began: number, now: number) {
    visitedSince = undefined
    vending.visit(began, memory.box > plan.boxCapacity * 0.45)
    if (edits.share > 0 && random.chance(edits.share)) edits.edit(now)
  }

  function reportWhenDue(now: number, before: number) {
    if (now >= nextCash) {
      nextCash = now + cashEveryMs
      vending.reportCash(now)
    }
    if (now >= nextReading) {
      nextReading = now + readingEveryMs
      vending.measure(now)
    }
    const unreported = vending.unreportedStock()
    if (unreported === 'urgent' || (unreported && now >= nextStock)) {
      nextStock = now + stockEveryMs
      vending.reportStock(now, 'changed')
    }
    const from = clock.minuteOfDay(before)
    const to = clock.minuteOfDay(now)
    if (from !== to && from < plan.auditMinute && to >= plan.auditMinute) vending.audit(now, 1)
  }

  return {
    step(now, boost) {
      const before = last
      // A long pause (a sleeping computer) is skipped.
      const stretch = Math.min(now - before, 10_000)
      if (stretch <= 0) {
        last = now
        return
      }
      // The machine sells nothing while the technician has the door open, so the reports of a visit are in order with the sales.
      if (visitedSince !== undefined) {
        if (now >= visitedSince && now - visitedSince < visitMs) return
        endVisit(visitedSince, now)
      }
      last = now
      breakAndMend(now, stretch)
      const perHour = (plan.rhythm[clock.weekHour(now)] ?? 0) * boost
      for (let left = random.poisson((perHour * stretch) / hourMs); left > 0; left--) vending.sellOne(now)
      visitWhenDue(now, stretch)
      reportWhenDue(now, before)
    },
    isCutOff: () => memory.faults.some(({ code }) => code === 'OCF' || code === 'OCK'),
  }
}
