import type { RecordKey } from '../frame/records.ts'
import type { Doors } from '../frame/tenant.ts'

/** The licence of a key or link, by its hash, among all merchants. Its licence decides whether the hash is still its own. */
export const licenceOfHash = (doors: Doors, hash: string): Promise<RecordKey | undefined> =>
  doors.withSystem(
    'licence directory',
    (db) =>
      db
        .selectFrom('licence_directory')
        .where('hash', '=', hash)
        .select(['merchant_id', 'licence_id as id'])
        .executeTakeFirst(),
    'single statement',
  )

/** Adds a hash before its licence has it. A leftover row opens nothing. */
export const directLicence = (doors: Doors, hash: string, { merchant_id, id }: RecordKey, now: Date): Promise<void> =>
  doors.withSystem(
    'licence directory',
    async (db) => {
      await db.insertInto('licence_directory').values({ hash, merchant_id, licence_id: id, created_at: now }).execute()
    },
    'single statement',
  )

/** Removes the hashes of a licence, except these. */
export const forgetHashes = (
  doors: Doors,
  { merchant_id, id }: RecordKey,
  but: readonly (string | null)[],
): Promise<void> =>
  doors.withSystem(
    'licence directory',
    async (db) => {
      const remaining = but.filter((hash) => hash !== null)
      let rows = db.deleteFrom('licence_directory').where('merchant_id', '=', merchant_id).where('licence_id', '=', id)
      if (remaining.length > 0) rows = rows.where('hash', 'not in', remaining)
      await rows.execute()
    },
    'single statement',
  )
