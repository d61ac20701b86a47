import { demoMerchants } from '#demo/operators/merchants.ts'
import { itemsPerBatch, openForIngest } from './ingest/place.ts'
import { install } from './installation.ts'
import { manyMachines } from './many-machines.ts'
import { atMostTimes, compare, type Finding, type Measurement, median } from './measure.ts'

const merchantId = demoMerchants[0]?.id ?? ''
const machines = 10_000
const calls = 100
const rounds = 3
const full = { singles: 50_000, batches: 1_000 }
const short = { singles: 10_000, batches: 200 }

/** A sale of a managed machine reads and changes one row more than its own and its sum's. */
const most = { singles: 1.75, batches: 1.5 }

type Say = (line: string) => void

/** Sales of machines with managed stock against the same machines without, alternately. */
async function ingestOf(say: Say, size: typeof full): Promise<Finding[]> {
  const place = await openForIngest(say)
  try {
    await place.warmUp()
    const ratios = { singles: [] as number[], batches: [] as number[] }
    for (let round = 1; round <= rounds; round++) {
      const rates = { off: { singles: 0, batches: 0 }, on: { singles: 0, batches: 0 } }
      for (const state of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
        await place.manageStock(state === 'on')
        rates[state].singles = (await place.sell(size.singles, 1)).rate
        rates[state].batches = (await place.sell(size.batches, itemsPerBatch)).rate
      }
      for (const load of ['singles', 'batches'] as const) ratios[load].push(rates.off[load] / rates.on[load])
      say(
        `round ${round}: ${(['singles', 'batches'] as const).map((load) => `${load} ${Math.round(rates.on[load])} of ${Math.round(rates.off[load])} sales/s`).join(', ')}`,
      )
    }
    const finding = (what: string, some: readonly number[], atMost: number): Finding => ({
      what,
      figure: `${median(some).toFixed(2)} ×`,
      reference: 'the same machines without managed stock',
      value: median(some),
      promised: { atMost, unit: '×' },
    })
    return [
      finding('time of sales, one per message', ratios.singles, most.singles),
      finding(`time of sales, ${itemsPerBatch} per message`, ratios.batches, most.batches),
    ]
  } finally {
    await place.stop()
  }
}

/** The list of managed machines against the list of machines. */
async function listOf(say: Say): Promise<Finding[]> {
  const installation = await install(say, { historyDays: 2, machines: 20, transactions: 1_000 })
  await installation.asOwner(async (db) => {
    await manyMachines((text, values) => db.query(text, values), merchantId, machines)
    await db.query('update machines set manage_stock = true where merchant_id = $1', [merchantId])
    await db.query(
      `insert into machine_supplies (merchant_id, machine_id, selections, level, capacity, out, low, empty_at, lost_per_day, computed_at)
       select merchant_id, id, 40, row * 37 % 400, 400, row % 3, row % 5, now() + row % 900 * interval '1 hour', row % 700, now()
       from (select merchant_id, id, row_number() over (order by id) as row from machines where merchant_id = $1) numbered
       on conflict do nothing`,
      [merchantId],
    )
    await db.query('vacuum analyze machines, machine_supplies')
  })
  const server = await installation.serve()
  const client = await server.signIn('superAdmin')
  const request = (path: string) => async () => {
    const { items } = await client.json<{ items: unknown[] }>(`/merchants/${merchantId}${path}?size=20`)
    if (items.length !== 20) throw new Error(`${path} was answered by ${items.length} rows`)
  }
  try {
    const over = await compare(
      { name: 'managed', once: request('/stock') },
      { name: 'machines', once: request('/pos/paged') },
      calls,
    )
    return [atMostTimes('20 of 10,000 managed machines', over, 3, 'of the list of machines')]
  } finally {
    client.close()
    await server.stop()
    await installation.stop()
  }
}

export const stock: Measurement = {
  title: 'Managed stock against none',
  about: `Sales of 1,000 machines over MQTT with managed stock (24 selections each), alternately with the same machines without. Then the first 20
    of 10,000 managed machines over HTTP, alternately with the first 20 machines of the list of machines.`,
  run: async ({ quick, say }) => [...(await listOf(say)), ...(await ingestOf(say, quick ? short : full))],
}
