import { dayIn } from '#domain/time/period.ts'
import type { Identity } from '../identity.ts'

const saleTypes = [1, 2, 14, 15]

/** Turnover, vends and money of failed vends are those of the rows on the dashboard, in the statistics and per machine. */
export const turnover: Identity = {
  title: 'turnover, vends and money of failed vends of the dashboard and the statistics are those of the transactions',
  async check(day) {
    const admin = await day.as('superAdmin')
    const merchants = await day.sql<{ id: string; name: string; zone: string }>(
      'select id, name, time_zone as zone from merchants order by id',
    )
    let checked = 0
    const broken: object[] = []
    for (const { id: merchantId, name, zone } of merchants) {
      const params = { merchantId }
      const { sales } = await admin.getDashboard({ params })
      for (const [age, at] of [day.to, day.from].entries()) {
        const local = dayIn(at, zone)
        const [rows] = await day.sql<{ value: string; vends: number; failed: string; count: number }>(
          `select coalesce(sum(value) filter (where not error_sale), 0) as value, count(*) filter (where not error_sale)::int as vends,
             coalesce(sum(value) filter (where error_sale), 0) as failed, count(*)::int as count
           from transactions where merchant_id = $1 and type = any($2::int[]) and (created_at at time zone $3)::date = $4::date`,
          [merchantId, saleTypes, zone, local],
        )
        const query = { startDate: local, endDate: local, types: saleTypes as never }
        const [total] = (await admin.statsOfPeriod({ params, query })).totals
        const { items } = await admin.statsByPos({ params, query: { ...query, page: 1, size: 200 } })
        const shown = {
          stats: [total?.value ?? 0, (total?.count ?? 0) - (total?.errorCount ?? 0), total?.errorValue ?? 0],
          machines: [
            items.reduce((sum, { value }) => sum + value, 0),
            items.reduce((sum, { count, errorCount }) => sum + count - errorCount, 0),
            items.reduce((sum, { errorValue }) => sum + errorValue, 0),
          ],
          dashboard: [
            sales[0]?.valueByDay.at(-1 - age) ?? 0,
            sales[0]?.vendsByDay.at(-1 - age) ?? 0,
            age === 0 ? (sales[0]?.failedCharge ?? 0) : Number(rows?.failed),
          ],
        }
        checked += rows?.count ?? 0
        const counted = JSON.stringify([Number(rows?.value), rows?.vends, Number(rows?.failed)])
        if (Object.values(shown).some((figures) => JSON.stringify(figures) !== counted))
          broken.push({ name, local, counted, ...shown })
      }
    }
    return { checked, broken }
  },
}

/** The sums of cash are those of the rows. */
export const summedCash: Identity = {
  title: 'the cash in the sums of every machine is that of its transactions',
  async check(day) {
    const machines = await day.sql<{ serial: string; summed: string; counted: string }>(
      `select m.serial, s.summed, t.counted from machines m
       join (select machine_id, sum(cash_value) as summed from sales_hourly group by 1) s on s.machine_id = m.id
       join (select machine_id, sum(case
           when coalesce(paid_with, case when type = 4 then 1 else media_type end) <> 1 then 0
           when type in (1, 4, 9, 11, 14, 15) then value when type in (6, 10, 12, 16) and not error_sale then -abs(value) else 0 end) as counted
         from transactions group by 1) t on t.machine_id = m.id`,
    )
    return { checked: machines.length, broken: machines.filter(({ summed, counted }) => summed !== counted) }
  },
}
