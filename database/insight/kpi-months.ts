import { type RawBuilder, sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import {
  asKpiRow,
  columnList,
  figureNames,
  KpiSums,
  kinds,
  kpiColumns,
  type MachineKpiRow,
  valuesOf,
} from './kpi-columns.ts'

interface DayOf {
  merchantId: string
  day: string
}

const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`
const columns = ['merchant_id', 'month', 'machine_id', 'days', ...kpiColumns]
const keyOf = (row: MachineKpiRow) => [row.machine_id, ...kinds.map((name) => row[name])].join('\n')

/**
 * Moves the sums of a month from a day's former rows to its new ones. The cost does not depend on the number of days that the month has. The caller
 * holds the lock of the merchant's sums.
 */
export async function moveMonth(
  db: TenantDb,
  { merchantId, day }: DayOf,
  former: readonly MachineKpiRow[],
  now: readonly MachineKpiRow[],
): Promise<void> {
  const machines = [...new Set([...former, ...now].map(({ machine_id }) => machine_id))]
  if (machines.length === 0) return
  const { rows } = await sql<MachineKpiRow & { days: number }>`
    delete from machine_kpis_monthly k where ${db.narrow('machine_kpis_monthly', 'k')} and k.merchant_id = ${merchantId}
      and k.month = ${firstOfMonth(day)}::date and k.machine_id = any(${machines}::uuid[])
    returning k.machine_id, k.days, ${columnList(kpiColumns, 'k')}`.execute(db.query)
  const months = new Map<string, { row: MachineKpiRow; days: number; sums: KpiSums }>()
  const add = (row: MachineKpiRow, days: number) => {
    const key = keyOf(row)
    const month = months.get(key) ?? { row, days: 0, sums: new KpiSums() }
    month.sums.add(row, days < 0 ? -1 : 1)
    month.days += days
    months.set(key, month)
  }
  for (const row of rows) add(asKpiRow(row), row.days)
  for (const row of former) add(row, -1)
  for (const row of now) add(row, 1)
  await insertRows(
    db.query,
    'machine_kpis_monthly',
    columns,
    [...months.values()]
      .filter(({ days }) => days > 0)
      .map(({ row, days, sums }) => [merchantId, firstOfMonth(day), row.machine_id, days, ...valuesOf(sums.row(row))]),
  )
}

/** The sums of a merchant's month, counted from its days. */
function countedMonth(db: TenantDb, { merchantId, day }: DayOf): RawBuilder<unknown> {
  const first = firstOfMonth(day)
  const key = columnList(['machine_id', ...kinds])
  const ofMonth = sql`machine_kpis_daily where ${db.narrow('machine_kpis_daily')} and machine_kpis_daily.merchant_id = ${merchantId}
    and day >= ${first}::date and day < ${first}::date + interval '1 month'`
  return sql`
    with of_month as (select * from ${ofMonth}),
    sums as (
      select ${key}, count(*)::int as days, ${sql.join(
        figureNames.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`),
      )} from of_month group by ${key}
    ), pieces as (
      select ${key}, u.denomination, sum(u.accepted)::bigint as accepted, sum(u.rejected)::bigint as rejected
      from of_month cross join lateral unnest(denominations, accepted, rejected) as u (denomination, accepted, rejected)
      group by ${key}, u.denomination having sum(u.accepted) <> 0 or sum(u.rejected) <> 0
    ), lists as (
      select ${key}, array_agg(denomination order by denomination) as denominations, array_agg(accepted order by denomination) as accepted,
        array_agg(rejected order by denomination) as rejected
      from pieces group by ${key}
    )
    select ${merchantId}::uuid as merchant_id, ${first}::date as month, machine_id, days, ${columnList([...kinds, ...figureNames])},
      coalesce(denominations, '{}') as denominations, coalesce(accepted, '{}') as accepted, coalesce(rejected, '{}') as rejected
    from sums left join lists using (${key})`
}

const keptMonth = (db: TenantDb, { merchantId, day }: DayOf) => sql`machine_kpis_monthly
  where ${db.narrow('machine_kpis_monthly')} and machine_kpis_monthly.merchant_id = ${merchantId} and month = ${firstOfMonth(day)}::date`

/** Whether the sums of a day's month differ from those of its days. */
export async function isMonthDifferent(db: TenantDb, of: DayOf): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    with counted as (${countedMonth(db, of)}),
    kept as (select merchant_id, month, machine_id, days, ${columnList(kinds)},
      ${sql.join(figureNames.map((name) => sql`${sql.ref(name)}::bigint`))}, denominations, accepted, rejected from ${keptMonth(db, of)})
    select exists ((table counted except table kept) union all (table kept except table counted)) as is`.execute(
    db.query,
  )
  return rows[0]?.is ?? false
}

/** Rewrites the sums of a day's month from its days. */
export async function rewriteMonth(db: TenantDb, of: DayOf): Promise<void> {
  const { rows } = await sql<MachineKpiRow & { days: number }>`${countedMonth(db, of)}`.execute(db.query)
  await sql`delete from ${keptMonth(db, of)}`.execute(db.query)
  const month = firstOfMonth(of.day)
  await insertRows(
    db.query,
    'machine_kpis_monthly',
    columns,
    rows.map((row) => [of.merchantId, month, row.machine_id, row.days, ...valuesOf(asKpiRow(row))]),
  )
}
