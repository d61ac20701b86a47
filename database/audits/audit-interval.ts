import { type Selectable, sql } from 'kysely'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { skippedKinds } from '#contract/vocabulary/audit.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { type AuditCounters, countersOf } from '#domain/audits/audit-counters.ts'
import { comparable, type Interval, intervalBetween } from '#domain/audits/audit-interval.ts'
import { holdMachines } from '../alarms/alarm-rule.ts'
import { writtenJson } from '../frame/records.ts'
import type { AuditIntervals } from '../frame/schema.gen.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** A reading of a machine's counters, with its position among the machine's readings. */
export interface CounterRead {
  auditId: string
  at: Date
  epoch: number | null
  seq: number | null
  counters: AuditCounters
}

const isSkipped = ({ kind }: Interval) => (skippedKinds as readonly string[]).includes(kind)

/** The compared sums of an interval, by column. */
export function intervalColumns(interval: Interval) {
  const { sold, cash, other, freeCount, testCount, cashIn, toBox } = comparable(interval)
  return {
    kind: interval.kind,
    sold_count: sold[0],
    sold_value: sold[1],
    cash_count: cash[0],
    cash_value: cash[1],
    other_count: other[0],
    other_value: other[1],
    free_count: freeCount,
    test_count: testCount,
    cash_in: cashIn,
    to_box: toBox,
  }
}

/** The columns of the reading before. */
export const beginOf = (before: CounterRead | null, interval: Interval) => {
  const follows = isSkipped(interval) ? null : before
  return {
    begins_at: follows?.at ?? null,
    begin_audit_id: follows?.auditId ?? null,
    begin_epoch: follows?.epoch ?? null,
    begin_seq: follows?.seq ?? null,
  }
}

type Stored = Pick<Selectable<AuditIntervals>, 'audit_id' | 'ends_at' | 'epoch' | 'seq' | 'counters'>
const readOf = (row: Stored): CounterRead => ({
  auditId: row.audit_id,
  at: row.ends_at,
  epoch: row.epoch,
  seq: row.seq,
  counters: writtenJson<AuditCounters>(row.counters),
})

/** The reading before or after an instant that reports counters. */
export async function neighbour(
  db: TenantDb,
  { merchantId, machineId, at, auditId }: { merchantId: string; machineId: string; at: Date; auditId: string },
  side: 'before' | 'after',
): Promise<CounterRead | null> {
  const place = sql`(audit_intervals.ends_at, audit_intervals.audit_id)`
  const position = sql`(${at}::timestamptz, ${auditId}::uuid)`
  const order = side === 'before' ? 'desc' : 'asc'
  const row = await db
    .from('audit_intervals')
    .where('merchant_id', '=', merchantId)
    .where('machine_id', '=', machineId)
    .where('kind', 'not in', [...skippedKinds])
    .where(side === 'before' ? sql<boolean>`${place} < ${position}` : sql<boolean>`${place} > ${position}`)
    .select(['audit_id', 'ends_at', 'epoch', 'seq', 'counters'])
    .orderBy('ends_at', order)
    .orderBy('audit_id', order)
    .limit(1)
    .executeTakeFirst()
  return row ? readOf(row) : null
}

/**
 * Computes the differences of stored audits to the audits before them. A late audit splits an interval; the second part is recomputed.
 * The caller has locked the machines of the audits.
 */
export async function writeIntervals(db: TenantDb, auditIds: readonly string[]): Promise<void> {
  if (auditIds.length === 0) return
  const audits = await db
    .from('audits')
    .innerJoin('merchants', 'merchants.id', 'audits.merchant_id')
    .where('audits.id', 'in', [...auditIds])
    .select([
      'audits.merchant_id as merchantId',
      'audits.machine_id as machineId',
      'audits.id as auditId',
      'audits.read_at as at',
      'audits.epoch',
      'audits.seq',
      'audits.content',
      'merchants.currency',
    ])
    .orderBy('audits.read_at')
    .execute()
  for (const { merchantId, machineId, content, currency, ...audit } of audits) {
    const counters = countersOf(writtenJson<AuditContent>(content), currency as Currency)
    const now: CounterRead = { ...audit, counters }
    const place = { merchantId, machineId, at: now.at, auditId: now.auditId }
    const before = await neighbour(db, place, 'before')
    const interval = intervalBetween(before?.counters ?? null, counters)
    await db.query
      .insertInto('audit_intervals')
      .values({
        merchant_id: merchantId,
        machine_id: machineId,
        ends_at: now.at,
        audit_id: now.auditId,
        epoch: now.epoch,
        seq: now.seq,
        counters: JSON.stringify(counters),
        ...beginOf(before, interval),
        ...intervalColumns(interval),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const after = isSkipped(interval) ? null : await neighbour(db, place, 'after')
    if (!after) continue
    const parted = intervalBetween(counters, after.counters)
    await db.query
      .updateTable('audit_intervals')
      .set({ ...beginOf(now, parted), ...intervalColumns(parted) })
      .where('merchant_id', '=', merchantId)
      .where('machine_id', '=', machineId)
      .where('ends_at', '=', after.at)
      .where('audit_id', '=', after.auditId)
      .execute()
  }
}

/** Audits of one transaction. */
const pageSize = 100

/** Computes the intervals of audits that were stored before intervals existed. Several processes may run it at once. */
export async function fillIntervals(doors: Doors): Promise<void> {
  const merchants = await doors.withSystem(
    'audit intervals',
    (db) => db.selectFrom('merchants').select('id').orderBy('id').execute(),
    'single statement',
  )
  for (const { id } of merchants) while (await fillSome(doors, id));
}

const fillSome = (doors: Doors, merchantId: string): Promise<boolean> =>
  doors.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    const lacking = () =>
      db
        .from('audits')
        .where(
          sql<boolean>`not exists (select 1 from audit_intervals i
            where ${db.own('i')} and i.merchant_id = audits.merchant_id and i.audit_id = audits.id)`,
        )
        .select(['audits.id', 'audits.machine_id as machineId'])
    const lackingAudits = await lacking().limit(pageSize).execute()
    if (lackingAudits.length === 0) return false
    await holdMachines(db, [...new Set(lackingAudits.map(({ machineId }) => machineId))])
    // Another process may have been faster.
    const ids = await lacking()
      .where(
        'audits.id',
        'in',
        lackingAudits.map(({ id }) => id),
      )
      .execute()
    await writeIntervals(
      db,
      ids.map(({ id }) => id),
    )
    return true
  })

/** The interval that ends with an audit, with the counters of both readings. */
export async function findInterval(db: TenantDb, machineId: string, auditId: string) {
  const of = (id: string) =>
    db
      .from('audit_intervals')
      .where('machine_id', '=', machineId)
      .where('audit_id', '=', id)
      .select(['audit_id', 'ends_at', 'epoch', 'seq', 'counters', 'begin_audit_id'])
      .executeTakeFirst()
  const row = await of(auditId)
  if (!row) return undefined
  const before = row.begin_audit_id ? await of(row.begin_audit_id) : undefined
  return { now: readOf(row), before: before ? readOf(before) : null }
}
