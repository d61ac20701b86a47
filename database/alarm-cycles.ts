import { sql } from 'kysely'
import { kpiIntervalDefault } from '#contract/rules/number.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { mcbfOf, remainingCycles } from '#domain/cycles.ts'
import { isSale, vends } from './sales.ts'
import type { TenantDb } from './tenant.ts'

interface Counted {
  merchantId: string
  machineId: string
  id: string
  code: string
  category: string
  criticity: number
  createdAt: Date
}

/**
 * Notes on an alarm how its machine stood when it was raised: the MCBF of the 30 days before, for a blocking fault; the cycles left
 * until the next service, where the merchant has said after how many one is due. A service is the last repair of the same code.
 */
export async function noteCycles(db: TenantDb, alarm: Counted, serviceCycles: number | null): Promise<void> {
  const isFailure = alarm.category === 'fault' && alarm.criticity === alarmCriticities.blocking
  if (!isFailure && serviceCycles === null) return
  const since = new Date(alarm.createdAt.getTime() - kpiIntervalDefault * 86_400_000)
  const mcbf = isFailure
    ? mcbfOf(await cyclesBetween(db, alarm, since, alarm.createdAt), await faultsBetween(db, alarm, since)).cycles
    : null
  const serviced = serviceCycles === null ? null : await lastService(db, alarm)
  const sinceService = serviced === null ? 0 : await cyclesBetween(db, alarm, serviced, alarm.createdAt)
  await db.query
    .updateTable('alarms')
    .set({ mcbf, remaining_cycles: remainingCycles(serviceCycles, sinceService) })
    .where(db.narrow('alarms'))
    .where('id', '=', alarm.id)
    .execute()
}

async function cyclesBetween(db: TenantDb, machine: Counted, from: Date, to: Date): Promise<number> {
  const { rows } = await sql<{ cycles: number }>`select coalesce(${vends('s')}, 0)::int as cycles from sales_hourly s
    where ${db.narrow('sales_hourly', 's')} and s.merchant_id = ${machine.merchantId} and s.machine_id = ${machine.machineId}
      and s.hour >= ${from} and s.hour < ${to} and ${isSale('s')}`.execute(db.query)
  return rows[0]?.cycles ?? 0
}

async function faultsBetween(db: TenantDb, alarm: Counted, from: Date): Promise<number> {
  const { count } = await db
    .from('alarms')
    .where('machine_id', '=', alarm.machineId)
    .where('created_at', '>=', from)
    .where('created_at', '<=', alarm.createdAt)
    .where('category', '=', 'fault')
    .where('criticity', '=', alarmCriticities.blocking)
    .select((query) => query.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** When the machine was serviced last: the last repair of the code, or when it was attached. */
async function lastService(db: TenantDb, alarm: Counted): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select coalesce(
      (select max(a.repaired_at) from alarms a where a.merchant_id = m.merchant_id and a.machine_id = m.id
        and a.code = ${alarm.code} and a.repaired_at <= ${alarm.createdAt}), m.created_at) as at
    from machines m where ${db.narrow('machines', 'm')} and m.id = ${alarm.machineId}`.execute(db.query)
  return rows[0]?.at ?? alarm.createdAt
}
