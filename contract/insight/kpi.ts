import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Day, Instant, MinorUnits } from '../frame/shapes.ts'
import { daysBetween, KpiInterval, kpiIntervalLimits } from '../rules/number.ts'

const cash = { accepted: z.int(), rejected: z.int() }
const down = { blockedSeconds: z.int(), absentSeconds: z.int() }
const began = { faults: z.int(), blockingAlarms: z.int() }

/**
 * One local day of a machine; `cycles` are vends that did not fail, `blockingAlarms` those of every category that began on it, and
 * `faults` those of them whose category is fault.
 */
export const KpiDay = z.strictObject({ day: Day, ...cash, ...down, cycles: z.int(), ...began })
export type KpiDay = z.infer<typeof KpiDay>

/**
 * How well a machine does over an interval of ended local days. `to` is the interval's end. `seconds` is how long it is, from when the machine was attached at the
 * earliest. `blockedSeconds`: at least one blocking alarm was open; `absentSeconds`, apart from it: the portal did not hear the machine. `mcbf`
 * is cycles ÷ blocking faults to whole cycles; without a fault `isMore`, and `mean` is the cycles. Blocking alarms of other categories (jams, say) block
 * the machine and are no failures of it: they count in `blockingAlarms` alone.
 */
export const MachineKpis = z.strictObject({
  days: z.int(),
  from: Instant,
  to: Instant,
  cashAcceptance: z.strictObject({
    ...cash,
    /** By value in minor units, the smallest first. */
    denominations: z.array(z.strictObject({ denomination: MinorUnits, ...cash })),
  }),
  downtime: z.strictObject({ seconds: z.int(), ...down }),
  mcbf: z.strictObject({ cycles: z.int(), ...began, mean: z.int(), isMore: z.boolean() }),
  /** Every day of the interval, the oldest first. */
  series: z.array(KpiDay),
})
export type MachineKpis = z.infer<typeof MachineKpis>

/** The last ended days, 30 by default, or a start and an end; days that have not ended are left out. */
export const kpiInterval = {
  days: z.coerce.number().pipe(KpiInterval).optional(),
  startDate: Day.optional(),
  endDate: Day.optional(),
}
export const isKpiInterval = daysBetween(kpiIntervalLimits)
const KpiQuery = z.strictObject(kpiInterval).check(isKpiInterval)

export const kpis = {
  getMachineKpis: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/kpis',
    summary: 'Get rejection rates, downtime and MCBF of a point of sale',
    needs: 'machine.read',
    finds: ['posId'],
    query: KpiQuery,
    ok: MachineKpis,
    fails: ['MachineNotFound'],
  }),
}
