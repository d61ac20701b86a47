import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { migrate } from '#database/migrate.ts'
import { type EmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded-postgres.ts'
import type { LoadMember } from '#simulator/load/load-machine.ts'
import { type LoadOptions, type LoadReport, runLoad } from '#simulator/load/run-load.ts'
import { aMachine, aMerchant, testSecretKey } from '#testkit/fixtures.ts'
import { aFreePort } from '#testkit/portal.ts'

/** `npm run test:faults` runs them at full length; `npm test` a short form of each. */
export const isFull = process.env.FAULTS === 'full'

const root = join(import.meta.dirname, '..')

/** A PostgreSQL of one's own, as safe as in production, which may be killed, frozen and started again. */
export interface BreakablePostgres {
  readonly url: string
  admin<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** `kill -9` of the server, and a start on the same data. */
  killAndRestart(): Promise<void>
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** One for all tests of a file. */
export function breakablePostgres(): { readonly database: BreakablePostgres } {
  const place: { database?: BreakablePostgres } = {}
  beforeAll(async () => {
    place.database = await startBreakable()
  }, 120_000)
  afterAll(() => place.database?.stop())
  return place as { database: BreakablePostgres }
}

async function startBreakable(): Promise<BreakablePostgres> {
  mkdirSync(join(root, '.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, '.cache', 'faults-'))
  const dataDir = join(folder, 'postgres')
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir })
  const { port, url } = server
  const owner = new pg.Pool({ connectionString: url, max: 2 })
  owner.on('error', () => {})
  await migrate(url)
  const admin = async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    (await owner.query<R>(text, values)).rows
  await admin(`select ensure_partitions(now() - interval '40 days', now() + interval '40 days')`)
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
  return {
    url,
    admin,
    async killAndRestart() {
      process.kill(pid, 'SIGKILL')
      await server.stop()
      server = await startEmbeddedPostgres({ dataDir, port })
      pid = await postmaster()
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

/** A gateway in a process of its own, as production runs it. */
export interface GatewayProcess {
  mqttUrl: string
  start(): Promise<void>
  /** Answers when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
}

export async function aGatewayProcess(
  database: BreakablePostgres,
  environment: Record<string, string> = {},
): Promise<GatewayProcess> {
  const [port, mqttPort] = [await aFreePort(), await aFreePort()]
  let child: ChildProcess | undefined
  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const kill = async (signal: NodeJS.Signals) => {
    const own = child
    if (!own || !isAlive()) return
    own.kill(signal)
    await once(own, 'exit')
  }
  const start = async () => {
    child = spawn(process.execPath, ['server/main.ts', '--role', 'gateway'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        MQTT_PORT: String(mqttPort),
        DATABASE_URL: database.url,
        SECRET_KEY: testSecretKey,
        LOG_LEVEL: 'silent',
        ...environment,
      },
    })
    for (;;) {
      const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
      if (ready?.ok) return
      if (!isAlive()) throw new Error('The gateway ended before it was ready.')
      await pause(50)
    }
  }
  onTestFinished(() => kill('SIGKILL'))
  await start()
  return { mqttUrl: `mqtt://127.0.0.1:${mqttPort}`, start, kill }
}

/** Machines of one merchant, for the load tool. */
export async function aLoadFleet(database: BreakablePostgres, size: number): Promise<LoadMember[]> {
  const merchant = await aMerchant(database)
  const members: LoadMember[] = []
  for (let index = 0; index < size; index++) {
    const { serial, secret, epoch } = await aMachine(database, merchant.id)
    members.push({ serial, secret, epoch, lastSeq: 0 })
  }
  return members
}

/** Sells while `fault` does its harm. The gateway has 30 s after the last sale to be through with everything. */
export async function sellThrough(
  options: Pick<LoadOptions, 'broker' | 'members' | 'rate' | 'seconds'> & Partial<LoadOptions>,
  fault: () => Promise<void>,
): Promise<LoadReport> {
  const load = runLoad({
    timeZone: 'Europe/Rome',
    itemsPerMessage: 1,
    duplicated: 0,
    reordered: 0,
    patienceSeconds: 30,
    ...options,
  })
  const [report] = await Promise.all([load, fault()])
  return report
}

/** What the gateway said is stored is stored, once, and the hours are what their sales add up to. */
export async function expectNothingLost(database: BreakablePostgres, report: LoadReport): Promise<void> {
  expect(report.lost).toBe(0)
  const acknowledged = [...report.acknowledgedUpTo]
  const [found] = await database.admin<{ missing: number; twice: number; wrong: number; sales: number }>(
    `with said as (
       select m.id, m.merchant_id, s.up_to from unnest($1::text[], $2::int[]) as s (serial, up_to) join machines m using (serial)
     ), sold as (
       select t.* from transactions t join said on said.merchant_id = t.merchant_id and said.id = t.machine_id
     ), counted as (
       select machine_id, date_trunc('hour', created_at at time zone 'Europe/Rome') at time zone 'Europe/Rome' as hour,
         type, media_type, media_source, count(*)::bigint as count, sum(value)::bigint as value
       from sold group by 1, 2, 3, 4, 5
     ), kept as (
       select machine_id, hour, type, media_type, media_source, count::bigint, value::bigint
       from sales_hourly h join said on said.merchant_id = h.merchant_id and said.id = h.machine_id
     )
     select
       (select count(*)::int from said cross join lateral generate_series(1, said.up_to) as seq (seq)
         where not exists (select from sold where sold.machine_id = said.id and sold.seq = seq.seq)) as missing,
       (select (count(*) - count(distinct (machine_id, epoch, seq)))::int from sold) as twice,
       (select count(*)::int from ((table counted except table kept) union all (table kept except table counted)) as either) as wrong,
       (select count(*)::int from sold) as sales`,
    [acknowledged.map(([serial]) => serial), acknowledged.map(([, upTo]) => upTo)],
  )
  expect(found).toEqual({ missing: 0, twice: 0, wrong: 0, sales: report.sent })
}
