import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Peripheral } from '#contract/vocabulary/remote-command.ts'
import type { UpdateKind } from '#contract/vocabulary/update.ts'
import { blobOfUpdate } from '#server/http/upload.ts'
import { updateSigner } from '#server/updates/signing-key.ts'
import { updateParameters } from '#server/updates/update-order.ts'
import type { TestDatabase } from '../database.ts'
import type { TestGateway } from '../machines/gateway.ts'

let build = 0
const noFile = [null, null, null, null, null]
const aFile = () => [randomUUIDv7(), 'a.bin', 4, '0'.repeat(64), new Date()]

/** A firmware of the provider, without a file unless wanted; the bytes of the file are nowhere. Returns its id. */
export async function aFirmware(
  database: Pick<TestDatabase, 'admin'>,
  {
    release = `9.9.9.${++build}`,
    deviceTypes = ['CUNI'],
    hasFile = false,
  }: { release?: string; deviceTypes?: string[]; hasFile?: boolean } = {},
): Promise<string> {
  const id = randomUUIDv7()
  await database.admin(
    `insert into firmwares (id, major, minor, patch, build, level, device_types, created_at,
      file_id, file_name, file_bytes, file_sha256, file_uploaded_at)
    values ($1, $2, $3, $4, $5, 'production', $6, now(), $7, $8, $9, $10, $11)`,
    [id, ...release.split('.').map(Number), deviceTypes, ...(hasFile ? aFile() : noFile)],
  )
  return id
}

/** A merchant's cash database with a file whose bytes are nowhere. Returns its id. */
export async function aCashDatabase(
  database: Pick<TestDatabase, 'admin'>,
  merchantId: string,
  {
    release = `DB-${++build}`,
    deviceTypes = ['CUNI'],
    currency = 'EUR',
  }: { release?: string; deviceTypes?: string[]; currency?: string } = {},
): Promise<string> {
  const id = randomUUIDv7()
  await database.admin(
    `insert into cash_databases (merchant_id, id, name, release, currency, device_types, created_at,
      file_id, file_name, file_bytes, file_sha256, file_uploaded_at)
    values ($1, $2, 'A database', $3, $4, $5, now(), $6, $7, $8, $9, $10)`,
    [merchantId, id, release, currency, deviceTypes, ...aFile()],
  )
  return id
}

/** A file at a gateway, and the parameters of the command that names it. */
export async function anUpdate(
  database: TestDatabase,
  server: TestGateway,
  machine: { serial: string; timeZone: string },
  {
    kind = 'firmware',
    peripheral = null,
    version = '9.9.9.1',
    content = randomBytes(200_000),
    origin = server.httpUrl,
    minutes = [-60, 60],
    allowDowngrade = false,
  }: {
    kind?: UpdateKind
    peripheral?: Peripheral | null
    version?: string
    content?: Buffer
    /** Where the machine fetches it. */
    origin?: string
    /** Its window from now. */
    minutes?: [number, number]
    allowDowngrade?: boolean
  } = {},
) {
  const id = randomUUIDv7()
  await server.blobs.put(blobOfUpdate(id), [content])
  const release = {
    kind,
    peripheral,
    version,
    deviceTypes: [],
    merchantId: null,
    currency: null,
    file: { id, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') },
  }
  const at = (minute: number) => new Date(Date.now() + minute * 60_000)
  const window = { notBefore: at(minutes[0]), expiresAt: at(minutes[1]) }
  const sign = await updateSigner(database, server.vault)
  return updateParameters(release, { ...machine, updateKey: null }, window, { sign, publicUrl: origin, allowDowngrade })
}

/** A file for a firmware or database, so that it can be sent. */
export const withFile = (database: TestDatabase, table: 'firmwares' | 'cash_databases', id: string) =>
  database.admin(
    `update ${table} set file_id = $2, file_name = 'a.bin', file_bytes = 4, file_sha256 = repeat('a', 64), file_uploaded_at = now()
    where id = $1`,
    [id, randomUUIDv7()],
  )

/** What a machine reports: a version of its firmware or database. Sets it online. */
export async function reportsVersion(
  database: TestDatabase,
  machine: { id: string; merchantId: string },
  version: string,
  { kind = 'firmware', at = new Date() }: { kind?: UpdateKind; at?: Date } = {},
): Promise<void> {
  await database.admin(
    `insert into machine_versions (merchant_id, machine_id, kind, version, since, reported_at) values ($1, $2, $3, $4, $5, $5)
    on conflict (merchant_id, machine_id, kind, peripheral) do update set version = excluded.version, reported_at = excluded.reported_at`,
    [machine.merchantId, machine.id, kind, version, at],
  )
  await database.admin('update machines set connection = 1, last_seen_at = $2 where id = $1', [machine.id, at])
}
