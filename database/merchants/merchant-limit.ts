import { sql } from 'kysely'
import { ProductError } from '#contract/errors.ts'
import type { SystemDb } from '../frame/tenant.ts'

/**
 * Checks whether a new machine may join a merchant. Concurrent machines of a merchant with a limit wait for each other, so that the last
 * place is given once. Throws DemoExpired, and MachineLimitReached when all places are taken; deleted machines take no place.
 */
export async function refuseJoining(db: SystemDb, merchantId: string): Promise<void> {
  const { rows: limits } = await sql<{ most: number }>`
    select maximum_machines as most from merchant_features
    where merchant_id = ${merchantId}::uuid and maximum_machines is not null for no key update`.execute(db)
  const { rows } = await sql<{ isOver: boolean; machines: number }>`
    select demo_is_over(is_demo, demo_expires_on, time_zone) as "isOver",
      (select count(*)::int from machines m where m.merchant_id = ${merchantId}::uuid and m.deleted_at is null) as machines
    from merchants where id = ${merchantId}::uuid`.execute(db)
  const [merchant] = rows
  if (merchant?.isOver) throw new ProductError('DemoExpired')
  const most = limits[0]?.most
  if (most !== undefined && (merchant?.machines ?? 0) >= most) throw new ProductError('MachineLimitReached')
}

/**
 * Checks whether a user may be assigned to these merchants; existing assignments are always allowed. Concurrent assignments to a merchant
 * with a limit wait for each other. Throws PeopleLimitReached with the merchant's name.
 */
export async function refuseTooManyUsers(db: SystemDb, userId: string, merchantIds: readonly string[]): Promise<void> {
  const limited: { id: string; most: number }[] = []
  for (const id of merchantIds.toSorted()) {
    const { rows } = await sql<{ id: string; most: number }>`
      select merchant_id as id, maximum_people as most from merchant_features
      where merchant_id = ${id}::uuid and maximum_people is not null for no key update`.execute(db)
    limited.push(...rows)
  }
  if (limited.length === 0) return
  const { rows } = await sql<{ name: string }>`
    select n.name from unnest(${limited.map(({ id }) => id)}::uuid[], ${limited.map(({ most }) => most)}::int[]) as f (merchant_id, most)
    join merchants n on n.id = f.merchant_id
    where not exists (select 1 from user_merchants m where m.user_id = ${userId}::uuid and m.merchant_id = f.merchant_id)
      and (select count(*) from user_merchants m where m.merchant_id = f.merchant_id) >= f.most
    order by lower(n.name)`.execute(db)
  const [full] = rows
  if (full) throw new ProductError('PeopleLimitReached', { merchant: full.name })
}
