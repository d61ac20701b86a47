import type pg from 'pg'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import type { Client } from './client.ts'
import { install } from './installation.ts'
import { atMostTimes, compare, type Measurement } from './measure.ts'
import { daysBack, historyDays } from './period.ts'

/** The demo's merchant with the most machines. */
const merchantId = demoMerchants[0]?.id ?? ''
const everyMerchant = demoMerchants.map(({ id }) => id)
const calls = 100

/** A developer's hand-written query of the same page: its rows and their count, each merchant through its index. */
const transactionsPage = `
  select t.*, p.name, p.serial
  from unnest($1::uuid[]) as m (id) cross join lateral (
    select * from transactions t where t.merchant_id = m.id and t.created_at >= $2 and t.created_at < $3
    order by t.created_at desc, t.id desc limit 20
  ) t join machines p on p.merchant_id = t.merchant_id and p.id = t.machine_id
  order by t.created_at desc, t.id desc limit 20`
const transactionsCount = `
  select count(*) from (select from unnest($1::uuid[]) as m (id) cross join lateral (
    select from transactions t where t.merchant_id = m.id and t.created_at >= $2 and t.created_at < $3 limit 10001
  ) t limit 10001) as counted`

const machinesPage = `
  select p.*, m.name as merchant_name, g.name as group_name,
    case when p.pos_status = 3 then 0 when p.connection <> 1 then 1 when p.pos_status = 2 then 2 else 3 end as state,
    (select count(*) from alarms a where a.merchant_id = p.merchant_id and a.machine_id = p.id
      and a.status in ('active', 'notification')) as open_alarms,
    (select a.code from alarms a where a.merchant_id = p.merchant_id and a.machine_id = p.id
      and a.status in ('active', 'notification') and a.criticity >= 2 order by a.criticity desc, a.created_at limit 1) as worst,
    (select array_agg(d.value order by d.day) from (
      select date_trunc('day', s.hour) as day, sum(s.value) as value from sales_hourly s
      where s.merchant_id = p.merchant_id and s.machine_id = p.id and s.day >= ($2::timestamptz)::date and s.hour >= $2 group by 1) as d) as sales
  from machines p join merchants m on m.id = p.merchant_id
  left join groups g on g.merchant_id = p.merchant_id and g.id = p.group_id
  where p.merchant_id = any($1) and not p.hidden order by state, lower(p.name), p.id limit 20`
const machinesCount = 'select count(*) from machines p where p.merchant_id = any($1) and not p.hidden'

/** The page and the count in a separate transaction, with the scope's merchants. */
async function bySql(db: pg.Client, merchantIds: readonly string[], queries: { text: string; values: unknown[] }[]) {
  await db.query(`begin read only; set local app.merchant_ids = '{${merchantIds.join(',')}}'`)
  for (const query of queries) await db.query(query)
  await db.query('commit')
}

const byHttp = async (client: Client, path: string) => {
  const { items } = JSON.parse((await client.get(path)).toString()) as { items: unknown[] }
  if (items.length !== 20) throw new Error(`${path} was answered by ${items.length} rows`)
}

export const list: Measurement = {
  title: 'A list of 20 rows over HTTP against the same SQL',
  about: `The page as the portal requests it, compared with hand-written SQL. The portal's page verifies the token, loads user and scope, reads
    and counts the rows, validates the answer against its schema, and sends it. The SQL reads the page's rows and their count on an
    open connection, in a transaction under row-level security.`,
  async run({ say }) {
    const installation = await install(say)
    const server = await installation.serve()
    const db = await installation.asApp()
    const client = await server.signIn('superAdmin')
    try {
      const { startDate, endDate } = daysBack(historyDays)
      const period = [new Date(`${startDate}T00:00:00Z`), new Date(Date.parse(`${endDate}T00:00:00Z`) + 86_400_000)]
      const twoWeeks = new Date(Date.now() - 14 * 86_400_000)
      const findings = []
      for (const [whose, ids, inPath] of [
        ['one merchant', [merchantId], merchantId],
        ['all merchants', everyMerchant, allMerchants],
      ] as const) {
        const transactionsOver = await compare(
          {
            name: 'http',
            once: () =>
              byHttp(
                client,
                `/merchants/${inPath}/transactions/paged?startDate=${startDate}&endDate=${endDate}&size=20`,
              ),
          },
          {
            name: 'sql',
            once: () =>
              bySql(db, ids, [
                { text: transactionsPage, values: [ids, ...period] },
                { text: transactionsCount, values: [ids, ...period] },
              ]),
          },
          calls,
        )
        findings.push(atMostTimes(`20 transactions of ${whose}`, transactionsOver, 4, 'SQL'))
        const machinesOver = await compare(
          { name: 'http', once: () => byHttp(client, `/merchants/${inPath}/pos/paged?size=20`) },
          {
            name: 'sql',
            once: () =>
              bySql(db, ids, [
                { text: machinesPage, values: [ids, twoWeeks] },
                { text: machinesCount, values: [ids] },
              ]),
          },
          calls,
        )
        findings.push(atMostTimes(`20 machines of ${whose}`, machinesOver, 4, 'SQL'))
      }
      return findings
    } finally {
      client.close()
      await db.end()
      await server.stop()
      await installation.stop()
    }
  },
}
