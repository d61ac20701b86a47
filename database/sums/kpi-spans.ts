import { type RawBuilder, sql } from 'kysely'
import { endOf, firstOf, type KpiSpan, kpiSpans } from '#domain/insight/kpi-spans.ts'
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

type SpanRow = MachineKpiRow & { span: KpiSpan; days: number }

const columns = ['merchant_id', 'span', 'first', 'machine_id', 'days', ...kpiColumns]
const keyOf = (row: SpanRow) => [row.span, row.machine_id, ...kinds.map((name) => row[name])].join('\n')

/**
 * Moves the sums of the spans that contain a day from its former rows to its new ones. The cost does not depend on the number of days that a span
 * has. The caller holds the lock of the merchant's sums.
 */
export async function moveSpans(
  db: TenantDb,
  { merchantId, day }: DayOf,
  former: readonly MachineKpiRow[],
  now: readonly MachineKpiRow[],
): Promise<void> {
  const machines = [...new Set([...former, ...now].map(({ machine_id }) => machine_id))]
  if (machines.length === 0) return
  const isOfDay = kpiSpans.map((span) => sql`(k.span = ${span} and k.first = ${firstOf(span, day)}::date)`)
  const { rows } = await sql<SpanRow>`
    delete from machine_kpis_spans k where ${db.narrow('machine_kpis_spans', 'k')} and k.merchant_id = ${merchantId}
      and (${sql.join(isOfDay, sql` or `)}) and k.machine_id = any(${machines}::uuid[])
    returning k.span, k.machine_id, k.days, ${columnList(kpiColumns, 'k')}`.execute(db.query)
  const sums = new Map<string, { row: SpanRow; days: number; sums: KpiSums }>()
  const add = (row: SpanRow, sign: 1 | -1) => {
    const key = keyOf(row)
    const ofRow = sums.get(key) ?? { row, days: 0, sums: new KpiSums() }
    ofRow.sums.add(row, sign)
    ofRow.days += sign * row.days
    sums.set(key, ofRow)
  }
  for (const row of rows) add(asKpiRow(row), 1)
  for (const span of kpiSpans) {
    for (const row of former) add({ ...row, span, days: 1 }, -1)
    for (const row of now) add({ ...row, span, days: 1 }, 1)
  }
  await write(
    db,
    merchantId,
    [...sums.values()]
      .filter(({ days }) => days > 0)
      .map(({ row, days, sums }) => ({ ...row, ...sums.row(row), days, first: firstOf(row.span, day) })),
  )
}

const write = (db: TenantDb, merchantId: string, rows: readonly (SpanRow & { first: string })[]): Promise<void> =>
  insertRows(
    db.query,
    'machine_kpis_spans',
    columns,
    rows.map((row) => [merchantId, row.span, row.first, row.machine_id, row.days, ...valuesOf(row)]),
  )

/** The spans from which a span is counted; the shortest is counted from days. */
const shorter = { year: 'month', month: 'tens' } as const

/** The sums of a merchant's span, counted from the next shorter ones. */
function countedSpan(db: TenantDb, { merchantId, day }: DayOf, span: KpiSpan): RawBuilder<unknown> {
  const first = firstOf(span, day)
  const key = columnList(['machine_id', ...kinds])
  const within = (column: 'day' | 'first') =>
    sql`${sql.ref(`k.${column}`)} >= ${first}::date and ${sql.ref(`k.${column}`)} < ${endOf(span, first)}::date`
  const parts =
    span === 'tens'
      ? sql`select k.*, 1 as days from machine_kpis_daily k where ${db.narrow('machine_kpis_daily', 'k')}
          and k.merchant_id = ${merchantId} and ${within('day')}`
      : sql`select k.* from machine_kpis_spans k where ${db.narrow('machine_kpis_spans', 'k')}
          and k.merchant_id = ${merchantId} and k.span = ${shorter[span]} and ${within('first')}`
  return sql`
    with parts as (${parts}),
    sums as (
      select ${key}, sum(days)::int as days, ${sql.join(
        figureNames.map((name) => sql`sum(${sql.ref(name)})::bigint as ${sql.ref(name)}`),
      )} from parts group by ${key}
    ), pieces as (
      select ${key}, u.denomination, sum(u.accepted)::bigint as accepted, sum(u.rejected)::bigint as rejected
      from parts cross join lateral unnest(denominations, accepted, rejected) as u (denomination, accepted, rejected)
      group by ${key}, u.denomination having sum(u.accepted) <> 0 or sum(u.rejected) <> 0
    ), lists as (
      select ${key}, array_agg(denomination order by denomination) as denominations, array_agg(accepted order by denomination) as accepted,
        array_agg(rejected order by denomination) as rejected
      from pieces group by ${key}
    )
    select machine_id, days, ${columnList([...kinds, ...figureNames])}, coalesce(denominations, '{}') as denominations,
      coalesce(accepted, '{}') as accepted, coalesce(rejected, '{}') as rejected
    from sums left join lists using (${key})`
}

const keptSpan = (db: TenantDb, { merchantId, day }: DayOf, span: KpiSpan) => sql`machine_kpis_spans k
  where ${db.narrow('machine_kpis_spans', 'k')} and k.merchant_id = ${merchantId} and k.span = ${span}
    and k.first = ${firstOf(span, day)}::date`

/** Whether the sums of a span that contains a day differ from those of its parts. */
export async function areSpansDifferent(db: TenantDb, of: DayOf): Promise<boolean> {
  for (const span of kpiSpans) {
    const { rows } = await sql<{ is: boolean }>`
      with counted as (${countedSpan(db, of, span)}),
      kept as (select k.machine_id, k.days, ${columnList(kinds, 'k')},
        ${sql.join(figureNames.map((name) => sql`${sql.ref(`k.${name}`)}::bigint`))}, k.denominations, k.accepted, k.rejected
        from ${keptSpan(db, of, span)})
      select exists ((table counted except table kept) union all (table kept except table counted)) as is`.execute(
      db.query,
    )
    if (rows[0]?.is) return true
  }
  return false
}

/** Rewrites the sums of the spans that contain a day. */
export async function rewriteSpans(db: TenantDb, of: DayOf): Promise<void> {
  for (const span of kpiSpans.toReversed()) {
    const { rows } = await sql<SpanRow>`${countedSpan(db, of, span)}`.execute(db.query)
    await sql`delete from ${keptSpan(db, of, span)}`.execute(db.query)
    const first = firstOf(span, of.day)
    await write(
      db,
      of.merchantId,
      rows.map((row) => ({ ...asKpiRow(row), span, first })),
    )
  }
}
