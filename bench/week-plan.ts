import { demoMerchants } from '#demo/operators/merchants.ts'
import type { Client } from './client.ts'
import { install } from './installation.ts'
import { manyMachines } from './many-machines.ts'
import { atMostTimes, compare, type Finding, type Measurement, median } from './measure.ts'

const merchantId = demoMerchants[0]?.id ?? ''
const machines = 10_000
const selections = 8
const routes = 200
const calls = 20
const rounds = 3

/** The most seconds that a plan of ten thousand machines may take. */
const mostSeconds = 60

/** Reads the proposal, and says how many stops it has. */
const proposal = (client: Client) => async () => {
  const { totals } = await client.json<{ totals: { stops: number } }>(`/merchants/${merchantId}/week-plan`)
  if (totals.stops === 0) throw new Error('The plan has no stops')
  return totals.stops
}

/** Adds machines around a town, whose selections sell up to four pieces a day, and routes that serve all of them on two days. */
async function addMachines(run: (text: string, values: unknown[]) => Promise<unknown>): Promise<void> {
  await manyMachines(run, merchantId, machines)
  await run(
    `update machines set manage_stock = true, latitude = 44.5 + substr(serial, 5)::int % 100 * 0.004,
       longitude = 11.3 + substr(serial, 5)::int / 100 * 0.004 where merchant_id = $1 and serial like 'ROW-%'`,
    [merchantId],
  )
  await run(
    `insert into machine_stock (merchant_id, machine_id, selection, level, balance, reported, capacity, gone, at, epoch, seq, usual, forecast_from, forecast)
     select merchant_id, id, (10 + n)::text, level, level, level, 20, false, now(), 1, 1,
       array_fill((n % 5)::real, array[7]), current_date, array_fill((n % 5)::real, array[28])
     from machines, generate_series(1, $2::int) as n, lateral (select 5 + (n * 7 + substr(serial, 5)::int) % 16 as level) as filled
     where merchant_id = $1 and serial like 'ROW-%'`,
    [merchantId, selections],
  )
  await run(
    `insert into routes (merchant_id, id, name, days, created_at)
     select $1, gen_random_uuid(), 'Row ' || n, array[1 + n % 5, 1 + (n + 2) % 5], now() from generate_series(1, $2::int) as n`,
    [merchantId, routes],
  )
  await run(
    `insert into route_stops (merchant_id, route_id, machine_id, position)
     select m.merchant_id, r.id, m.id, substr(m.serial, 5)::int
     from machines m join routes r on r.merchant_id = m.merchant_id and r.name = 'Row ' || (1 + substr(m.serial, 5)::int % $2::int)
     where m.merchant_id = $1 and m.serial like 'ROW-%'`,
    [merchantId, routes],
  )
  await run('vacuum analyze machines, machine_stock, routes, route_stops', [])
}

async function planned(say: (line: string) => void): Promise<Finding[]> {
  const installation = await install(say, { historyDays: 30, machines: 200, transactions: 100_000 })
  const server = await installation.serve()
  const client = await server.signIn('superAdmin')
  try {
    const list = { name: 'machines', once: () => client.json(`/merchants/${merchantId}/pos/paged?size=200`) }
    const few = await compare({ name: 'plan', once: proposal(client) }, list, calls, 5)
    await installation.asOwner((db) => addMachines((text, values) => db.query(text, values)))
    const seconds: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      const stops = await proposal(client)()
      seconds.push((performance.now() - startedAt) / 1000)
      say(`${stops} stops in ${seconds.at(-1)?.toFixed(1)} s`)
    }
    return [
      atMostTimes('the proposal of the demo’s largest merchant', few, 2, 'of the list of the same machines'),
      {
        what: `the proposal of ${machines} machines with ${machines * selections} selections on ${routes} routes`,
        figure: `${median(seconds).toFixed(1)} s`,
        value: median(seconds),
        promised: { atMost: mostSeconds, unit: 's' },
      },
    ]
  } finally {
    client.close()
    await server.stop()
    await installation.stop()
  }
}

export const weekPlan: Measurement = {
  title: 'The plan of the week',
  about: `The proposal of rounds for seven days over HTTP: of the demo’s largest merchant, alternately with the list of its machines on one page, and then of ${machines} machines.`,
  run: ({ say }) => planned(say),
}
