import { sql } from 'kysely'
import type pg from 'pg'
import { insertRows } from '#database/frame/bulk-insert.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { isSale, vends } from '#database/sales/sales.ts'
import { downtimeWithin } from '#database/sums/downtime.ts'
import { writeKpis } from '#database/sums/kpi-days.ts'
import { rewriteToDate, toDateParts } from '#database/sums/to-date.ts'
import { endOf, firstOf } from '#domain/insight/kpi-spans.ts'
import { hoursOfLocalDay, localDayOf } from '#domain/time/local-hour.ts'
import { addDays, closingMs } from '#domain/time/period.ts'
import type { DemoMachine } from '../fleet/fleet.ts'
import { demoMerchants } from '../operators/merchants.ts'
import { connectOwner } from '../write/copy.ts'
import { storeEndedGroupSums, storeEndedMachineSums, storeOpenGroupSums, storeOpenMachineSums } from './store-sums.ts'
import { stagedHours } from './write-history.ts'

/** Sums up ended days like the worker, but all at once: one after the other would take longer than the history. */
export async function sumUpPast(
  { adminUrl, doors }: { adminUrl: string; doors: Doors },
  { from, until, fleet }: { from: number; until: number; fleet: readonly DemoMachine[] },
): Promise<void> {
  const owner = await connectOwner(adminUrl)
  try {
    await reportValidators(owner, fleet, from)
    for (const { id, timeZone } of demoMerchants) {
      const open = localDayOf(until - closingMs, timeZone)
      const hoursWhere = (isMeant: string) =>
        `(select * from ${stagedHours} h where h.merchant_id = '${id}' and ${isMeant})`
      await storeEndedMachineSums(owner, hoursWhere(`h.day < '${open}'`))
      await storeEndedGroupSums(owner, hoursWhere(`h.day < '${open}'`))
      await storeOpenMachineSums(owner, hoursWhere(`h.day >= '${open}'`))
      await storeOpenGroupSums(owner, hoursWhere(`h.day >= '${open}'`))
      await doors.withTenant([{ merchantId: id, groups: 'all' }], async (db) => {
        for (let day = localDayOf(from, timeZone); day < open; day = endOf('month', firstOf('month', day)))
          for (const part of toDateParts) await rewriteToDate(db, part, { merchantId: id, day })
      })
      await writeDowntimeAndKpis(doors, { id, timeZone }, localDayOf(from, timeZone), open)
      // Last: after an interruption, the worker sums these days up.
      await owner.query(
        `insert into summed_days (merchant_id, day, summed_at, to_date_at) select distinct merchant_id, day, $1::timestamptz, $1::timestamptz from sales_daily
         where merchant_id = $2`,
        [new Date(until), id],
      )
    }
    await owner.query(`drop table ${stagedHours}`)
  } finally {
    await owner.end()
  }
}

/** Validators' versions, which the machines' first messages report again. */
async function reportValidators(owner: pg.Client, fleet: readonly DemoMachine[], from: number) {
  const rows = fleet.flatMap(({ id, merchant, plan: { validators } }) => [
    [merchant.id, id, 'coinChanger', validators?.coin.version],
    [merchant.id, id, 'billValidator', validators?.bill?.version],
  ])
  const knownRows = rows.filter((row) => row[3] !== undefined)
  await owner.query(
    `insert into machine_versions (merchant_id, machine_id, kind, peripheral, version, since, reported_at)
     select m, p, 'peripheralFirmware', part, version, $5, $5
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as v (m, p, part, version)`,
    [...[0, 1, 2, 3].map((at) => knownRows.map((row) => row[at])), new Date(from)],
  )
}

async function writeDowntimeAndKpis(
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
    const downOn = Map.groupBy(down, (row) => localDayOf(row.from.getTime(), timeZone))
    const sold = await sql<{ day: string; machineId: string; cycles: number }>`
      select s.day, s.machine_id as "machineId", ${vends('s')} as cycles from sales_daily s
      where ${db.narrow('sales_daily', 's')} and s.merchant_id = ${id} and ${isSale('s')} group by 1, 2`.execute(
      db.query,
    )
    const soldOn = Map.groupBy(sold.rows, ({ day }) => day)
    for (let day = first; day < open; day = addDays(day, 1)) {
      const hoursOf = hoursOfLocalDay(day, timeZone)
      const cycles = new Map(soldOn.get(day)?.map((row) => [row.machineId, row.cycles]))
      await writeKpis(
        db,
        { merchantId: id, day, from: hoursOf[0]?.from ?? 0, to: hoursOf.at(-1)?.to ?? 0 },
        { cycles, down: downOn.get(day) ?? [] },
      )
    }
  })
}
