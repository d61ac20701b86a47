import type { CashItem } from '#contract/device-protocol.ts'
import { startOfLocalHour } from '#domain/time/local-hour.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/** Adds accepted and rejected cash to the hourly sums, by denomination. */
export async function addCashToHours(
  db: TenantDb,
  rows: readonly { merchantId: string; machineId: string; timeZone: string; at: number; cash: CashItem }[],
): Promise<void> {
  type Sums = [string, string, string, number, accepted: number, rejected: number]
  const hours = new Map<string, Sums>()
  for (const { merchantId, machineId, timeZone, at, cash } of rows) {
    const hour = startOfLocalHour(at, timeZone)
    const add = (denomination: number, accepted: number, rejected: number) => {
      const key = `${machineId} ${hour} ${denomination}`
      let sums = hours.get(key)
      if (!sums) {
        sums = [merchantId, new Date(hour).toISOString(), machineId, denomination, 0, 0]
        hours.set(key, sums)
      }
      sums[4] += accepted
      sums[5] += rejected
    }
    for (const { value, count } of cash.accepted) if (count > 0) add(value, count, 0)
    for (const { value, count } of cash.rejected) if (count > 0) add(value, 0, count)
  }
  const sorted = [...hours].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sums]) => sums)
  await insertRows(
    db.query,
    'cash_hourly',
    ['merchant_id', 'hour', 'machine_id', 'denomination', 'accepted', 'rejected'],
    sorted,
    `on conflict (merchant_id, hour, machine_id, denomination) do update set
      accepted = cash_hourly.accepted + excluded.accepted, rejected = cash_hourly.rejected + excluded.rejected`,
  )
}
