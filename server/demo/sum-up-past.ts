import { insertRows } from '#database/frame/bulk-insert.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { downtimeWithin } from '#database/insight/downtime.ts'
import { closingMs } from '#database/sales/changed-days.ts'
import { hoursOfLocalDay, localDayOf } from '#domain/time/local-hour.ts'
import { addDays } from '#domain/time/period.ts'
import { connectOwner } from './copy.ts'
import { demoMerchants } from './merchants.ts'
import { sumUpGroups } from './sum-up-groups.ts'

const sums = 'sum(count), sum(value), sum(value_charge), sum(free_count), sum(error_count)'
const summed = 'count, value, value_charge, free_count, error_count'

/** Sums up ended days like the worker, but all at once: one after the other would take longer than the history. */
export async function sumUpPast(
  { adminUrl, doors }: { adminUrl: string; doors: Doors },
  { from, until }: { from: number; until: number },
): Promise<void> {
  const owner = await connectOwner(adminUrl)
  try {
    for (const { id, timeZone } of demoMerchants) {
      const open = localDayOf(until - closingMs, timeZone)
      const hours = `(select (hour at time zone '${timeZone}')::date as day, s.* from sales_hourly s where merchant_id = '${id}') s`
      for (const [table, codes] of [
        ['sales_daily', 'machine_id, type, media_type, media_source'],
        ['product_sales_daily', 'machine_id, type, media_type, media_source, price_table, product'],
      ] as const)
        await owner.query(`insert into ${table} (merchant_id, day, ${codes}, ${summed})
          select '${id}'::uuid, day, ${codes}, ${sums} from ${hours} where day < '${open}' group by day, ${codes} order by day, ${codes}`)
      await sumUpGroups(owner, 'hour', `s.merchant_id = '${id}'`)
      await sumUpGroups(owner, 'day', `s.merchant_id = '${id}'`)
      await writeDowntime(doors, { id, timeZone }, localDayOf(from, timeZone), open)
      // Last: after an interruption, the worker sums these days up.
      await owner.query(
        `insert into summed_days (merchant_id, day, summed_at) select distinct merchant_id, day, $1::timestamptz from sales_daily
         where merchant_id = $2`,
        [new Date(until), id],
      )
    }
  } finally {
    await owner.end()
  }
}

async function writeDowntime(
  doors: Doors,
  { id, timeZone }: { id: string; timeZone: string },
  first: string,
  open: string,
): Promise<void> {
  const hours: { from: number; to: number }[] = []
  for (let day = first; day < open; day = addDays(day, 1)) hours.push(...hoursOfLocalDay(day, timeZone))
  await doors.withTenant([{ merchantId: id, groups: 'all' }], async (db) => {
    const down = await downtimeWithin(db, { merchantId: id }, hours)
    await insertRows(
      db.query,
      'downtime_hourly',
      ['merchant_id', 'hour', 'machine_id', 'blocked_seconds', 'absent_seconds'],
      down.map((row) => [id, row.from, row.machineId, row.blockedSeconds, row.absentSeconds]),
    )
  })
}
