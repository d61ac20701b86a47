import type pg from 'pg'
import type { Logger } from 'pino'
import type { Doors } from '#database/frame/tenant.ts'
import { refreshUsualSales } from '#database/stock/usual-sales.ts'
import { createPins } from '#server/gateway/pins.ts'
import type { FleetMember } from '#simulator/fleet.ts'
import type { MachineMemory } from '#simulator/memory.ts'
import { addCollections } from './cash/collections.ts'
import { addDeposits } from './cash/deposits.ts'
import { addMedias } from './cashless/medias.ts'
import { addWebPayments } from './cashless/web-payments.ts'
import { type DemoMachine, planFleet } from './fleet/fleet.ts'
import { insertFeatures, insertPast } from './history/insert-past.ts'
import { sumUpPast } from './history/sum-up-past.ts'
import { writeHistory } from './history/write-history.ts'
import { addDataRetrievals } from './insight/data-retrievals.ts'
import { addClaims } from './key-portal/claims.ts'
import { demoMerchants } from './operators/merchants.ts'
import { givePasswords } from './operators/people.ts'
import { demoPostalCodes } from './operators/postal-codes.ts'
import { managePastStock } from './stock/manage-stock.ts'
import { addPastVisits } from './stock/past-visits.ts'
import { addRounds } from './stock/rounds.ts'
import { addRoutes } from './stock/routes.ts'
import { addServiceDays } from './stock/service-days.ts'
import { addWarehouses } from './stock/warehouses.ts'
import { connectOwner, copyRows } from './write/copy.ts'

const dayMs = 86_400_000
const postalColumns = ['country', 'compact', 'place', 'province', 'code', 'latitude', 'longitude']

export type DemoMember = FleetMember & {
  /** The machine's memory if its history was just created; otherwise the simulator's file has it. */
  memory: MachineMemory | null
}

export type DemoFleet = {
  machines: DemoMember[]
  /** The created data; null when the demo existed already. */
  made: { seconds: number; machines: number; transactions: number } | null
}

export type DemoOptions = {
  adminUrl: string
  doors: Doors
  config: { secretKey: string }
  log: Pick<Logger, 'info' | 'warn'>
  /** The end of the history. */
  now?: Date
  seed?: string
  historyDays?: number
  machines?: number
  /** Approximate number of transactions in the history. */
  transactions?: number
}

interface Past {
  fleet: readonly DemoMachine[]
  until: number
  seed: string
  secretKey: string
}

/**
 * What people did in these months, in the order of the story: drivers emptied cash boxes, walked rounds and loaded their vans, customers bought keys, paid on the
 * web and claimed money back, an auditor requested data. Each chapter adds only what is missing, so that an interrupted demo is completed.
 */
const chapters: readonly ((doors: Doors, past: Past) => Promise<void>)[] = [
  addCollections,
  addPastVisits,
  addDeposits,
  addServiceDays,
  addRoutes,
  addRounds,
  addWarehouses,
  addMedias,
  addWebPayments,
  addDataRetrievals,
  addClaims,
]

async function tell(doors: Doors, past: Past): Promise<void> {
  for (const chapter of chapters) await chapter(doors, past)
}

/** Share of sales among transactions; the rest are recharges, tests, collections and refunds. */
const salesShare = 0.952

/**
 * Creates the demo on an empty database: merchants, users, machines and their past, always the same for a seed and an end
 * time. If the demo exists, it only finds the machines; beside other merchants, it does nothing. Needs the database's
 * superuser (as the embedded one has), since COPY is not possible under row-level security.
 */
export async function ensureDemo(options: DemoOptions): Promise<DemoFleet> {
  const { adminUrl, config, log } = options
  const startedAt = performance.now()
  const seed = options.seed ?? 'gettone'
  const historyDays = options.historyDays ?? 60
  const machines = options.machines ?? 200
  const transactions = options.transactions ?? 1_000_000
  const until = (options.now ?? new Date()).getTime()
  const fleet = planFleet({
    seed,
    machines,
    salesPerDay: (transactions * salesShare) / historyDays,
    secretKey: config.secretKey,
  })
  const past = { fleet, until, seed, secretKey: config.secretKey }
  const existing = await findFleet(adminUrl)
  if (existing.demo) {
    await addSecrets(options, new Date())
    await addFeatures(options)
    await tell(options.doors, past)
    return { machines: membersOf(fleet, existing.lastSeqs), made: null }
  }
  if (existing.others) {
    log.warn('The database already has merchants: no demo data created.')
    return { machines: [], made: null }
  }
  if (!existing.isSuperuser)
    throw new Error(
      'The demo needs a database user with superuser rights; start without the demo, or without DATABASE_URL.',
    )
  const from = until - historyDays * dayMs
  const written = await writeHistory({ adminUrl, fleet, from, until, seed })
  await asOwner(adminUrl, (client) => insertPast(client, { pasts: written.pasts, from, until, seed }))
  await sumUpPast(options, { from, until, fleet })
  await Promise.all([
    addSecrets(options, new Date(until)),
    // Without statistics, the queries of the first screens would be planned badly.
    asOwner(adminUrl, (client) => client.query('analyze')),
  ])
  await managePastStock(options.doors, until)
  await refreshUsualSales(options.doors, new Date(until))
  await tell(options.doors, past)
  const seconds = (performance.now() - startedAt) / 1000
  log.info({ seconds, transactions: written.transactions }, 'Demo data created')
  return {
    machines: written.pasts.map(({ machine, memory }) => ({ plan: machine.plan, lastSeq: memory.seq, memory })),
    made: { seconds, machines: fleet.length, transactions: written.transactions },
  }
}

/** Adds missing passwords, PINs and postal codes: at the first start, or after an interrupted first start. */
async function addSecrets({ adminUrl, doors, config }: DemoOptions, now: Date): Promise<void> {
  await asOwner(adminUrl, async (client) => {
    const { rowCount } = await client.query('select 1 from postal_codes limit 1')
    if (rowCount === 0) await copyRows(client, 'postal_codes', postalColumns, demoPostalCodes)
  })
  await givePasswords(doors, now)
  const pins = createPins(config.secretKey)
  const without = await asOwner(adminUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select merchant_id as id from merchant_settings where pin_sealed = ''`,
    )
    return new Set(rows.map(({ id }) => id))
  })
  for (const { id, pin } of demoMerchants) if (without.has(id)) await pins.setPin(doors, id, pin)
}

/** Adds features to a demo from before features existed. A user's own choice stays. */
async function addFeatures({ adminUrl, log }: DemoOptions): Promise<void> {
  const ids = await asOwner(adminUrl, async (client) => {
    const all = [demoMerchants.map(({ id }) => id)]
    const { rows } = await client.query<{ id: string }>('select id from merchants where id = any($1)', all)
    const { rows: withFeatures } = await client.query<{ id: string }>(
      'select merchant_id as id from merchant_features where merchant_id = any($1)',
      all,
    )
    const without = demoMerchants.filter(
      ({ id }) => rows.some((row) => row.id === id) && !withFeatures.some((row) => row.id === id),
    )
    for (const merchant of without) await insertFeatures(client, merchant)
    return without.map(({ name }) => name)
  })
  if (ids.length > 0) log.info({ merchants: ids }, 'The demo is from an older version: its features were turned on')
}

const membersOf = (fleet: readonly DemoMachine[], lastSeqs: ReadonlyMap<string, number>): DemoMember[] =>
  fleet.flatMap(({ plan }) => {
    const lastSeq = lastSeqs.get(plan.serial)
    return lastSeq === undefined ? [] : [{ plan, lastSeq, memory: null }]
  })

/** Whether this database has the demo. */
export const hasDemo = async (adminUrl: string): Promise<boolean> => (await findFleet(adminUrl)).demo

/** The existing demo. When the merchants exist, only the daily sums may be missing; the worker adds them. */
async function findFleet(adminUrl: string) {
  return asOwner(adminUrl, async (client) => {
    const ids = demoMerchants.map(({ id }) => id)
    const { rows: merchants } = await client.query<{ id: string }>('select id from merchants')
    const { rows: rights } = await client.query<{ able: boolean }>(
      'select rolsuper or rolbypassrls as able from pg_roles where rolname = current_user',
    )
    const { rows } = await client.query<{ serial: string; last: string }>(
      `select m.serial, coalesce(upper(j.seen) - 1, 0)::text as last
       from machines m join machine_journals j on j.merchant_id = m.merchant_id and j.machine_id = m.id
       where m.merchant_id = any($1)`,
      [ids],
    )
    const { rows: orphans } = await client.query<{ exist: boolean }>(
      'select exists (select 1 from transactions where merchant_id <> all($1)) as exist',
      [ids],
    )
    return {
      demo: merchants.some(({ id }) => ids.includes(id)),
      others: merchants.length > 0 || (orphans[0]?.exist ?? false),
      isSuperuser: rights[0]?.able ?? false,
      lastSeqs: new Map(rows.map(({ serial, last }) => [serial, Number(last)])),
    }
  })
}

async function asOwner<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectOwner(adminUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
