import type { TenantDb } from '../frame/tenant.ts'

export interface StoredStorage {
  username: string
  passwordSealed: string
  url: string
  protocol: 'webdav' | 'https'
  testedAt: Date
  version: number
}

/** The storage of a merchant; locked until the transaction ends if it is to be changed. */
export async function screenStorageOf(
  db: TenantDb,
  merchantId: string,
  access: 'read' | 'hold' = 'read',
): Promise<StoredStorage | undefined> {
  const row = await db
    .from('screen_storages')
    .where('screen_storages.merchant_id', '=', merchantId)
    .selectAll('screen_storages')
    .$if(access === 'hold', (query) => query.forUpdate('screen_storages'))
    .executeTakeFirst()
  return (
    row && {
      username: row.username,
      passwordSealed: row.password_sealed,
      url: row.url,
      protocol: row.protocol as StoredStorage['protocol'],
      testedAt: row.tested_at,
      version: row.version,
    }
  )
}

export async function writeScreenStorage(db: TenantDb, merchantId: string, storage: StoredStorage): Promise<void> {
  const columns = {
    username: storage.username,
    password_sealed: storage.passwordSealed,
    url: storage.url,
    protocol: storage.protocol,
    tested_at: storage.testedAt,
    version: storage.version,
  }
  await db.query
    .insertInto('screen_storages')
    .values({ merchant_id: merchantId, ...columns })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(columns))
    .execute()
}

/** Removes a merchant's storage and what is known of its copies: the versions of the next storage start again. */
export const removeScreenStorage = async (db: TenantDb, merchantId: string): Promise<boolean> => {
  await db.query.deleteFrom('screen_copies').where('merchant_id', '=', merchantId).execute()
  return (
    Number(
      (await db.query.deleteFrom('screen_storages').where('merchant_id', '=', merchantId).executeTakeFirst())
        .numDeletedRows,
    ) > 0
  )
}
