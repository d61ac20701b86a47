import type { Doors } from '../frame/tenant.ts'

export interface DeploymentKey {
  name: string
  public_key: string
  sealed_private_key: string
}

const columns = ['name', 'public_key', 'sealed_private_key'] as const

/** The keys of a purpose in any order. The first has its name, later keys have a number after it. */
export const keysOf = (doors: Doors, purpose: string): Promise<DeploymentKey[]> =>
  doors.withSystem(
    'deployment keys',
    (db) =>
      db
        .selectFrom('deployment_keys')
        .where((is) => is.or([is('name', '=', purpose), is('name', 'like', `${purpose} %`)]))
        .select(columns)
        .execute(),
    'single statement',
  )

export const findKey = (doors: Doors, name: string): Promise<DeploymentKey | undefined> =>
  doors.withSystem(
    'deployment keys',
    (db) => db.selectFrom('deployment_keys').where('name', '=', name).select(columns).executeTakeFirst(),
    'single statement',
  )

/** Stores a key unless its name has a key already. Returns the stored key. */
export const storeKey = (doors: Doors, key: DeploymentKey, now: Date): Promise<DeploymentKey> =>
  doors.withSystem('deployment keys', async (db) => {
    await db
      .insertInto('deployment_keys')
      .values({ ...key, created_at: now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    return db.selectFrom('deployment_keys').where('name', '=', key.name).select(columns).executeTakeFirstOrThrow()
  })
