import { randomInt, randomUUIDv7 } from 'node:crypto'
import { screenBlob } from '#database/configurations/screen-file.ts'
import type { Blobs } from '#server/files/blobs.ts'
import type { TestDatabase } from '../database.ts'

type Owned = Pick<TestDatabase, 'admin'>

/** A complete upload; its bytes are in the blob store if one is given. */
export async function aScreenFile(
  database: Owned,
  merchantId: string,
  kind = 'picture',
  blobs?: Blobs,
): Promise<string> {
  const id = randomUUIDv7()
  await blobs?.put(screenBlob(merchantId, id), ['x'.repeat(100)])
  await database.admin(
    `insert into screen_files (merchant_id, id, origin, name, kind, type, bytes, sha256, created_at)
     values ($1, $2, 'upload', $3, $4, $5, 100, $6, now())`,
    [merchantId, id, `File ${id.slice(-6)}`, kind, kind === 'video' ? 'mp4' : 'png', 'a'.repeat(64)],
  )
  return id
}

/** A serial whose screen may enrol for a day. */
export async function aWhitelistEntry(
  database: Owned,
  merchantId: string,
  serial = `W${randomInt(1e12)}`,
): Promise<string> {
  const id = randomUUIDv7()
  await database.admin(
    `insert into whitelist_entries (merchant_id, id, serial, added_by_name, created_at, expires_at)
     values ($1, $2, $3, 'Test', now(), now() + interval '1 day')`,
    [merchantId, id, serial],
  )
  return id
}
