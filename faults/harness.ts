import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { migrate } from '#database/distribute/migrate.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { readConfig } from '#server/config.ts'
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { asOwner, openRunning } from '#server/postgres/storage.ts'
import { retrievalLinks } from '#server/retrieval/link.ts'
import { deploymentSecret } from '#server/secrets/deployment-secret.ts'
import type { ServerRole } from '#server/start.ts'
import type { LoadMember } from '#simulator/load/load-machine.ts'
import { type LoadOptions, type LoadReport, runLoad } from '#simulator/load/run-load.ts'
import { aFreePort } from '#testkit/browser/portal.ts'
import { aMachine, aMerchant, testSecretKey } from '#testkit/fixtures.ts'
import { type Backlog, noteFinding } from './findings.ts'

/** `npm run test:faults` runs them at full length; `npm run test:full` runs a short form of each. */
export const isFull = process.env.FAULTS === 'full'

const root = join(import.meta.dirname, '..')

/** A separate PostgreSQL, as safe as in production, that tests may kill, freeze and restart. */
export interface BreakablePostgres {
  readonly url: string
  admin<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  port: number
  /** `kill -9` of the server. It stays down until `start`, which uses the same data and port. */
  kill(): Promise<void>
  start(): Promise<void>
  killAndRestart(): Promise<void>
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** One server for all tests of a file. With `isEmpty`, the first process of the server creates the tables. */
export function breakablePostgres({ isEmpty = false } = {}): { readonly database: BreakablePostgres } {
  const place: { database?: BreakablePostgres } = {}
  beforeAll(async () => {
    place.database = await startBreakable(isEmpty)
  }, 120_000)
  afterAll(() => place.database?.stop())
  return place as { database: BreakablePostgres }
}

async function startBreakable(isEmpty: boolean): Promise<BreakablePostgres> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'faults-'))
  const dataDir = join(folder, 'postgres')
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir })
  const { port, url } = server
  const owner = new pg.Pool({ connectionString: url, max: 2 })
  owner.on('error', () => {})
  if (!isEmpty) await migrate(url)
  const admin = async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    (await owner.query<R>(text, values)).rows
  if (!isEmpty) await admin(`select ensure_partitions(now() - interval '40 days', now() + interval '40 days')`)
  const postmaster = async () =>
    Number((await admin<{ line: string }>(`select pg_read_file('postmaster.pid') as line`))[0]?.line.split('\n')[0])
  let pid = await postmaster()
  const processes = () => [
    pid,
    ...execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .map(Number)
      .filter(Boolean),
  ]
  const signal = (name: NodeJS.Signals) => {
    for (const one of processes()) {
      try {
        process.kill(one, name)
      } catch {
        // A connection that has just ended.
      }
    }
  }
  const kill = async () => {
    process.kill(pid, 'SIGKILL')
    await server.stop()
  }
  const start = async () => {
    server = await startEmbeddedPostgres({ dataDir, port })
    pid = await postmaster()
  }
  return {
    url,
    port,
    admin,
    kill,
    start,
    async killAndRestart() {
      await kill()
      await start()
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop: async () => {
      await owner.end()
      await server.stop()
      await removeEmbeddedPostgres(dataDir)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A process of the server, as production runs it. */
export interface ServerProcess {
  /** Its HTTP address. */
  url: string
  /** Starts a process of the tree in `folder`: by default the one of the start before. */
  start(folder?: string): Promise<void>
  /** The id of the current process. */
  pid(): number
  /** `kill -STOP`: pauses the process until it is killed. */
  freeze(): void
  /** Resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
}

/** A gateway in a separate process, and its MQTT address. */
export async function aGatewayProcess(
  database: BreakablePostgres,
  environment: Record<string, string> = {},
): Promise<ServerProcess & { mqttUrl: string }> {
  const mqttPort = await aFreePort()
  const server = await aServerProcess('gateway', database, { MQTT_PORT: String(mqttPort), ...environment })
  return { ...server, mqttUrl: `mqtt://127.0.0.1:${mqttPort}` }
}

/** Roles of the server in a separate process that ends with the test. Without `database` it starts its own. */
export async function aServerProcess(
  roles: ServerRole | readonly ServerRole[],
  database: Pick<BreakablePostgres, 'url'> | undefined,
  environment: Record<string, string> = {},
  folder = root,
): Promise<ServerProcess> {
  const port = await aFreePort()
  let child: ChildProcess | undefined
  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const kill = async (signal: NodeJS.Signals) => {
    const current = child
    if (!current || !isAlive()) return
    current.kill(signal)
    await once(current, 'exit')
  }
  let tree = folder
  const start = async (from = tree) => {
    tree = from
    child = spawn(process.execPath, ['server/main.ts', '--role', [roles].flat().join()], {
      cwd: tree,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        ...(database && { DATABASE_URL: database.url }),
        SECRET_KEY: testSecretKey,
        LOG_LEVEL: 'silent',
        ...environment,
      },
    })
    for (;;) {
      const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
      if (ready?.ok) return
      if (!isAlive()) throw new Error(`The ${roles} ended before it was ready.`)
      await pause(50)
    }
  }
  onTestFinished(() => kill('SIGKILL'))
  await start()
  return {
    url: `http://localhost:${port}`,
    start,
    pid: () => child?.pid ?? 0,
    freeze: () => void child?.kill('SIGSTOP'),
    kill,
  }
}

/** Doors with the servers' key, closed when the test ends. */
export async function doorsOf(url: string) {
  const pools = await openRunning(url, readConfig({ SECRET_KEY: testSecretKey }, { production: false }))
  onTestFinished(() => pools.end())
  return openDoors(pools)
}

/** Doors of the owner, for servers of another version, whose passwords of roles this one does not know. Closed when the test ends. */
export function doorsOfOwner(url: string) {
  const owner = new pg.Pool({ connectionString: url, max: 2 })
  onTestFinished(() => owner.end())
  return openDoors({ app: owner, apart: owner, system: owner, end: () => owner.end() })
}

/** The links to retrieved files of a deployment that a server has started before. */
export const retrievalLinksOf = async (url: string) =>
  retrievalLinks(await asOwner(url, (owner) => deploymentSecret(owner, testSecretKey)))

/** Machines of one merchant, for the load tool. */
export async function aLoadFleet(database: Pick<BreakablePostgres, 'admin'>, size: number): Promise<LoadMember[]> {
  const merchant = await aMerchant(database)
  const members: LoadMember[] = []
  for (let index = 0; index < size; index++) {
    const { serial, secret, epoch } = await aMachine(database, merchant.id)
    members.push({ serial, secret, epoch, lastSeq: 0 })
  }
  return members
}

/** The acknowledged sales, and the machines' waiting time after a fault. */
export type Sold = LoadReport & { load: string; recoverySeconds: number | null; backlog?: Backlog }

/** The longest time in seconds from a fault's end until all earlier sales were acknowledged. */
function recoveryOf(ends: readonly number[], stored: readonly [soldAt: number, storedAt: number][]): number | null {
  if (ends.length === 0) return null
  let longest = 0
  for (const end of ends)
    for (const [soldAt, storedAt] of stored) if (soldAt <= end) longest = Math.max(longest, storedAt - end)
  return longest / 1000
}

/** Functions for a fault while machines sell. */
export interface Selling {
  /** Marks the end of the fault; recovery must be automatic. */
  over(): void
  /** Resolves when the backlog is below one second of sales, or after a minute. */
  caughtUp(): Promise<void>
}

/** Sells while `fault` runs, and for at least `seconds`. After the last sale there are 30 s to finish. */
export async function sellThrough(
  options: Pick<LoadOptions, 'broker' | 'members' | 'rate' | 'seconds'> & Partial<LoadOptions>,
  fault: (selling: Selling) => Promise<void> = async () => {},
): Promise<Sold> {
  const [ends, stored]: [number[], [number, number][]] = [[], []]
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  let backlog = 0
  const selling: Selling = {
    over: () => void ends.push(performance.now()),
    async caughtUp() {
      const until = performance.now() + 60_000
      // The reported backlog is a second old.
      do await pause(1_500)
      while (backlog > options.rate && performance.now() < until)
    },
  }
  const harm = ready.then(() => fault(selling))
  const { onStored, ...load } = options
  const run = runLoad({
    timeZone: 'Europe/Rome',
    itemsPerMessage: 1,
    duplicated: 0,
    reordered: 0,
    patienceSeconds: 30,
    onReady,
    until: harm,
    onStored: (soldAt, storedAt) => {
      stored.push([soldAt, storedAt])
      onStored?.(soldAt, storedAt)
    },
    onProgress: ({ waiting }) => {
      backlog = waiting
    },
    ...load,
  })
  const [report] = await Promise.all([run, harm])
  return {
    ...report,
    load: `${report.machines} machines, ${options.rate} sales/s, ${report.sent} sales`,
    // With lost sales there is no recovery, however fast the rest was.
    recoverySeconds: report.lost > 0 ? null : recoveryOf(ends, stored),
  }
}

/**
 * Every acknowledged sale is stored once, and the hourly sums match the sales. `kept` sales could not be booked: a complete
 * copy of each must exist instead.
 */
export async function expectNothingLost(
  fault: string,
  database: Pick<BreakablePostgres, 'admin'>,
  report: Sold,
  kept = 0,
): Promise<void> {
  const acknowledged = [...report.acknowledgedUpTo]
  const [sums] = await database.admin<{ missing: number; twice: number; wrong: number; sales: number; kept: number }>(
    `with said as (
       select m.id, m.merchant_id, s.up_to from unnest($1::text[], $2::int[]) as s (serial, up_to) join machines m using (serial)
     ), sold as (
       select t.* from transactions t join said on said.merchant_id = t.merchant_id and said.id = t.machine_id
     ), kept_items as (
       select said.id as machine_id, l.epoch, l.seq from dead_letters l join said on said.id = l.machine_id
       where convert_from(l.payload, 'UTF8')::jsonb @> jsonb_build_object('epoch', l.epoch, 'items', jsonb_build_array(jsonb_build_object('seq', l.seq)))
     ), counted as (
       select machine_id, date_trunc('hour', created_at at time zone 'Europe/Rome') at time zone 'Europe/Rome' as hour,
         type, media_type, media_source, coalesce(price_table, -1), coalesce(product, product_code, ''),
         count(*)::bigint as count, sum(value)::bigint as value
       from sold group by 1, 2, 3, 4, 5, 6, 7
     ), kept as (
       select machine_id, hour, type, media_type, media_source, price_table, product, count::bigint, (value + error_value)::bigint
       from sales_hourly h join said on said.merchant_id = h.merchant_id and said.id = h.machine_id
     )
     select
       (select count(*)::int from said cross join lateral generate_series(1, said.up_to) as seq (seq)
         where not exists (select from sold where sold.machine_id = said.id and sold.seq = seq.seq)
           and not exists (select from kept_items k where k.machine_id = said.id and k.seq = seq.seq)) as missing,
       (select (count(*) - count(distinct (machine_id, epoch, seq)))::int
         from (select machine_id, epoch, seq from sold union all table kept_items) as either) as twice,
       (select count(*)::int from ((table counted except table kept) union all (table kept except table counted)) as either) as wrong,
       (select count(*)::int from sold) as sales, (select count(*)::int from kept_items) as kept`,
    [acknowledged.map(([serial]) => serial), acknowledged.map(([, upTo]) => upTo)],
  )
  const { missing = -1, twice = -1, wrong = -1, sales } = sums ?? {}
  const { load, recoverySeconds, committed, backlog } = report
  noteFinding({ fault, load, acknowledged: committed, missing, twice, wrongHours: wrong, recoverySeconds, backlog })
  expect({ lost: report.lost, missing, twice, wrong, sales, kept: sums?.kept }).toEqual({
    lost: 0,
    missing: 0,
    twice: 0,
    wrong: 0,
    sales: report.sent - kept,
    kept,
  })
  if (recoverySeconds !== null) expectSoon(recoverySeconds)
}

/** The recovery promised for every fault. Checked at full length only, when no other test runs. */
export function expectSoon(recoverySeconds: number): void {
  if (isFull) expect(recoverySeconds).toBeLessThanOrEqual(30)
}
