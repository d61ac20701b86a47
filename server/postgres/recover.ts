import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { EmbeddedPostgresError, explain } from './error.ts'
import { freePort } from './free-port.ts'
import {
  type Binaries,
  claim,
  existingHome,
  type RunAs,
  reachableBinaries,
  release,
  runAsUser,
  settleHome,
} from './home.ts'

export interface Recovery {
  /** The folder of the embedded server, which must not have a database yet. */
  dataDir: string
  /** Writes the files of the server into a folder; their log goes into its folder `logFolder`. */
  fill(folder: string): Promise<void>
  /** The moment to which changes are applied; all by default. */
  until?: Date | undefined
  log(line: string): void
}

/** Where `fill` puts files of the log, under the server's folder. */
export const logFolder = 'restored-log'

/** Settings of a server that recovers from `logFolder`. The server runs the command in its own folder, which may have another path there: in a container. */
export const recoverySettings = (until: Date | undefined): Record<string, string> => ({
  restore_command: `cp "${logFolder}/%f" "%p"`,
  recovery_target_timeline: 'current',
  recovery_target_action: 'promote',
  ...(until && { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') }),
})

/** The folder of the database of a data folder; undefined where there is none. */
export function clusterOf(dataDir: string): string | undefined {
  const home = existingHome(dataDir)
  return home && existsSync(home.cluster) ? home.cluster : undefined
}

/** Throws where a restore would overwrite a database. */
export function refuseExisting(dataDir: string): void {
  const cluster = clusterOf(dataDir)
  if (cluster !== undefined)
    throw new EmbeddedPostgresError(
      'in-use',
      `There is a database in ${cluster}: restore into another folder (DATA_DIR), or remove it first with "npm run reset".`,
    )
}

/**
 * Makes the embedded server from a copy and its log. It exists once it is recovered; until then, and after a failure, there is none. Returns the
 * time of the last change, as the server says it.
 */
export async function recoverEmbedded({ dataDir, fill, until, log }: Recovery): Promise<string | undefined> {
  refuseExisting(dataDir)
  const home = settleHome(dataDir, log)
  claim(home)
  const folder = join(home.path, 'cluster.restoring')
  try {
    const user = runAsUser(home.cluster)
    const binaries = reachableBinaries(user, log)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    await fill(folder)
    refuseOtherMajor(folder, binaries)
    const trust = join(folder, 'restore_hba.conf')
    writeFileSync(trust, 'host all all 127.0.0.1/32 trust\n')
    writeFileSync(join(folder, 'recovery.signal'), '')
    if (user) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
    const password = randomBytes(24).toString('base64url')
    const run = { folder, binaries, user, trust, password, log }
    const ended = await recover({ ...run, until }).catch((error: unknown) => {
      // Nothing was changed after the last change before that moment: all of the log is before it.
      if (until && /recovery ended before configured recovery target/.test(String(error))) return recover(run)
      throw error
    })
    rmSync(join(folder, logFolder), { recursive: true, force: true })
    rmSync(trust)
    writeFileSync(home.connection, JSON.stringify({ password, port: 0 }), { mode: 0o600 })
    renameSync(folder, home.cluster)
    return ended
  } finally {
    rmSync(folder, { recursive: true, force: true })
    release(home)
  }
}

function refuseOtherMajor(folder: string, { major }: Binaries): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (version === major) return
  throw new EmbeddedPostgresError(
    'version-mismatch',
    `The backup is of PostgreSQL ${version}, but this Gettone runs PostgreSQL ${major}: restore it with --cluster for a server of that version.`,
  )
}

interface Run {
  folder: string
  binaries: Binaries
  user: RunAs | undefined
  trust: string
  password: string
  until?: Date | undefined
  log(line: string): void
}

/** Runs the server until it has recovered, sets its password and stops it. */
async function recover({ folder, binaries, user, trust, password, until, log }: Run): Promise<string | undefined> {
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    hba_file: trust,
    max_connections: 100,
    shared_buffers: '128MB',
    hot_standby: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    ...recoverySettings(until),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(binaries.postgres, ['-D', folder, ...flags], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
  const ended = new Promise<void>((resolve) => {
    server.once('exit', () => resolve())
    server.once('error', () => resolve())
  })
  const isOver = () => server.exitCode !== null || server.signalCode !== null || server.pid === undefined
  const output: string[] = []
  let lastChange: string | undefined
  createInterface({ input: server.stderr }).on('line', (line) => {
    output.push(line)
    if (output.length > 200) output.shift()
    if (line.includes(lastChangeAt)) lastChange = line.slice(line.indexOf(lastChangeAt) + lastChangeAt.length)
    if (isFault(line)) log(line)
  })
  try {
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    while (!(await isRecovered(url))) {
      if (isOver()) {
        await pause(50)
        throw faultOf(folder, output)
      }
      await pause(100)
    }
    await withClient(url, (client) => client.query(`alter role postgres password ${client.escapeLiteral(password)}`))
    return lastChange
  } finally {
    if (!isOver()) server.kill('SIGINT')
    await ended
  }
}

/** Refusing a connection is no fault: that is how we see when it has recovered. */
const isFault = (line: string) => /^(FATAL|PANIC):/.test(line) && !line.includes('the database system is')
const lastChangeAt = 'last completed transaction was at log time '

function faultOf(folder: string, output: readonly string[]): Error {
  const fatal = output.findLast(isFault)
  return fatal ? new Error(fatal) : explain(folder, [...output])
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const isRecovered = (url: string): Promise<boolean> =>
  withClient(url, async (client) => !(await client.query('select pg_is_in_recovery() as is')).rows[0]?.is).catch(
    () => false,
  )
