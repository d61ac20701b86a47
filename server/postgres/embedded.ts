// Over 450 lines because one server is found, started, guarded, restarted and stopped here, with one shared state.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBackoff, keepTrying } from '../retry/backoff.ts'
import { damaged, diskFull, EmbeddedPostgresError, explain, explainFileError, wrongOwner } from './error.ts'
import { freePort } from './free-port.ts'
import {
  type Binaries,
  claim,
  existingHome,
  type Home,
  isAlive,
  isPostmasterOf,
  ownerOf,
  type RunAs,
  reachableBinaries,
  release,
  removeHome,
  runAsUser,
  settleHome,
} from './home.ts'

export type EmbeddedPostgres = {
  /** The superuser's address of the database `postgres`, on loopback. */
  url: string
  port: number
  /** A clean, fast shutdown; done when PostgreSQL has ended. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  /** The folder of the database. It is created when missing, and reused at the next start. */
  dataDir: string
  /** A fixed port; by default a free port, which later starts reuse while it is free. */
  port?: number
  log?: Log
  /** Trades safety for speed, for a database that is deleted after the run. */
  isThrowaway?: boolean
}

type Log = (line: string) => void
type Connection = { password: string; port: number }

const readyWithin = 120_000
const stopWithin = 60_000
/** A server that ran for this long restarts without delay. */
const calmMs = 60_000
/** Range of the pauses while sessions of a killed PostgreSQL end. */
const lingeringMs = { leastMs: 100, mostMs: 1_000 }
/** Below this PostgreSQL can neither create a cluster nor write its log safely. */
const leastFreeBytes = 128 * 1024 * 1024

/**
 * Starts the bundled PostgreSQL, on loopback only, for a laptop or a small machine. As root it runs as another system user,
 * even if that user cannot enter the data folder or the clone. It first removes leftovers of an earlier run (a stale lock,
 * a running server). Throws EmbeddedPostgresError, whose message is one sentence for the user at the terminal.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log = () => {} } = options
  try {
    const home = settleHome(dataDir, log)
    claim(home)
    return await startAt(home, options, log).catch((error: unknown) => {
      release(home)
      throw error
    })
  } catch (error) {
    throw explainFileError(error, dataDir)
  }
}

async function startAt(home: Home, options: EmbeddedPostgresOptions, log: Log): Promise<EmbeddedPostgres> {
  const user = runAsUser(home.cluster)
  const binaries = reachableBinaries(user, log)
  await stopLeftover(home, log)
  refuseFullDisk(home)
  if (existsSync(home.cluster)) refuseForeignCluster(home, binaries)
  else await createCluster(home, binaries, user, options.isThrowaway === true, log)
  const connection = readConnection(home)
  const spawned: Spawned = {}
  const { isThrowaway = false, port: fixed } = options
  const order: Order = { home, binaries, user, isThrowaway, log, spawned, signal: new AbortController().signal }
  const port = await launch(order, { fixed, remembered: connection.port })
  if (port !== connection.port) writeConnection(home, { ...connection, port })
  return running(order, port, connection.password)
}

/** Deletes the database of a data folder, even if it is damaged. Throws `in-use` while a Gettone uses it. */
export async function removeEmbeddedPostgres(dataDir: string): Promise<void> {
  const home = homeIfWhole(dataDir)
  if (home) {
    claim(home)
    await stopLeftover(home, () => {})
  }
  removeHome(dataDir, home)
}

/** The process that runs the database of this data folder, if one does. */
export function embeddedPostgresOwner(dataDir: string): number | undefined {
  const home = homeIfWhole(dataDir)
  return home && ownerOf(home)
}

/** The address of Gettone's database in this data folder, while another process runs it. */
export function runningEmbeddedPostgres(dataDir: string): string | undefined {
  const home = homeIfWhole(dataDir)
  if (!home || ownerOf(home) === undefined || !existsSync(home.connection)) return undefined
  const { password, port } = readConnection(home)
  return `postgres://postgres:${password}@127.0.0.1:${port}/gettone`
}

function homeIfWhole(dataDir: string): Home | undefined {
  try {
    return existingHome(dataDir)
  } catch (error) {
    if (error instanceof EmbeddedPostgresError && error.code === 'damaged') return undefined
    throw error
  }
}

/** Keeps PostgreSQL running on its port until it is stopped; restarts it when it ends unexpectedly. */
function running(first: Order, port: number, password: string): EmbeddedPostgres {
  const stopped = new AbortController()
  const order: Order = { ...first, signal: stopped.signal }
  const { home, spawned, log } = order
  const interrupt = () => void spawned.child?.kill('SIGINT')
  process.once('exit', interrupt)
  let stopping: Promise<void> | undefined
  const stop = async () => {
    process.off('exit', interrupt)
    stopped.abort()
    await endOf(spawned.child, 'SIGINT', stopWithin)
    await keeping
    // A server that was still starting.
    await endOf(spawned.child, 'SIGINT', stopWithin)
    release(home)
  }

  async function keep(): Promise<void> {
    const backoff = createBackoff()
    for (;;) {
      const startedAt = performance.now()
      await exitOf(spawned.child)
      if (stopped.signal.aborted) return
      const { exitCode, signalCode } = spawned.child ?? {}
      log(`PostgreSQL stopped unexpectedly (${signalCode ?? `exit code ${exitCode}`}). Restarting it`)
      if (performance.now() - startedAt > calmMs) backoff.worked()
      await sleep(backoff.failed(), undefined, { signal: stopped.signal })
      let startOutput = ''
      const startAgain = async () => {
        await stopLeftover(home, log)
        await launch(order, { fixed: port })
      }
      const sayOnce = (error: unknown) => {
        const sentence = error instanceof Error ? error.message : String(error)
        if (sentence !== startOutput) log(sentence)
        startOutput = sentence
      }
      await keepTrying(startAgain, { signal: stopped.signal, onFailure: sayOnce })
      log('PostgreSQL is running again')
    }
  }
  const keeping = keep().catch((error: unknown) => {
    if (!stopped.signal.aborted) log(`PostgreSQL could not be restarted: ${error}`)
  })
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

/** A process that could not be spawned has no id. */
const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid === undefined || exitCode !== null || signalCode !== null

const exitOf = (child: ChildProcess | undefined) =>
  new Promise<void>((resolve) => {
    if (!child || hasEnded(child)) resolve()
    else child.once('exit', () => resolve())
  })

async function endOf(child: ChildProcess | undefined, signal: NodeJS.Signals, patience: number) {
  if (!child || hasEnded(child)) return
  const ended = exitOf(child)
  child.kill(signal)
  const impatience = setTimeout(() => child.kill('SIGQUIT'), patience)
  await ended
  clearTimeout(impatience)
}

/** A PostgreSQL may outlive a killed Gettone. It is stopped, so that the new run owns its server. */
async function stopLeftover(home: Home, log: Log) {
  const lock = join(home.cluster, 'postmaster.pid')
  if (!existsSync(lock)) return
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0])
  if (!pid || !isAlive(pid)) return
  if (!isPostmasterOf(home.cluster, pid)) {
    // Another process has this id now, and PostgreSQL would mistake it for its own server.
    rmSync(lock)
    return
  }
  log(`Stopping PostgreSQL of an earlier run (process ${pid})`)
  process.kill(pid, 'SIGINT')
  const givenUp = Date.now() + stopWithin
  while (isPostmasterOf(home.cluster, pid)) {
    if (Date.now() > givenUp) {
      throw new EmbeddedPostgresError(
        'in-use',
        `PostgreSQL of an earlier run (process ${pid}) uses the data in ${home.cluster} and does not stop: end that process, then start again.`,
      )
    }
    await sleep(20)
  }
}

function refuseFullDisk(home: Home) {
  const { bavail, bsize } = statfsSync(home.path)
  if (bavail * bsize < leastFreeBytes) throw diskFull(home.path)
}

function refuseForeignCluster(home: Home, binaries: Binaries) {
  const { uid } = statSync(home.cluster)
  const processUid = process.getuid?.()
  if (processUid !== undefined && processUid !== 0 && uid !== processUid) throw wrongOwner(home.cluster)
  if (processUid === 0 && uid === 0) {
    throw new EmbeddedPostgresError(
      'wrong-owner',
      `${home.cluster} belongs to root, as whom PostgreSQL refuses to run: give it to the user it was made by ("chown -R"), or start anew with "npm run reset".`,
    )
  }
  const versionFile = join(home.cluster, 'PG_VERSION')
  if (!existsSync(versionFile)) throw damaged(home.cluster, 'its file PG_VERSION is missing')
  const version = readFileSync(versionFile, 'utf8').trim()
  if (version !== binaries.major) {
    throw new EmbeddedPostgresError(
      'version-mismatch',
      `The database in ${home.cluster} is from PostgreSQL ${version}, but this Gettone runs PostgreSQL ${binaries.major}: move its data with a backup and restore, or reset it with "npm run reset".`,
    )
  }
}

function readConnection(home: Home): Connection {
  if (!existsSync(home.connection))
    throw damaged(home.cluster, `${home.connection}, which holds its password, is missing`)
  try {
    return JSON.parse(readFileSync(home.connection, 'utf8')) as Connection
  } catch {
    throw damaged(home.cluster, `${home.connection}, which holds its password, is not readable`)
  }
}

function writeConnection(home: Home, connection: Connection) {
  writeFileSync(home.connection, JSON.stringify(connection), { mode: 0o600 })
}

/**
 * Creates the cluster in a temporary folder and moves it into place when complete, so that an interrupted start leaves no
 * partial cluster.
 */
async function createCluster(home: Home, binaries: Binaries, user: RunAs | undefined, isThrowaway: boolean, log: Log) {
  log(`Creating a new database in ${home.cluster}`)
  const password = randomBytes(24).toString('base64url')
  const unfinished = join(home.path, 'cluster.unfinished')
  const passwordFile = join(home.path, 'initial-password')
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user) for (const path of [unfinished, passwordFile]) chownSync(path, user.uid, user.gid)
  try {
    // Texts are compared by code point, the same on every system. Only the character classes depend on the system's UTF-8
    // locale.
    for (const locale of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
      const result = spawnSync(
        binaries.initdb,
        [
          `--pgdata=${unfinished}`,
          '--username=postgres',
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--locale-provider=builtin',
          '--builtin-locale=C.UTF-8',
          `--lc-ctype=${locale}`,
          ...['collate', 'messages', 'monetary', 'numeric', 'time'].map((category) => `--lc-${category}=C`),
          ...(isThrowaway ? throwawayCluster : []),
        ],
        { ...user, cwd: '/', encoding: 'utf8', env: cleanEnvironment },
      )
      if (result.status === 0) break
      const reason = `${result.stderr}${result.error?.message ?? ''}`
      if (/invalid locale/.test(reason) && locale !== 'C') continue
      throw explain(home.cluster, reason.split('\n'))
    }
    writeConnection(home, { password, port: 0 })
    renameSync(unfinished, home.cluster)
  } finally {
    rmSync(passwordFile, { force: true })
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Passwords guard nothing that lasts, so proving them is cheap; no page is checked after a power cut. */
const throwawayCluster = ['--no-sync', '--no-data-checksums', '--set=scram_iterations=1']

const cleanEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Statements are counted where the build has the library; in a throwaway database only in sessions that switch it on. */
function statisticsOf({ postgres }: Binaries, isThrowaway: boolean): Record<string, string | number> {
  const folder = join(dirname(postgres), '..', 'lib', 'postgresql')
  if (!['so', 'dylib', 'dll'].some((ending) => existsSync(join(folder, `pg_stat_statements.${ending}`)))) return {}
  return {
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track': isThrowaway ? 'none' : 'top',
    'pg_stat_statements.track_utility': 'off',
  }
}

/** Nothing is kept over a power cut, and nothing lives long enough to be vacuumed. */
const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  autovacuum: 'off',
}

function settingsOf(binaries: Binaries, port: number, isThrowaway: boolean): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '128MB',
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    effective_cache_size: '1GB',
    random_page_cost: 1.1,
    // Starting workers takes 10 ms on a small machine; most pages are read in less.
    parallel_setup_cost: 10_000,
    jit: 'off',
    // A small machine's disk holds at most about this much of the log. Recycled files do not delay commits as new ones would.
    max_wal_size: '256MB',
    min_wal_size: '256MB',
    wal_compression: 'on',
    // While the place of backups is away the log waits for it, at most so much; then the next copy starts from the beginning.
    max_slot_wal_keep_size: '2GB',
    checkpoint_timeout: '15min',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_checkpoints: 'off',
    log_min_error_statement: 'panic',
    ...statisticsOf(binaries, isThrowaway),
    ...(isThrowaway && throwawaySettings),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The current process, running or starting. */
type Spawned = { child?: ChildProcess }

/** Settings that are the same at every start on the same data. */
type Order = {
  home: Home
  binaries: Binaries
  user: RunAs | undefined
  isThrowaway: boolean
  log: Log
  spawned: Spawned
  /** No process is spawned after this is aborted. */
  signal: AbortSignal
}

/**
 * Starts the server and waits until it accepts connections. Returns the port: a remembered port that is taken is
 * replaced by a free one, a fixed port is not.
 */
async function launch(
  { home, binaries, user, isThrowaway, log, spawned, signal }: Order,
  { fixed, remembered }: { fixed?: number | undefined; remembered?: number },
): Promise<number> {
  const givenUp = Date.now() + readyWithin
  const backoff = createBackoff(lingeringMs)
  let port = fixed ?? (remembered || (await freePort()))
  for (;;) {
    signal.throwIfAborted()
    const child = spawn(binaries.postgres, ['-D', home.cluster, ...settingsOf(binaries, port, isThrowaway)], {
      ...user,
      cwd: '/',
      // A separate session: Ctrl-C in the terminal reaches only Gettone, which then stops its database last.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: cleanEnvironment,
    })
    spawned.child = child
    const output: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => {
      output.push(line)
      if (output.length > 50) output.shift()
      if (isForOperator(line)) log(line)
    })
    if (await isReady(home, child, givenUp)) {
      endWithUs(child)
      return port
    }
    const words = output.join('\n')
    if (/could not bind|could not create any TCP/.test(words)) {
      if (fixed) {
        throw new EmbeddedPostgresError('port-in-use', `Port ${fixed} for PostgreSQL is in use by another program.`)
      }
      port = await freePort()
    } else if (!/pre-existing shared memory block/.test(words)) throw explain(home.cluster, output)
    // Sessions of a killed PostgreSQL need a moment to notice that it is gone.
    if (Date.now() > givenUp) throw explain(home.cluster, output)
    await sleep(backoff.failed())
  }
}

/** PostgreSQL's messages for the operator. A refused statement is reported to its client only. */
const isForOperator = (line: string) =>
  /^(FATAL|PANIC):|terminated by signal|not properly shut down|redo done/.test(line) &&
  !/administrator command/.test(line)

/** PostgreSQL writes to its lock file when it accepts connections. Returns false if it ended instead. */
async function isReady(home: Home, child: ChildProcess, givenUp: number): Promise<boolean> {
  const lock = join(home.cluster, 'postmaster.pid')
  let failure: Error | undefined
  child.once('error', (error) => {
    failure = error
  })
  while (child.exitCode === null && child.signalCode === null && !failure) {
    const [pid, , , , , , , status] = existsSync(lock) ? readFileSync(lock, 'utf8').split('\n') : []
    if (Number(pid) === child.pid && status?.trim() === 'ready') return true
    if (Date.now() > givenUp) {
      await endOf(child, 'SIGINT', 5_000)
      throw damaged(home.cluster, `PostgreSQL was not ready after ${readyWithin / 1000} s`)
    }
    await sleep(10)
  }
  // Its last messages are still in the pipe.
  await sleep(20)
  return false
}

/** If Gettone is killed, the pipe to this small shell breaks, and the shell stops PostgreSQL. So nothing is left running. */
function endWithUs(child: ChildProcess) {
  const lifeline = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(child.pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  lifeline.on('error', () => {})
  lifeline.stdin.on('error', () => {})
  lifeline.unref()
  child.once('exit', () => lifeline.kill('SIGKILL'))
}
