import { randomUUIDv7 } from 'node:crypto'
import type { SystemDb } from '../frame/tenant.ts'

export type KeyUse = 'sign' | 'cookie'

export async function sealedKey(db: SystemDb, use: KeyUse): Promise<string | undefined> {
  const row = await db.selectFrom('identity_keys').select('sealed').where('use', '=', use).executeTakeFirst()
  return row?.sealed
}

/** Replaced keys of a use, newest first. */
export async function formerKeys(db: SystemDb, use: KeyUse): Promise<string[]> {
  const rows = await db
    .selectFrom('identity_former_keys')
    .select('sealed')
    .where('use', '=', use)
    .orderBy('replaced_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ sealed }) => sealed)
}

/** Stores a key unless another process was faster; returns the stored one. */
export async function keepKey(db: SystemDb, use: KeyUse, sealed: string, now: Date): Promise<string> {
  await db
    .insertInto('identity_keys')
    .values({ use, sealed, created_at: now })
    .onConflict((conflict) => conflict.column('use').doNothing())
    .execute()
  const row = await db.selectFrom('identity_keys').select('sealed').where('use', '=', use).executeTakeFirstOrThrow()
  return row.sealed
}

/** Replaces the present keys, which become former ones. */
export async function replaceKeys(db: SystemDb, keys: Record<KeyUse, string>, now: Date): Promise<void> {
  for (const use of ['sign', 'cookie'] as const) {
    const { sealed } = await db
      .selectFrom('identity_keys')
      .select('sealed')
      .where('use', '=', use)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await db.insertInto('identity_former_keys').values({ id: randomUUIDv7(), use, sealed, replaced_at: now }).execute()
    await db.updateTable('identity_keys').set({ sealed: keys[use], created_at: now }).where('use', '=', use).execute()
  }
}

export async function dropFormerKeys(db: SystemDb): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('identity_former_keys').executeTakeFirst()
  return Number(numDeletedRows)
}
