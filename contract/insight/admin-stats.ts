import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { MinorUnits, optionalPeriod } from '../frame/shapes.ts'
import { WithoutDataDays, withoutDataDefault } from '../machines/machine.ts'
import { MachineCounts } from '../machines/machine-state.ts'
import { AlarmCriticity } from '../vocabulary/alarm.ts'
import { Connection } from '../vocabulary/device.ts'
import { Role } from '../vocabulary/roles.ts'
import { UserStatus } from '../vocabulary/user.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** One month of UTC: how many were added in it, and how many there were at its end. Deleted records are not counted. */
export const Growth = z.strictObject({ month: z.string().regex(/^\d{4}-\d\d$/), added: z.int(), total: z.int() })
export type Growth = z.infer<typeof Growth>

const months = z.coerce.number().int().min(1).max(60).default(12)

export const MerchantStats = z.strictObject({
  total: z.int(),
  demo: z.int(),
  /** Demos that end within `demoWarningDays`, and demos that have ended. */
  demoEnding: z.int(),
  demoEnded: z.int(),
  growth: z.array(Growth),
})

export const MachineStats = z.strictObject({
  /** Without hidden machines, which are counted apart. */
  states: MachineCounts,
  connections: z.array(z.strictObject({ connection: Connection, count: z.int() })),
  hidden: z.int(),
  /** Machines without data for this many days, or never seen. */
  withoutData: z.int(),
  growth: z.array(Growth),
})
export type MachineStats = z.infer<typeof MachineStats>

/** The number of users by role and status, including zero. */
export const PeopleCount = z.strictObject({
  role: Role,
  status: UserStatus,
  count: z.int(),
})
export type PeopleCount = z.infer<typeof PeopleCount>

/** Days that a period of sales may span. */
export const longestStats = 366

const Sold = z.strictObject({ value: MinorUnits, vends: z.int() })
/** Sales in one currency, in its minor units; days are each merchant's own. */
export const CurrencySales = z.strictObject({ currency: Currency, today: Sold, period: Sold })
export type CurrencySales = z.infer<typeof CurrencySales>

/** Open alarms of machines that are not hidden. */
export const AlarmCount = z.strictObject({ criticity: AlarmCriticity, count: z.int() })

export const OperationStats = z.strictObject({
  /** Dead letters that were never replayed, and those of the last 24 hours among them. */
  deadLetters: z.int(),
  deadLettersToday: z.int(),
  exportsWaiting: z.int(),
  exportsRunning: z.int(),
  /** Within the last 24 hours. */
  exportsFailed: z.int(),
})
export type OperationStats = z.infer<typeof OperationStats>

export const adminStats = {
  getMerchantStats: endpoint({
    method: 'GET',
    path: '/admin/stats/merchants',
    summary: 'Count merchants and demos, with their growth by month',
    needs: 'stats.read',
    topics: ['merchant'],
    query: z.strictObject({ months }),
    ok: MerchantStats,
  }),
  getMachineStats: endpoint({
    method: 'GET',
    path: '/admin/stats/machines',
    summary: 'Count machines by state and connection, with their growth by month',
    needs: 'stats.read',
    topics: ['machine', 'alarm'],
    query: z.strictObject({ months, withoutDataDays: WithoutDataDays.default(withoutDataDefault) }),
    ok: MachineStats,
  }),
  getUserStats: endpoint({
    method: 'GET',
    path: '/admin/stats/users',
    summary: 'Count users by role and status',
    needs: 'stats.read',
    ok: z.array(PeopleCount),
  }),
  getSalesStats: endpoint({
    method: 'GET',
    path: '/admin/stats/sales',
    summary: 'Get platform sales by currency, today and in a period; this month by default',
    needs: 'stats.read',
    topics: ['transaction'],
    query: z.strictObject(optionalPeriod),
    ok: z.array(CurrencySales),
    fails: ['PeriodReversed', 'PeriodTooLong'],
  }),
  getAlarmStats: endpoint({
    method: 'GET',
    path: '/admin/stats/alarms',
    summary: 'Count open alarms by severity',
    needs: 'stats.read',
    topics: ['alarm'],
    ok: z.array(AlarmCount),
  }),
  getOperationStats: endpoint({
    method: 'GET',
    path: '/admin/stats/operations',
    summary: 'Count dead letters and exports',
    needs: 'stats.read',
    ok: OperationStats,
  }),
}
