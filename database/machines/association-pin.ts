import { sql } from 'kysely'
import type { Doors, SystemDb } from '../frame/tenant.ts'

/** Replaces the PIN of a merchant. False if another merchant has this PIN. */
export const storePin = (doors: Doors, merchantId: string, pin: { digest: string; sealed: string }): Promise<boolean> =>
  doors.withSystem('association pins', async (db) => {
    if (!(await claimDigest(db, merchantId, pin.digest))) return false
    await db
      .updateTable('merchant_settings')
      .set({ pin_sealed: pin.sealed })
      .where('merchant_id', '=', merchantId)
      .execute()
    return true
  })

/** Directs a new PIN to its merchant and drops the old one; the caller stores the sealed PIN. False if another merchant has it. */
export const claimPin = (doors: Doors, merchantId: string, digest: string): Promise<boolean> =>
  doors.withSystem('association pins', (db) => claimDigest(db, merchantId, digest), 'single statement')

async function claimDigest(db: SystemDb, merchantId: string, digest: string): Promise<boolean> {
  const inserted = await sql`
    insert into association_pins (digest, merchant_id) values (${digest}, ${merchantId})
    on conflict (merchant_id) do update set digest = excluded.digest
    where not exists (select 1 from association_pins other where other.digest = excluded.digest)
      or association_pins.digest = excluded.digest`
    .execute(db)
    .catch((error: { code?: string }) => {
      if (error.code === uniqueViolation) return null
      throw error
    })
  return Boolean(inserted?.numAffectedRows)
}

const uniqueViolation = '23505'
