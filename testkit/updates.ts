import { randomUUIDv7 } from 'node:crypto'
import type { TestDatabase } from './database.ts'

let build = 0

/** A firmware of the provider, without a file unless given. Returns its id. */
export async function aFirmware(
  database: TestDatabase,
  { release = `9.9.9.${++build}`, deviceTypes = ['CUNI'] }: { release?: string; deviceTypes?: string[] } = {},
): Promise<string> {
  const id = randomUUIDv7()
  await database.admin(
    `insert into firmwares (id, major, minor, patch, build, level, device_types, created_at)
    values ($1, $2, $3, $4, $5, 'production', $6, now())`,
    [id, ...release.split('.').map(Number), deviceTypes],
  )
  return id
}
