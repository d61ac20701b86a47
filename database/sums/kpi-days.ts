import { sql } from 'kysely'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { isNote } from '#contract/vocabulary/world/denominations.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { DowntimeRecord } from './downtime.ts'
import {
  asKpiRow,
  columnList,
  type Kind,
  type KpiRow,
  KpiSums,
  kinds,
  kpiColumns,
  type MachineKpiRow,
  valuesOf,
} from './kpi-columns.ts'
import { moveSpans } from './kpi-spans.ts'

interface KpiDay {
  merchantId: string
  day: string
  /** The day's first instant, and that of the next day. */
  from: number
  to: number
}

interface Machine extends Kind {
  id: string
  createdAt: Date
  deletedAt: Date | null
}

/** The merchant's machines, deleted ones too. What a machine was on the day is kept when the day is written again. */
async function machinesOn(db: TenantDb, { merchantId, day }: KpiDay): Promise<Machine[]> {
  const version = (peripheral: string) => sql`(
    select v.version from machine_versions v where v.merchant_id = ${merchantId} and v.machine_id = p.id
      and v.kind = 'peripheralFirmware' and v.peripheral = ${sql.lit(peripheral)})`
  const { rows } = await sql<Machine>`
    select p.id, p.created_at as "createdAt", p.deleted_at as "deletedAt",
      coalesce(k.device_type, p.device_type) as device_type,
      coalesce(k.firmware_version, p.firmware_version, '') as firmware_version,
      coalesce(k.coin_validator, ${version('coinChanger')}, '') as coin_validator,
      coalesce(k.bill_validator, ${version('billValidator')}, '') as bill_validator
    from machines p
    left join machine_kpis_daily k on k.merchant_id = ${merchantId} and k.machine_id = p.id and k.day = ${day}::date
    where ${db.narrow('machinesEver', 'p')} and p.merchant_id = ${merchantId} order by p.id`.execute(db.query)
  return rows
}

async function piecesOf(db: TenantDb, { merchantId, from, to }: KpiDay) {
  const { rows } = await sql<{ machineId: string; denomination: number; accepted: number; rejected: number }>`
    select c.machine_id as "machineId", c.denomination, sum(c.accepted)::bigint as accepted, sum(c.rejected)::bigint as rejected
    from cash_hourly c where ${db.narrow('cash_hourly', 'c')} and c.merchant_id = ${merchantId}
      and c.hour >= ${new Date(from)} and c.hour < ${new Date(to)} group by 1, 2 order by 1, 2`.execute(db.query)
  return Map.groupBy(rows, ({ machineId }) => machineId)
}

/** Blocking alarms by machine that began on the day, and how many of them are faults. */
async function alarmsOf(db: TenantDb, { merchantId, from, to }: KpiDay) {
  const { rows } = await sql<{ machineId: string; faults: number; blocking: number }>`
    select a.machine_id as "machineId", count(*)::int as blocking, count(*) filter (where a.category = 'fault')::int as faults
    from alarms a where ${db.narrow('alarms', 'a')} and a.merchant_id = ${merchantId}
      and a.criticity = ${sql.lit(alarmCriticities.blocking)}
      and a.created_at >= ${new Date(from)} and a.created_at < ${new Date(to)} group by 1`.execute(db.query)
  return new Map(rows.map((row) => [row.machineId, row]))
}

interface DayFigures {
  /** Vends that did not fail, by machine. */
  cycles: ReadonlyMap<string, number>
  down: readonly DowntimeRecord[]
}

/** KPIs of an ended day: of each machine that was attached on it, and of the merchant by what its machines were. */
async function countKpis(db: TenantDb, day: KpiDay, { cycles, down }: DayFigures) {
  const { merchantId, from, to } = day
  const machines = await machinesOn(db, day)
  const pieces = await piecesOf(db, day)
  const alarms = await alarmsOf(db, day)
  const downOf = Map.groupBy(down, ({ machineId }) => machineId)
  const { currency } = await db
    .from('merchants')
    .where('id', '=', merchantId)
    .select('currency')
    .executeTakeFirstOrThrow()
  const byKind = new Map<string, { kind: Kind; sums: KpiSums }>()
  const ofMachines: MachineKpiRow[] = []
  for (const machine of machines) {
    const sums = new KpiSums()
    const { figures } = sums
    const attached = [
      Math.max(from, machine.createdAt.getTime()),
      Math.min(to, machine.deletedAt?.getTime() ?? to),
    ] as const
    figures.seconds = Math.max(0, Math.round((attached[1] - attached[0]) / 1000))
    for (const hour of downOf.get(machine.id) ?? []) {
      figures.blocked_seconds += hour.blockedSeconds
      figures.absent_seconds += hour.absentSeconds
    }
    figures.cycles = cycles.get(machine.id) ?? 0
    figures.faults = alarms.get(machine.id)?.faults ?? 0
    figures.blocking_alarms = alarms.get(machine.id)?.blocking ?? 0
    for (const { denomination, accepted, rejected } of pieces.get(machine.id) ?? []) {
      const validator = isNote(currency as Currency, denomination) ? 'bills' : 'coins'
      figures[`${validator}_accepted`] += accepted
      figures[`${validator}_rejected`] += rejected
      sums.take(denomination, accepted, rejected)
    }
    if (sums.isEmpty()) continue
    const row = { ...sums.row(machine), machine_id: machine.id }
    ofMachines.push(row)
    const key = kinds.map((name) => machine[name]).join('\n')
    const ofKind = byKind.get(key) ?? { kind: machine, sums: new KpiSums() }
    ofKind.sums.add(row)
    byKind.set(key, ofKind)
  }
  return { ofMachines, ofMerchant: [...byKind.values()].map(({ kind, sums }) => sums.row(kind)) }
}

const ofDay = (
  db: TenantDb,
  table: 'machine_kpis_daily' | 'merchant_kpis_daily',
  { merchantId, day }: Pick<KpiDay, 'merchantId' | 'day'>,
) =>
  sql`${sql.table(table)} k where ${db.narrow(table, 'k')} and k.merchant_id = ${merchantId} and k.day = ${day}::date`

/** Rewrites the KPIs of an ended day of a merchant, and moves those of the spans that contain it. */
export async function writeKpis(db: TenantDb, day: KpiDay, figures: DayFigures): Promise<void> {
  const { ofMachines, ofMerchant } = await countKpis(db, day, figures)
  const former = await sql<MachineKpiRow>`delete from ${ofDay(db, 'machine_kpis_daily', day)}
    returning k.machine_id, ${columnList(kpiColumns, 'k')}`.execute(db.query)
  await sql`delete from ${ofDay(db, 'merchant_kpis_daily', day)}`.execute(db.query)
  await insertRows(
    db.query,
    'machine_kpis_daily',
    ['merchant_id', 'day', 'machine_id', ...kpiColumns],
    ofMachines.map((row) => [day.merchantId, day.day, row.machine_id, ...valuesOf(row)]),
  )
  await insertRows(
    db.query,
    'merchant_kpis_daily',
    ['merchant_id', 'day', ...kpiColumns],
    ofMerchant.map((row) => [day.merchantId, day.day, ...valuesOf(row)]),
  )
  await moveSpans(db, day, former.rows.map(asKpiRow), ofMachines)
}

/** The KPI tables whose rows of a day differ from a new count. */
export async function kpiDifferences(db: TenantDb, day: KpiDay, figures: DayFigures) {
  const { ofMachines, ofMerchant } = await countKpis(db, day, figures)
  const machines = await sql<MachineKpiRow>`
    select k.machine_id, ${columnList(kpiColumns, 'k')} from ${ofDay(db, 'machine_kpis_daily', day)}`.execute(db.query)
  const merchant = await sql<KpiRow>`
    select ${columnList(kpiColumns, 'k')} from ${ofDay(db, 'merchant_kpis_daily', day)}`.execute(db.query)
  const written = <R extends KpiRow>(rows: readonly R[], of: (row: R) => string) =>
    rows.map((row) => JSON.stringify([of(row), ...valuesOf(row)])).sort()
  const machineOf = ({ machine_id }: MachineKpiRow) => machine_id
  const isSame = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((text, index) => text === other[index])
  return [
    ...(isSame(written(ofMachines, machineOf), written(machines.rows.map(asKpiRow), machineOf))
      ? []
      : (['machine_kpis_daily'] as const)),
    ...(isSame(
      written(ofMerchant, () => ''),
      written(merchant.rows.map(asKpiRow), () => ''),
    )
      ? []
      : (['merchant_kpis_daily'] as const)),
  ]
}
