import { sql } from 'kysely'
import type { FirmwareFilters, firmwareOrds, NewFirmware } from '#contract/updates/firmware.ts'
import { anyOf, when } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { Doors, SystemDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

/** The stored file of a firmware or database. */
export interface FileColumns {
  file_id: string
  file_name: string
  file_bytes: number
  file_sha256: string
  file_uploaded_at: Date
}

const columns = [
  'id',
  'version',
  'release',
  'major',
  'minor',
  'patch',
  'build',
  'level',
  'device_types',
  'peripheral',
  'notes',
  'file_id',
  'file_name',
  'file_bytes',
  'file_sha256',
  'file_uploaded_at',
  'created_at',
] as const

const inFirmwares = <T>(doors: Doors, work: (db: SystemDb) => Promise<T>) => doors.withSystem('firmwares', work)

const recordIn = (db: SystemDb, id: string) =>
  db.selectFrom('firmwares').where('id', '=', id).select(columns).executeTakeFirst()
export type FirmwareRecord = NonNullable<Awaited<ReturnType<typeof recordIn>>>

export const findFirmware = (doors: Doors, id: string): Promise<FirmwareRecord | undefined> =>
  inFirmwares(doors, (db) => recordIn(db, id))

const release = sql`array[major, minor, patch, build]`
const ordering = orderOf<(typeof firmwareOrds)[number]>({
  by: {
    release,
    level: sql`level`,
    deviceTypes: sql`device_types`,
    peripheral: sql`peripheral`,
    file: sql`file_bytes`,
    createdAt: sql`created_at`,
  },
  first: 'release',
  ties: (direction) => sql`${release} ${direction}, id ${direction}`,
})

/** The newest version first, unless ordered otherwise. */
export const listFirmwares = (doors: Doors, query: FirmwareFilters & Page & Sorted<(typeof firmwareOrds)[number]>) =>
  inFirmwares(doors, async (db) => {
    const { search, levels, deviceTypes, peripherals, isMachines, hasFile } = query
    const matching = db
      .selectFrom('firmwares')
      .where(anyOf('firmwares.level', levels, 'text'))
      .where(anyOf('firmwares.peripheral', peripherals, 'text'))
      .where(holds(sql`release`, search))
      .where(when(deviceTypes, (some) => sql<boolean>`device_types && ${some}::text[]`))
      .where(when(isMachines, (expected) => sql<boolean>`(peripheral is null) = ${expected}`))
      .where(when(hasFile, (expected) => sql<boolean>`(file_id is not null) = ${expected}`))
    return pageOf({ query: db }, query, {
      matching: () => matching,
      order: ordering({ ...query, ordType: query.ordType ?? (query.ord ? 'ASC' : 'DESC') }),
      select: (some) => some.select(columns),
    })
  })

const partsOf = (release: string) => {
  const [major = 0, minor = 0, patch = 0, build = 0] = release.split('.').map(Number)
  return { major, minor, patch, build }
}

const columnsOf = ({ release, level, deviceTypes, peripheral, notes }: NewFirmware) => ({
  ...partsOf(release),
  level,
  device_types: [...deviceTypes],
  peripheral,
  notes: JSON.stringify(notes),
})

/** Two firmwares of a version must differ in their device types or their peripheral. */
async function isTaken(db: SystemDb, { release, deviceTypes, peripheral }: NewFirmware, except: string | null) {
  await sql`select pg_advisory_xact_lock(hashtext('firmwares'))`.execute(db)
  const same = await db
    .selectFrom('firmwares')
    .where('release', '=', release)
    .where(sql<boolean>`peripheral is not distinct from ${peripheral}::text`)
    .where(sql<boolean>`device_types && ${[...deviceTypes]}::text[]`)
    .$if(except !== null, (some) => some.where('id', '!=', except))
    .select('id')
    .executeTakeFirst()
  return same !== undefined
}

/** Work on a firmware that is locked until the work ends. */
type Work<T> = (db: SystemDb, firmware: FirmwareRecord) => Promise<T>

/** Locks a firmware; undefined if there is none. */
export const withFirmware = <T>(doors: Doors, id: string, work: Work<T>): Promise<T | undefined> =>
  inFirmwares(doors, async (db) => {
    const held = await db.selectFrom('firmwares').where('id', '=', id).select('id').forUpdate().executeTakeFirst()
    const firmware = held && (await recordIn(db, id))
    return firmware && work(db, firmware)
  })

/** Returns null when the version is taken. */
export const insertFirmware = (
  doors: Doors,
  id: string,
  firmware: NewFirmware,
  now: Date,
  deleteUses: (db: SystemDb) => Promise<void>,
): Promise<FirmwareRecord | null> =>
  inFirmwares(doors, async (db) => {
    if (await isTaken(db, firmware, null)) return null
    await db
      .insertInto('firmwares')
      .values({ id, created_at: now, ...columnsOf(firmware) })
      .execute()
    await deleteUses(db)
    return (await recordIn(db, id)) ?? null
  })

/** Returns null when the version is taken. */
export async function writeFirmware(db: SystemDb, id: string, firmware: NewFirmware): Promise<FirmwareRecord | null> {
  if (await isTaken(db, firmware, id)) return null
  await db
    .updateTable('firmwares')
    .set({ ...columnsOf(firmware), version: sql<number>`version + 1` })
    .where('id', '=', id)
    .execute()
  return (await recordIn(db, id)) ?? null
}

export async function writeFirmwareFile(db: SystemDb, id: string, file: FileColumns): Promise<FirmwareRecord> {
  await db.updateTable('firmwares').set(file).where('id', '=', id).execute()
  return (await recordIn(db, id)) as FirmwareRecord
}

export const removeFirmware = (db: SystemDb, id: string) => db.deleteFrom('firmwares').where('id', '=', id).execute()

/** Commands of all merchants that have not ended and name a file. */
export async function commandsWithFile(db: SystemDb, fileId: string): Promise<number> {
  const { n } = await db
    .selectFrom('remote_commands')
    .where('status', 'in', [0, 1])
    .where(sql<boolean>`parameters -> 'file' ->> 'id' = ${fileId}`)
    .select(sql<number>`count(*)::int`.as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** The newest registered firmware of a version that has a file, for a device type; undefined if there is none. */
export const firmwareOfRelease = (
  doors: Doors,
  { release, deviceType, peripheral }: { release: string; deviceType: string; peripheral: string | null },
): Promise<string | undefined> =>
  inFirmwares(doors, async (db) => {
    const firmware = await db
      .selectFrom('firmwares')
      .where('release', '=', release)
      .where('file_id', 'is not', null)
      .where(sql<boolean>`peripheral is not distinct from ${peripheral}::text and ${deviceType} = any(device_types)`)
      .select('id')
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    return firmware?.id
  })

/** The files of all firmwares and of the databases of all merchants. */
export const storedFileIds = (doors: Doors): Promise<string[]> =>
  inFirmwares(doors, async (db) => {
    const rows = await db
      .selectFrom('firmwares')
      .where('file_id', 'is not', null)
      .select('file_id')
      .unionAll(db.selectFrom('cash_databases').where('file_id', 'is not', null).select('file_id'))
      .execute()
    return rows.flatMap(({ file_id }) => file_id ?? [])
  })
