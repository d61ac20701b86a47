import { type PortalAlarm, portalAlarmCodes } from '#contract/vocabulary/alarm.ts'
import { features } from '#contract/vocabulary/feature.ts'
import { portalAlarmKinds } from '#domain/alarms/alarm-kind.ts'
import { findingsOf, type MachineFacts } from '#domain/alarms/alarm-rule.ts'
import { openStatusOf } from '#domain/alarms/alarm-setting.ts'
import { stockFactsOf } from '#domain/stock/shortage.ts'
import { type Random, randomFrom } from '#simulator/random.ts'
import { stockLevelsOf } from '../fleet/wares.ts'
import { uuidAt } from '../write/uuid.ts'
import type { PastAlarm } from './alarm-book.ts'
import type { MachinePast } from './write-history.ts'

const hourMs = 3_600_000

/** The default limits of a merchant. */
const limits = {
  noDataMinutes: 60,
  minimumSignalPercent: 45,
  auditExceededHours: 48,
  cashBoxFullPercent: 90,
  clockDriftMinutes: 5,
  lowStockSelections: 3,
  temperatureMinimum: null,
  temperatureMaximum: null,
  features,
}

/** The portal's own alarms that are open at the end of the history, by the gateway's rules. */
export function portalAlarmsOf(past: MachinePast, { until, seed }: { until: number; seed: string }): PastAlarm[] {
  const { machine, memory, lastSeenAt } = past
  const { plan } = machine
  const random = randomFrom(`${seed} portal alarms ${plan.serial}`)
  const open = past.alarms.filter(({ repairedAt }) => !repairedAt).map(({ code }) => code)
  const facts: MachineFacts = {
    hidden: false,
    createdAt: new Date(machine.createdAt),
    lastSeenAt: new Date(lastSeenAt),
    lastAuditAt: memory.lastAuditAt === null ? null : new Date(memory.lastAuditAt),
    networkType: plan.boot.networkType ?? null,
    signalPercent: plan.signalPercent,
    driftSeconds: -plan.driftSeconds,
    cashInBox: memory.box,
    cashBoxCapacity: plan.boxCapacity,
    temperatureCelsius: null,
    ...stockFactsOf(stockLevelsOf(past), open),
  }
  const at = new Date(until)
  const findings = findingsOf(facts, limits, { at, listeningSince: new Date(machine.createdAt) })
  return [...findings].flatMap(([alarm, { standing, detail, criticity: foundCriticity }]) => {
    if (standing !== 'beyond') return []
    const began = Math.min(until, beginningOf(alarm, past, until, random))
    const createdAt = new Date(began)
    const { category, criticity: usual } = portalAlarmKinds[alarm]
    const criticity = foundCriticity ?? usual
    return {
      id: uuidAt(began, random),
      code: portalAlarmCodes[alarm],
      source: 'portal' as const,
      category,
      criticity,
      status: openStatusOf(criticity),
      detail,
      count: 1,
      createdAt,
      lastAt: createdAt,
      repairedAt: null,
      pauses: [],
      repairedBy: null,
      repairNote: null,
    }
  })
}

function beginningOf(alarm: PortalAlarm, past: MachinePast, until: number, random: Random): number {
  if (alarm === 'noData') return past.lastSeenAt + limits.noDataMinutes * 60_000
  if (alarm === 'auditOverdue')
    return (past.memory.lastAuditAt ?? past.machine.createdAt) + limits.auditExceededHours * hourMs
  if (alarm === 'cashBoxFull' || alarm === 'stockLow') return until - random.int(10, 300) * 60_000
  return until - random.int(20, 900) * hourMs
}
