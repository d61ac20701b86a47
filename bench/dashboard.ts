import type pg from 'pg'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { atManyMachines } from './fleet.ts'
import { install } from './installation.ts'
import { atMostTimes, compare, type Finding, type Measurement } from './measure.ts'
import { copyPackedDays } from './rollups/copy-days.ts'

const calls = 60
const longHistory = 'gettone_two_years'
/** Whole weeks, so that a copied day keeps its weekday. The copies cover two years. */
const stepDays = 56
const copies = 12

export const dashboard: Measurement = {
  title: 'The dashboard at 2 years of history and at ten thousand machines',
  about: `The demo's database twice: unchanged, and with the dashboard's data (hourly sums, alarms, commands) copied back to two years,
    ${copies} times ${stepDays} days. Transactions are not copied, since the dashboard does not read them. Two separate servers answer
    the super admin's calls for all merchants alternately. Then the same with 10,000 additional machines of one merchant in 40 groups,
    each with its own hourly and daily sums until now: dashboards, a search that finds all of them, and pages in every order.`,
  async run({ quick, say }) {
    const installation = await install(say)
    await installation.copyDatabase(longHistory)
    await installation.asOwner(async (client) => say(await growOlder(client)), longHistory)
    const findings: Finding[] = []
    const short = await installation.serve(['api'])
    const long = await installation.serve(['api'], longHistory)
    const shortClient = await short.signIn('superAdmin')
    const longClient = await long.signIn('superAdmin')
    try {
      const path = `/merchants/${allMerchants}/dashboard`
      const compared = await compare(
        { name: '2 years', once: () => longClient.get(path) },
        { name: '60 days', once: () => shortClient.get(path) },
        calls,
      )
      findings.push(atMostTimes('dashboard of 200 machines at 2 years', compared, 1.2, 'at 60 days'))
    } finally {
      shortClient.close()
      longClient.close()
      await long.stop()
      await short.stop()
    }
    try {
      return [...findings, ...(await atManyMachines(installation, { quick, say }))]
    } finally {
      await installation.stop()
    }
  },
}

/** Copies the dashboard's last eight weeks of data back in time. */
async function growOlder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'remote_commands'
      and column_name not in ('id', 'created_at', 'claim_id')`,
  )
  const others = rows.map(({ name }) => name).join(', ')
  for (const kind of ['machine', 'group'] as const)
    await copyPackedDays(client, kind, { stepDays, from: 1, to: copies })
  await client.query(`
    insert into alarms (merchant_id, id, machine_id, code, source, category, criticity, status, message, count, created_at,
      last_at, repaired_at)
    select merchant_id, gen_random_uuid(), machine_id, code, source, category, criticity, 'repaired', message, count,
      created_at - age * interval '${stepDays} days', last_at - age * interval '${stepDays} days',
      last_at - age * interval '${stepDays} days'
    from alarms cross join generate_series(1, ${copies}) as age`)
  await client.query(`
    insert into remote_commands (id, created_at, ${others})
    select gen_random_uuid(), created_at - age * interval '${stepDays} days', ${others}
    from remote_commands cross join generate_series(1, ${copies}) as age where status not in (0, 1)`)
  await client.query('vacuum analyze')
  const { rows: counted } = await client.query<{ hours: string; days: string }>(
    `select to_char(count(*), 'FM999,999,999') as hours, (current_date - min(day))::text as days from sales_hourly`,
  )
  return `a copy of the database was grown to ${counted[0]?.hours} hourly sums of ${counted[0]?.days} days`
}
