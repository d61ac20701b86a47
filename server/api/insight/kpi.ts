import { toWire } from '#contract/frame/instant.ts'
import type { KpiDay, kpis } from '#contract/insight/kpi.ts'
import { blockingByDay, cashByDay, cyclesByDay, downtimeByDay } from '#database/insight/kpi.ts'
import { mcbfOf } from '#domain/insight/cycles.ts'
import { kpiPeriod } from '#domain/insight/kpi-interval.ts'
import { startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays, daysIn, lastEndedDay } from '#domain/time/period.ts'
import type { Handlers } from '#server/http/handler.ts'
import { machineOf } from '#server/http/refuse.ts'

const sumOf = <K extends string>(rows: readonly Record<K, number>[], key: K) =>
  rows.reduce((sum, row) => sum + row[key], 0)

export const kpiHandlers: Handlers<typeof kpis> = {
  getMachineKpis: async ({ db, params, query, now }) => {
    const record = await machineOf(db, params.posId)
    const machine = { id: record.id, merchantId: record.merchant_id, timeZone: record.time_zone }
    const period = kpiPeriod(query, lastEndedDay(now, machine.timeZone))
    const days = Math.max(0, daysIn(period))
    const end = new Date(Math.min(now.getTime(), startOfLocalDay(addDays(period.endDate, 1), machine.timeZone)))
    const cash = await cashByDay(db, machine, period)
    const cycles = new Map((await cyclesByDay(db, machine, period)).map((row) => [row.day, row.cycles]))
    const blocking = new Map((await blockingByDay(db, machine, period)).map((row) => [row.day, row]))
    const down = new Map((await downtimeByDay(db, machine, period, now)).map((row) => [row.day, row]))
    const cashOf = Map.groupBy(cash, ({ day }) => day)

    const series = Array.from({ length: days }, (_, index): KpiDay => {
      const day = addDays(period.startDate, index)
      const { blockedSeconds = 0, absentSeconds = 0 } = down.get(day) ?? {}
      const cash = cashOf.get(day) ?? []
      return {
        day,
        accepted: sumOf(cash, 'accepted'),
        rejected: sumOf(cash, 'rejected'),
        blockedSeconds,
        absentSeconds,
        cycles: cycles.get(day) ?? 0,
        faults: blocking.get(day)?.faults ?? 0,
        blockingAlarms: blocking.get(day)?.blockingAlarms ?? 0,
      }
    })
    const from = new Date(Math.max(startOfLocalDay(period.startDate, machine.timeZone), record.created_at.getTime()))
    const allCycles = sumOf(series, 'cycles')
    const allFaults = sumOf(series, 'faults')
    const { cycles: mean, isMore } = mcbfOf(allCycles, allFaults)
    return {
      days,
      from: toWire(from),
      to: toWire(end),
      cashAcceptance: {
        accepted: sumOf(series, 'accepted'),
        rejected: sumOf(series, 'rejected'),
        denominations: [...Map.groupBy(cash, ({ denomination }) => denomination)].map(([denomination, rows]) => ({
          denomination,
          accepted: sumOf(rows, 'accepted'),
          rejected: sumOf(rows, 'rejected'),
        })),
      },
      downtime: {
        seconds: Math.max(0, Math.round((end.getTime() - from.getTime()) / 1000)),
        blockedSeconds: sumOf(series, 'blockedSeconds'),
        absentSeconds: sumOf(series, 'absentSeconds'),
      },
      mcbf: {
        cycles: allCycles,
        faults: allFaults,
        blockingAlarms: sumOf(series, 'blockingAlarms'),
        mean,
        isMore,
      },
      series,
    }
  },
}
