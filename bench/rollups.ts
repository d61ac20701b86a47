import pg from 'pg'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { countedAmounts } from '#database/sums/counted-amounts.ts'
import { install } from './installation.ts'
import { type Finding, inMs, type Measurement, median } from './measure.ts'
import { growTransactions } from './rollups/grow.ts'

const days = 100
const rounds = 3
const callsPerRound = 10

export const rollups: Measurement = {
  title: 'Dashboards of ten million transactions against the raw aggregate',
  about: `Ten million sales of 200 machines in the last ${days} days (500 per day and machine, 24 products of different popularity), with the
    sums of the gateway and the worker. The statistics of those days and the dashboard are fetched over HTTP for all merchants,
    ${callsPerRound} times a round. The reference is one pass over the raw rows by hand-written SQL as the database's owner. It
    returns the same turnover by day and currency, with PostgreSQL's default number of workers. Three rounds alternate; the table
    shows medians of the rounds' ratios.`,
  async run({ quick, say }) {
    const installation = await install(say, { historyDays: 2, transactions: 20_000 })
    const owner = new pg.Client({ connectionString: installation.databaseUrl })
    owner.on('error', () => {})
    await owner.connect()
    say(await growTransactions(owner, { days, rows: quick ? 1_000_000 : 10_000_000 }))
    const server = await installation.serve(['api'])
    const client = await server.signIn('superAdmin')
    const period = `startDate=${dayOf(days + 5)}&endDate=${dayOf(-1)}`
    const subjects = [
      {
        what: `statistics of ${days} days by day`,
        once: () => client.get(`/merchants/${allMerchants}/transactions/stats?step=day&${period}`),
      },
      { what: 'dashboard', once: () => client.get(`/merchants/${allMerchants}/dashboard`) },
    ]
    const raw = () => owner.query(rawAggregate, [`${days + 5} days`])
    try {
      await raw()
      for (const { once } of subjects) for (let call = 0; call < callsPerRound; call++) await once()
      const measured: { raw: number; each: number[] }[] = []
      for (let round = 0; round < rounds; round++) {
        const each: number[] = []
        const aggregate = await millis(raw)
        for (const { once } of subjects) {
          const times: number[] = []
          for (let call = 0; call < callsPerRound; call++) times.push(await millis(once))
          each.push(median(times))
        }
        measured.push({ raw: aggregate, each })
      }
      return subjects.map(({ what }, index): Finding => {
        const over = (of: (round: (typeof measured)[number]) => number) => inMs(median(measured.map(of)))
        return {
          what,
          figure: over(({ each }) => each[index] ?? Number.NaN),
          reference: `raw aggregate ${over((round) => round.raw)}`,
          value: median(measured.map((round) => (each(round, index) / round.raw) * 100)),
          promised: { atMost: 5, unit: '%' },
        }
      })
    } finally {
      client.close()
      await server.stop()
      await owner.end()
      await installation.stop()
    }
  },
}

const each = (round: { each: number[] }, index: number) => round.each[index] ?? Number.NaN

const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

const rawAggregate = `
  select m.currency, (t.created_at at time zone m.time_zone)::date as day, ${countedAmounts('t')}
  from transactions t join merchants m on m.id = t.merchant_id
  where t.created_at >= now() - $1::interval group by 1, 2`

async function millis(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
