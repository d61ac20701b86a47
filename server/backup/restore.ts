import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar'
import { chainOf, type Piece, placeOf, segmentName, segmentStart } from '#domain/backup/wal.ts'
import type { Blobs } from '../files/blobs.ts'
import { logFolder, recoverEmbedded, recoverySettings, refuseExisting } from '../postgres/recover.ts'
import { keyFingerprint } from './make-backup.ts'
import { BackupError, type BackupStore, type Base } from './store.ts'

export interface RestorePlan {
  base: Base
  /** The log that follows the copy. */
  pieces: Piece[]
  /** The latest moment to which this backup reaches. */
  reaches: Date
  until: Date | undefined
}

/** Pieces are read for so long after the moment: clocks of two hosts may differ. */
const slackMillis = 5 * 60_000

const timeText = (at: Date) => at.toISOString()

/** The only system of a backup, or the named one. */
export async function systemOf(store: BackupStore, named: string | undefined): Promise<string> {
  const systems = await store.systems()
  if (named !== undefined) {
    if (systems.includes(named)) return named
    throw new BackupError(`There is no backup of the system ${named} at this address.`)
  }
  const [only, ...others] = systems
  if (only === undefined) throw new BackupError('There is no backup at this address.')
  if (others.length > 0)
    throw new BackupError(
      `There are backups of several systems at this address: choose one by --system: ${systems.join(', ')}.`,
    )
  return only
}

/** What is needed to restore a system to a moment, or to its last change. Throws a BackupError where the backup does not reach. */
export async function planRestore(store: BackupStore, systemId: string, until?: Date): Promise<RestorePlan> {
  const bases = await store.bases(systemId)
  const [first] = bases
  if (!first)
    throw new BackupError(
      'There is no complete backup at this address: it ends before its copy of the server was whole.',
    )
  const base = bases.findLast(({ endedAt }) => until === undefined || new Date(endedAt) <= until)
  if (!base) throw new BackupError(`The first backup was complete at ${first.endedAt}; choose a later moment.`)
  const pieces = await store.pieces(systemId)
  const stray = pieces.find(
    ({ timeline, savedAt }) => timeline > base.timeline && (until === undefined || savedAt <= until),
  )
  if (stray)
    throw new BackupError(
      `From ${timeText(stray.savedAt)} on the log is that of a restored server of which there is no copy: choose an earlier moment with --at.`,
    )
  const own = pieces.filter(({ timeline }) => timeline === base.timeline)
  const from = segmentStart(placeOf(base.start), base.segmentBytes)
  const { chain, end, beyond } = chainOf(own, from)
  // The copy has its own log up to its end.
  const isUseful = end >= placeOf(base.end)
  const last = chain.at(-1)
  const reaches =
    isUseful && last ? new Date(Math.max(last.savedAt.getTime(), Date.parse(base.endedAt))) : new Date(base.endedAt)
  const isBroken = beyond !== undefined && (until === undefined || until > reaches)
  if (isBroken)
    throw new BackupError(
      `A piece of the log is missing: the backup reaches to ${timeText(reaches)}. Choose this moment or an earlier one with --at.`,
    )
  if (until && until > reaches) throw new BackupError(`The backup reaches to ${timeText(reaches)}.`)
  const needed = chain.filter(({ savedAt }, index) => {
    const before = chain[index - 1]
    return (
      until === undefined || savedAt <= until || !before || before.savedAt.getTime() < until.getTime() + slackMillis
    )
  })
  return { base, pieces: isUseful ? needed : [], reaches, until }
}

/** Writes the copy of the server and the log that follows into an empty folder. */
export async function writeCluster(store: BackupStore, { base, pieces }: RestorePlan, folder: string): Promise<void> {
  if (readdirSync(folder).length > 0) throw new BackupError(`${folder} is not empty.`)
  const tar = await store.part(base, 'server.tar')
  if (!tar) throw new BackupError(`The copy ${base.stamp} of the server is missing in the backup.`)
  await pipeline(tar, extract({ cwd: folder, strict: true }))
  const inFolder = join(folder, logFolder)
  mkdirSync(inFolder, { recursive: true })
  for (const piece of pieces) await writePiece(store, base, piece, inFolder)
}

/** Writes a piece into the files of the log it belongs to, each of full length. */
async function writePiece(store: BackupStore, base: Base, piece: Piece, folder: string): Promise<void> {
  const { segmentBytes } = base
  let place = piece.start
  for await (const content of await store.piece(base.systemId, piece)) {
    let bytes = content as Buffer
    while (bytes.length > 0) {
      const start = segmentStart(place, segmentBytes)
      const offset = Number(place - start)
      const part = bytes.subarray(0, segmentBytes - offset)
      const name = join(folder, segmentName(piece.timeline, place, segmentBytes))
      const open = openSync(name, constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        ftruncateSync(open, segmentBytes)
        writeSync(open, part, 0, part.length, offset)
      } finally {
        closeSync(open)
      }
      place += BigInt(part.length)
      bytes = bytes.subarray(part.length)
    }
  }
  if (place !== piece.end) throw new BackupError('A piece of the log is shorter than its name says.')
}

/** The key of the deployment: of an encrypted backup, else the given one. Throws where it is not the one of the backup. */
export async function keyOf(store: BackupStore, base: Base, given: string | undefined): Promise<string> {
  const part = base.isEncrypted ? await store.part(base, 'secret-key') : undefined
  const key = part ? Buffer.concat(await part.toArray()).toString() : given
  if (key === undefined)
    throw new BackupError('The backup is not encrypted and therefore has no SECRET_KEY: set the one of the deployment.')
  if (keyFingerprint(key) !== base.keyFingerprint)
    throw new BackupError('This SECRET_KEY is not the one of the backup: its secrets could not be read.')
  return key
}

const keyFileOf = (dataDir: string) => join(dataDir, 'secret-key')

/** Keeps the key in the data folder, unless one is there. Returns its file. */
function keepKey(dataDir: string, key: string): string {
  const file = keyFileOf(dataDir)
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, key, { mode: 0o600 })
  return file
}

/** Copies the files of the deployment that are not there. */
export async function restoreFiles(store: BackupStore, systemId: string, files: Blobs): Promise<number> {
  let copied = 0
  for (const key of await store.files(systemId)) {
    if ((await files.size(key)) !== undefined) continue
    await files.put(key, await store.file(systemId, key), { isDurable: true })
    copied++
  }
  return copied
}

export interface RestoreOrder {
  store: BackupStore
  plan: RestorePlan
  /** The data folder; it must not have a database. */
  dataDir: string
  files: Blobs
  /** The key of the deployment, if it is known here. */
  secretKey: string | undefined
  log(line: string): void
}

export interface Restored {
  files: number
  /** The time of the last change, as the server says it. */
  lastChange: string | undefined
}

/** Restores the embedded server, its key and the files of the deployment. After a failure there is no database. */
export async function restoreEmbedded({
  store,
  plan,
  dataDir,
  files,
  secretKey,
  log,
}: RestoreOrder): Promise<Restored> {
  const postgres = join(dataDir, 'postgres')
  refuseExisting(postgres)
  const keyFile = keyFileOf(dataDir)
  const known = secretKey ?? (existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : undefined)
  const key = await keyOf(store, plan.base, known)
  const copied = await restoreFiles(store, plan.base.systemId, files)
  const lastChange = await recoverEmbedded({
    dataDir: postgres,
    fill: (folder) => writeCluster(store, plan, folder),
    until: plan.until,
    log,
  })
  keepKey(dataDir, key)
  return { files: copied, lastChange }
}

export interface ClusterOrder extends Pick<RestoreOrder, 'store' | 'plan' | 'dataDir' | 'secretKey'> {
  folder: string
}

/**
 * Prepares an empty folder for a PostgreSQL of the same version, which recovers when it is started on it. Keeps the key of an encrypted backup in the
 * data folder and returns its file; a given key must be that of the backup.
 */
export async function prepareCluster(order: ClusterOrder): Promise<string | undefined> {
  const { store, plan, folder, dataDir, secretKey } = order
  const key = plan.base.isEncrypted || secretKey ? await keyOf(store, plan.base, secretKey) : undefined
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await writeCluster(store, plan, folder)
  const settings = Object.entries(recoverySettings(plan.until))
  const lines = settings.map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
  writeFileSync(join(folder, 'postgresql.auto.conf'), lines.join(''), { flag: 'a' })
  writeFileSync(join(folder, 'recovery.signal'), '')
  return plan.base.isEncrypted && key ? keepKey(dataDir, key) : undefined
}
