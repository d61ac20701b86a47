import { sql } from 'kysely'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { isNote } from '#contract/vocabulary/world/denominations.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { DowntimeRecord } from './downtime.ts'

/** What a machine is: the KPIs of a merchant are kept by it. */
const kinds = ['device_type', 'firmware_version', 'coin_validator', 'bill_validator'] as const
type Kind = Record<(typeof kinds)[number], string>

const figures = [
  ...(['seconds', 'blocked_seconds', 'absent_seconds', 'cycles', 'faults', 'blocking_alarms'] as const),
  ...(['coins_accepted', 'coins_rejected', 'bills_accepted', 'bills_rejected'] as const),
] as const
type Figures = Record<(typeof figures)[number], number> & {
  pieces: Map<number, { accepted: number; rejected: number }>
}

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

const nothing = (): Figures => ({
  ...(Object.fromEntries(figures.map((name) => [name, 0])) as Record<(typeof figures)[number], number>),
  pieces: new Map(),
})

function add(sum: Figures, one: Figures): void {
  for (const name of figures) sum[name] += one[name]
  for (const [value, { accepted, rejected }] of one.pieces) {
    const known = sum.pieces.get(value) ?? { accepted: 0, rejected: 0 }
    sum.pieces.set(value, { accepted: known.accepted + accepted, rejected: known.rejected + rejected })
  }
}

const columns = [...kinds, ...figures, 'denominations', 'accepted', 'rejected']
function valuesOf(kind: Kind, sums: Figures): unknown[] {
  const pieces = [...sums.pieces].sort(([one], [other]) => one - other)
  return [
    ...kinds.map((name) => kind[name]),
    ...figures.map((name) => sums[name]),
    pieces.map(([value]) => value),
    pieces.map(([, { accepted }]) => accepted),
    pieces.map(([, { rejected }]) => rejected),
  ]
}

/**
 * Rewrites the KPIs of an ended day of a merchant: of each machine that was attached on it, and of the merchant. `cycles` are vends that
 * did not fail.
 */
export async function writeKpis(
  db: TenantDb,
  day: KpiDay,
  { cycles, down }: { cycles: ReadonlyMap<string, number>; down: readonly DowntimeRecord[] },
): Promise<void> {
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
  const byKind = new Map<string, { kind: Kind; sums: Figures }>()
  const rows: unknown[][] = []
  for (const machine of machines) {
    const sums = nothing()
    const attached = [
      Math.max(from, machine.createdAt.getTime()),
      Math.min(to, machine.deletedAt?.getTime() ?? to),
    ] as const
    sums.seconds = Math.max(0, Math.round((attached[1] - attached[0]) / 1000))
    for (const hour of downOf.get(machine.id) ?? []) {
      sums.blocked_seconds += hour.blockedSeconds
      sums.absent_seconds += hour.absentSeconds
    }
    sums.cycles = cycles.get(machine.id) ?? 0
    sums.faults = alarms.get(machine.id)?.faults ?? 0
    sums.blocking_alarms = alarms.get(machine.id)?.blocking ?? 0
    for (const { denomination, accepted, rejected } of pieces.get(machine.id) ?? []) {
      const validator = isNote(currency as Currency, denomination) ? 'bills' : 'coins'
      sums[`${validator}_accepted`] += accepted
      sums[`${validator}_rejected`] += rejected
      sums.pieces.set(denomination, { accepted, rejected })
    }
    if (figures.every((name) => sums[name] === 0)) continue
    rows.push([merchantId, day.day, machine.id, ...valuesOf(machine, sums)])
    const key = kinds.map((name) => machine[name]).join('\n')
    const known = byKind.get(key) ?? { kind: machine, sums: nothing() }
    add(known.sums, sums)
    byKind.set(key, known)
  }
  for (const table of ['machine_kpis_daily', 'merchant_kpis_daily'] as const)
    await sql`delete from ${sql.table(table)} where ${db.narrow(table)} and merchant_id = ${merchantId}
      and day = ${day.day}::date`.execute(db.query)
  await insertRows(db.query, 'machine_kpis_daily', ['merchant_id', 'day', 'machine_id', ...columns], rows)
  await insertRows(
    db.query,
    'merchant_kpis_daily',
    ['merchant_id', 'day', ...columns],
    [...byKind.values()].map(({ kind, sums }) => [merchantId, day.day, ...valuesOf(kind, sums)]),
  )
}
