import { randomUUIDv7 } from 'node:crypto'
import { localDayOf } from '#domain/time/local-hour.ts'
import { addDays, closingMs } from '#domain/time/period.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Items stored later than this after they happened mark their day as changed, because it may have been summed up. */
const promptMs = closingMs / 2

/** Marks days before today as changed, because they may have been summed up. Prompt items cost one comparison. */
export async function markLate(
  db: Pick<TenantDb, 'query'>,
  rows: readonly { merchantId: string; timeZone: string; at: number }[],
  now: Date,
): Promise<void> {
  const days = new Map<string, [merchantId: string, day: string]>()
  for (const { merchantId, timeZone, at } of rows) {
    if (at > now.getTime() - promptMs) continue
    const day = localDayOf(at, timeZone)
    if (day < localDayOf(now.getTime(), timeZone)) days.set(`${merchantId} ${day}`, [merchantId, day])
  }
  await mark(db, [...days.values()])
}

/** The same for a stretch of time: marks every day before today that it covers. */
export async function markLateStretches(
  db: Pick<TenantDb, 'query'>,
  stretches: readonly { merchantId: string; from: Date; to: Date }[],
  now: Date,
): Promise<void> {
  const late = stretches.filter(({ from }) => from.getTime() <= now.getTime() - promptMs)
  if (late.length === 0) return
  const merchants = await db.query
    .selectFrom('merchants')
    .where('id', 'in', [...new Set(late.map(({ merchantId }) => merchantId))])
    .select(['id', 'time_zone'])
    .execute()
  const zones = new Map(merchants.map((merchant) => [merchant.id, merchant.time_zone]))
  const days = new Map<string, [merchantId: string, day: string]>()
  for (const { merchantId, from, to } of late) {
    const zone = zones.get(merchantId)
    if (zone === undefined) continue
    const last = localDayOf(to.getTime(), zone)
    const today = localDayOf(now.getTime(), zone)
    for (let day = localDayOf(from.getTime(), zone); day <= last && day < today; day = addDays(day, 1))
      days.set(`${merchantId} ${day}`, [merchantId, day])
  }
  await mark(db, [...days.values()])
}

const mark = (db: Pick<TenantDb, 'query'>, days: readonly [merchantId: string, day: string][]): Promise<void> =>
  insertRows(
    db.query,
    'changed_days',
    ['merchant_id', 'day', 'id'],
    days.map((day) => [...day, randomUUIDv7()]),
  )
