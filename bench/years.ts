import type pg from 'pg'
import { openPools } from '#database/frame/pool.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { amounts } from '#database/sums/group-hours.ts'
import { rewriteToDate, toDateParts } from '#database/sums/to-date.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import { endOf, firstOf, kpiSpans } from '#domain/insight/kpi-spans.ts'
import { type Installation, install } from './installation.ts'
import { manyMachines } from './many-machines.ts'
import { atMostTimes, compare, type Finding, type Measurement } from './measure.ts'
import { copyPackedDays } from './rollups/copy-days.ts'
import { indexesAside } from './rollups/grow.ts'

const older = 'gettone_three_years'
/** Whole weeks, so that a copied day keeps its weekday. */
const stepDays = 14
/** Days of a report: the most it may have. */
const reportDays = 731
const kpiDays = 365
const kpiHistory = 400
const machines = { many: 10_000, few: 200 }
const ownMerchantId = demoMerchants[0]?.id ?? ''
const others = demoMerchants[1]?.id ?? ''

const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

export const years: Measurement = {
  title: 'Reports of two years and KPIs of one year',
  about: `Reports of ${reportDays} days of the demo's largest merchant, with their sums of days, alternately with the same reports where
    another year of such days precedes them. Then the first 20 of ${machines.many.toLocaleString('en')} machines by their KPIs of
    ${kpiDays} days, alternately with ${machines.few} machines of another merchant, and with hand-written SQL that adds up the days of the same
    machines as the database's owner.`,
  async run({ quick, say }) {
    const calls = quick ? 5 : 20
    const installation = await install(say, { historyDays: 20, transactions: 20_000 })
    await installation.asOwner(async (owner) => {
      await growSales(owner, 1, Math.ceil(reportDays / stepDays))
      await growKpis(owner, ownMerchantId, machines.many)
      await growKpis(owner, others, machines.few)
      await owner.query('vacuum analyze')
      const { rows } = await owner.query<{ sales: string; kpis: string }>(
        `select to_char((select count(*) from merchant_products_daily), 'FM999,999,999') as sales,
          to_char((select count(*) from machine_kpis_daily), 'FM999,999,999') as kpis`,
      )
      say(
        `the database was grown to ${rows[0]?.sales} sums of days by product, and KPIs of ${rows[0]?.kpis} days of machines`,
      )
    })
    const before = Math.ceil(reportDays / stepDays)
    await sumToDate(installation, before * stepDays)
    await installation.copyDatabase(older)
    await installation.asOwner((owner) => growSales(owner, before + 1, before + Math.ceil(365 / stepDays)), older)
    await sumToDate(installation, before * stepDays + 365 + stepDays, older)
    await installation.asOwner((owner) => owner.query('vacuum analyze'), older)
    const short = await installation.serve(['api'])
    const long = await installation.serve(['api'], older)
    const shortClient = await short.signIn('superAdmin')
    const longClient = await long.signIn('superAdmin')
    const findings: Finding[] = []
    try {
      for (const [what, query] of [
        ['products', 'type=products'],
        ['machines', 'type=machines'],
      ] as const) {
        const path = `/merchants/${ownMerchantId}/report?${query}&startDate=${dayOf(reportDays)}&endDate=${dayOf(1)}`
        const compared = await compare(
          { name: 'after a year', once: () => longClient.get(path) },
          { name: 'alone', once: () => shortClient.get(path) },
          calls,
          5,
        )
        findings.push(
          atMostTimes(`report of ${reportDays} days by ${what}, after another year`, compared, 1.2, 'alone'),
        )
      }
      const listOf = (merchantId: string) => () =>
        shortClient.get(`/distributors/${merchantId}/pos?size=20&days=${kpiDays}`)
      const bySize = await compare(
        { name: 'many', once: listOf(ownMerchantId) },
        { name: 'few', once: listOf(others) },
        calls,
        5,
      )
      findings.push(
        atMostTimes(
          `20 of ${machines.many} machines by KPIs of ${kpiDays} days`,
          bySize,
          20,
          `of ${machines.few} machines`,
        ),
      )
      await installation.asOwner(async (owner) => {
        const byDays = await compare(
          { name: 'list', once: listOf(ownMerchantId) },
          { name: 'days', once: () => owner.query(sumOfDays, [ownMerchantId, dayOf(kpiDays), dayOf(1)]) },
          quick ? 3 : 8,
          2,
        )
        findings.push(
          atMostTimes(`20 of ${machines.many} machines by KPIs of ${kpiDays} days`, byDays, 0.5, 'SQL over their days'),
        )
      })
      return findings
    } finally {
      shortClient.close()
      longClient.close()
      await long.stop()
      await short.stop()
      await installation.stop()
    }
  },
}

/** Copies the last days' sums of sales back in time, `from` to `to` times 14 days, as summed up. */
async function growSales(owner: pg.Client, from: number, to: number): Promise<void> {
  const codes = 'machine_id, type, media_type, media_source'
  const sums = amounts.join(', ')
  for (const [table, columns] of [
    ['sales_daily', codes],
    ['merchant_products_daily', 'type, media_type, media_source, price_table, product'],
  ] as const)
    await owner.query(
      `insert into ${table} (merchant_id, day, ${columns}, ${sums})
      select merchant_id, day - age * ${stepDays}, ${columns}, ${sums} from ${table} cross join generate_series($1::int, $2::int) age
      where merchant_id = $3 and day between current_date - ${stepDays} and current_date - 1 on conflict do nothing`,
      [from, to, ownMerchantId],
    )
  await copyPackedDays(owner, 'machine', { stepDays, from, to, merchantId: ownMerchantId })
  await owner.query(
    `insert into summed_days (merchant_id, day, summed_at, to_date_at) select distinct merchant_id, day, now(), now() from sales_daily on conflict do nothing`,
  )
}

/** Sums up the grown days from the first of each month. */
async function sumToDate(installation: Installation, days: number, database = 'gettone'): Promise<void> {
  const address = new URL(installation.databaseUrl)
  address.pathname = `/${database}`
  const pools = openPools(address.href, installation.rolePassword, 2)
  try {
    await openDoors(pools).withTenant([{ merchantId: ownMerchantId, groups: 'all' }], async (db) => {
      for (let day = firstOf('month', dayOf(days)); day <= dayOf(0); day = endOf('month', day))
        for (const part of toDateParts) await rewriteToDate(db, part, { merchantId: ownMerchantId, day })
    })
  } finally {
    await pools.end()
  }
}

/** Adds machines with KPIs of every day of more than a year, by day and month. */
async function growKpis(owner: pg.Client, merchantId: string, count: number): Promise<void> {
  await owner.query(`set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'`)
  await manyMachines((text, values) => owner.query(text, values), merchantId, count)
  const withoutIndexes = await indexesAside(owner, ['machine_kpis_daily', 'machine_kpis_spans'])
  const figures = (
    days: string,
  ) => `${days} * 86400, ${days} * 60 * (p.number % 7), ${days} * 30, ${days} * (20 + p.number % 9), ${days} * (p.number % 3),
    ${days} * (p.number % 3), ${days} * 90, ${days} * (p.number % 17), ${days} * 8, ${days}, '{100,500}'::bigint[],
    array[${days} * 90, ${days} * 8], array[${days} * (p.number % 17), ${days}]`
  const columns = `device_type, firmware_version, coin_validator, bill_validator, seconds, blocked_seconds, absent_seconds, cycles, faults,
    blocking_alarms, coins_accepted, coins_rejected, bills_accepted, bills_rejected, denominations, accepted, rejected`
  const facts = `'AZVT', '2.' || p.number % 7, '', ''`
  const rows = `(select merchant_id, id, right(serial, 5)::int as number from machines where merchant_id = $1 and serial like 'ROW-%') p`
  await owner.query(
    `insert into machine_kpis_daily (merchant_id, day, machine_id, ${columns})
    select p.merchant_id, day::date, p.id, ${facts}, ${figures('1')}
    from generate_series(current_date - ${kpiHistory}, current_date - 1, '1 day') day cross join ${rows} order by day`,
    [merchantId],
  )
  await owner.query(
    `insert into machine_kpis_spans (merchant_id, span, first, machine_id, days, ${columns})
    select p.merchant_id, s.span, s.first, p.id, s.days, ${facts}, ${figures('s.days')}
    from unnest($2::text[], $3::date[], $4::int[]) s (span, first, days) cross join ${rows} order by s.span, s.first`,
    [merchantId, ...spansOfLast(kpiHistory)],
  )
  await withoutIndexes.restore()
}

/** Spans with the number of their days among the last ones, as columns. */
function spansOfLast(days: number): [string[], string[], number[]] {
  const counted = new Map<string, number>()
  for (let ago = 1; ago <= days; ago++)
    for (const span of kpiSpans) {
      const key = `${span} ${firstOf(span, dayOf(ago))}`
      counted.set(key, (counted.get(key) ?? 0) + 1)
    }
  const keys = [...counted.keys()].map((key) => key.split(' ') as [string, string])
  return [keys.map(([span]) => span), keys.map(([, first]) => first), [...counted.values()]]
}

const sumOfDays = `
  select machine_id, sum(seconds), sum(blocked_seconds), sum(absent_seconds), sum(cycles), sum(faults), sum(blocking_alarms), sum(coins_accepted),
    sum(coins_rejected), sum(bills_accepted), sum(bills_rejected)
  from machine_kpis_daily where merchant_id = $1 and day between $2 and $3 group by 1`
