import { availableParallelism } from 'node:os'
import pg from 'pg'
import { install } from '../installation.ts'
import { copySales } from './copy.ts'
import { cpuOf, cpuWithChildren, stolenCpu } from './cpu.ts'
import type { Load, Seller } from './generator.ts'
import { aForwardingMosquitto, aGenerator, aNaiveHandler } from './processes.ts'

const machinesUsed = 1000
/** Messages that a machine sends before it waits for an acknowledgement. */
const window = 2

/** CPU seconds per 1,000 messages (rows, for COPY), by process. */
export type Cpu = Readonly<Record<string, number>>

/**
 * The result of one load: sales per second, acknowledgement times (milliseconds), CPU, and the share of CPU that the host
 * withheld.
 */
export interface Done {
  rate: number
  seconds: number
  p50: number
  p99: number
  cpu: Cpu
  stolenPercent: number
}

export interface Copied {
  rate: number
  cpu: Cpu
}

export interface RoundSize {
  /** Messages with one sale; the naive handler's number takes about as long. */
  singles: number
  naive: number
  /** Messages with 200 sales, rows of COPY, and seconds at half the load. */
  batches: number
  copied: number
  half: number
}

export const itemsPerBatch = 200

export type Round = Awaited<ReturnType<Awaited<ReturnType<typeof openForIngest>>['round']>>

/**
 * Creates the WAL files in advance, as in an installation that has run for days. While PostgreSQL creates a new 16 MB file,
 * every commit waits.
 */
async function writeLogFiles(owner: pg.Client): Promise<void> {
  for (let file = 0; file < 30; file++) {
    await owner.query(`select pg_logical_emit_message(true, 'bench', 'a file')`)
    await owner.query('select pg_switch_wal()')
  }
  await owner.query('checkpoint')
}

/** A database, the gateway, a naive handler and Mosquitto, each with its own connected machines; all idle. */
export async function openForIngest(say: (line: string) => void) {
  const installation = await install(say, { historyDays: 2, machines: machinesUsed, transactions: 20_000 })
  const gateway = await installation.serve(['gateway'])
  const naive = await aNaiveHandler(installation.databaseUrl, installation.rolePassword)
  const mosquitto = await aForwardingMosquitto()
  const owner = new pg.Client({ connectionString: installation.databaseUrl })
  owner.on('error', () => {})
  await owner.connect()
  const { rows } = await owner.query<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int as pid`,
  )
  const postgres = rows[0]?.pid as number
  const { rows: machines } = await owner.query<{
    merchantId: string
    id: string
    serial: string
    timeZone: string
    epoch: number
  }>(
    `select p.merchant_id as "merchantId", p.id, p.serial, m.time_zone as "timeZone", j.epoch from machines p
     join merchants m on m.id = p.merchant_id join machine_journals j on j.merchant_id = p.merchant_id and j.machine_id = p.id`,
  )
  const bySerial = new Map(machines.map((machine) => [machine.serial, machine]))
  const sellers: Seller[] = installation.fleet.map(({ plan, lastSeq }) => {
    const { timeZone = 'UTC', epoch = 1 } = bySerial.get(plan.serial) ?? {}
    return { serial: plan.serial, secret: plan.secret, epoch, lastSeq, timeZone }
  })
  const generators = { gateway: aGenerator(), naive: aGenerator(), mosquitto: aGenerator(), listener: aGenerator() }
  await generators.gateway.connect(gateway.mqttPort, sellers)
  await generators.naive.connect(naive.port, sellers)
  if (mosquitto) {
    await generators.listener.listen(mosquitto.port)
    await generators.mosquitto.connect(mosquitto.port, sellers)
  }

  async function sell(who: 'gateway' | 'naive' | 'mosquitto', load: Load): Promise<Done> {
    const messages = Math.ceil(load.messages / sellers.length) * sellers.length
    const server = { gateway: gateway.pid, naive: naive.pid, mosquitto: mosquitto?.pid ?? 0 }[who]
    const before = { server: cpuOf(server), database: cpuWithChildren(postgres), stolen: stolenCpu() }
    const startedAt = performance.now()
    const sent = await generators[who].send({ ...load, messages })
    if (who === 'mosquitto') await generators.listener.whenHeard(messages)
    const seconds = (performance.now() - startedAt) / 1000
    const per1000 = (cpu: number) => (cpu * 1000) / messages
    return {
      rate: (messages * load.items) / seconds,
      seconds,
      p50: sent.p50,
      p99: sent.p99,
      stolenPercent: ((stolenCpu() - before.stolen) / seconds / availableParallelism()) * 100,
      cpu: {
        [who]: per1000(cpuOf(server) - before.server),
        ...(who !== 'mosquitto' && { database: per1000(cpuWithChildren(postgres) - before.database) }),
        generator: per1000(sent.cpu),
      },
    }
  }

  async function copy(rows: number): Promise<Copied> {
    const ownUsage = process.cpuUsage()
    const database = cpuWithChildren(postgres)
    const seconds = await copySales(owner, machines, rows)
    const { user, system } = process.cpuUsage(ownUsage)
    const per1000 = (cpu: number) => (cpu * 1000) / rows
    const cpu = { database: per1000(cpuWithChildren(postgres) - database), client: per1000((user + system) / 1e6) }
    return { rate: rows / seconds, cpu }
  }

  /** Stored sales, and summed sales. */
  async function count(): Promise<{ stored: number; summed: number }> {
    const { rows } = await owner.query<{ stored: number; summed: number }>(
      'select (select count(*) from transactions)::int as stored, (select sum(count) from sales_hourly)::int as summed',
    )
    return rows[0] as { stored: number; summed: number }
  }

  /** Sends a load twice. It is an error if the first run stores too few sales, or the second run stores any. */
  async function twice(load: Load): Promise<{ first: Done; again: Done }> {
    const before = await count()
    const first = await sell('gateway', load)
    const between = await count()
    const again = await sell('gateway', { ...load, isAgain: true })
    const after = await count()
    const sent = Math.ceil(load.messages / sellers.length) * sellers.length * load.items
    for (const what of ['stored', 'summed'] as const) {
      const added = between[what] - before[what]
      const addedAgain = after[what] - between[what]
      if (added !== sent) throw new Error(`${sent} sales were sent and ${added} ${what}.`)
      if (addedAgain !== 0) throw new Error(`${addedAgain} sales were ${what} although they had been before.`)
    }
    return { first, again }
  }

  /**
   * Manages the stock of all machines, with books for each price line that they sell, or stops it. Refills of the demo are forgotten: a sale from
   * before one is booked by all entries since.
   */
  async function manageStock(isOn: boolean): Promise<void> {
    if (isOn)
      await owner.query(
        `insert into machine_stock (merchant_id, machine_id, selection, level, capacity, gone, at, epoch, seq, balance, anchor_kind,
           anchor_at)
         select merchant_id, id, line::text, 1000000, 2000000, false, now(), 0, 0, 1000000, 'correction', now() - interval '1 day'
         from machines cross join generate_series(0, 23) line
         on conflict (merchant_id, machine_id, selection) do update set balance = 1000000, level = 1000000, capacity = 2000000,
           warning_level = null, gone = false, anchor_kind = 'correction', anchor_at = now() - interval '1 day', anchor_epoch = null,
           anchor_seq = null, loaded_at = null`,
      )
    await owner.query('update machine_journals set manages_stock = $1', [isOn])
    await owner.query('update machines set manage_stock = $1', [isOn])
    await owner.query('vacuum analyze machine_stock, machine_journals, machines')
  }

  return {
    manageStock,
    sell: (messages: number, items: number) => sell('gateway', { messages, items, window }),
    hasMosquitto: mosquitto !== undefined,
    async warmUp() {
      await writeLogFiles(owner)
      const load = { messages: 10_000, items: 1, window }
      // Measure the gateway after a warm-up, when its code is compiled.
      await sell('gateway', { ...load, messages: 60_000 })
      await sell('naive', load)
      if (mosquitto) await sell('mosquitto', load)
      await copy(20_000)
    },
    async round(size: RoundSize) {
      const singles: Load = { messages: size.singles, items: 1, window }
      const batches: Load = { messages: size.batches, items: itemsPerBatch, window }
      const copied = await copy(size.copied)
      const naive = await sell('naive', { ...singles, messages: size.naive })
      const single = await twice(singles)
      const perSecond = single.first.rate / 2
      // Housekeeping after COPY and the full load must not affect the measurement at half load.
      await owner.query('vacuum analyze')
      await owner.query('checkpoint')
      const half = await sell('gateway', { ...singles, messages: Math.round(perSecond * size.half), perSecond })
      const batch = await twice(batches)
      const forwarded = mosquitto && (await sell('mosquitto', singles))
      return { copied, naive, single, half, batch, forwarded }
    },
    async stop() {
      await owner.end()
      for (const generator of Object.values(generators)) await generator.stop()
      await mosquitto?.stop()
      await naive.stop()
      await gateway.stop()
      await installation.stop()
    },
  }
}
