import { sql } from 'kysely'
import { type Role, roles } from '#contract/vocabulary/roles.ts'
import { isProviders } from '#domain/people/user-edit.ts'
import type { Doors } from '../frame/tenant.ts'

type SystemDoor = Pick<Doors, 'withSystem'>

/** Which users of a merchant a directory asks for; all without a filter. */
export interface ProvisionedFilter {
  email?: string
  externalId?: string
  id?: string
}

const visibleRoles = roles.filter((role) => !isProviders(role))

/** Users whom an admin of the merchant alone would see, by email: a page of ids, and the number of all. */
export const provisionedIds = (
  { withSystem }: SystemDoor,
  merchantId: string,
  filter: ProvisionedFilter,
  page: { offset: number; size: number },
): Promise<{ ids: string[]; total: number }> =>
  withSystem('people', async (db) => {
    const matching = sql`from users u join user_merchants m on m.user_id = u.id
      left join provisioned_users p on p.user_id = u.id and p.merchant_id = m.merchant_id
      where m.merchant_id = ${merchantId}::uuid and not u.invisible_to_merchants and u.role = any(${visibleRoles}::text[])
        and (${filter.email ?? null}::text is null or u.email = ${filter.email ?? null})
        and (${filter.externalId ?? null}::text is null or p.external_id = ${filter.externalId ?? null})
        and (${filter.id ?? null}::uuid is null or u.id = ${filter.id ?? null}::uuid)`
    const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total ${matching}`.execute(db)
    const { rows } = await sql<{ id: string }>`
      select u.id ${matching} order by u.email limit ${page.size} offset ${page.offset}`.execute(db)
    return { ids: rows.map(({ id }) => id), total: counted[0]?.total ?? 0 }
  })

/** A member of a merchant, for the groups of its directory. */
export interface ProvisionedMember {
  id: string
  email: string
  role: Role
  groupIds: string[]
}

/** All members of a merchant whom its admins see, with their groups. */
export const provisionedMembers = ({ withSystem }: SystemDoor, merchantId: string): Promise<ProvisionedMember[]> =>
  withSystem(
    'people',
    async (db) => {
      const { rows } = await sql<ProvisionedMember>`
        select u.id, u.email, u.role, array(select g.group_id::text from user_groups g
          where g.user_id = u.id and g.merchant_id = m.merchant_id) as "groupIds"
        from users u join user_merchants m on m.user_id = u.id
        where m.merchant_id = ${merchantId}::uuid and not u.invisible_to_merchants and u.role = any(${visibleRoles}::text[])
        order by u.email`.execute(db)
      return rows
    },
    'single statement',
  )

export const externalIdOf = ({ withSystem }: SystemDoor, merchantId: string, userId: string): Promise<string | null> =>
  withSystem(
    'people',
    async (db) => {
      const row = await db
        .selectFrom('provisioned_users')
        .select('external_id')
        .where('user_id', '=', userId)
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst()
      return row?.external_id ?? null
    },
    'single statement',
  )

/** Stores the directory's id of a member, or removes it. */
export const saveExternalId = (
  { withSystem }: SystemDoor,
  merchantId: string,
  userId: string,
  externalId: string | null,
): Promise<void> =>
  withSystem('people', async (db) => {
    if (externalId === null) {
      await db
        .deleteFrom('provisioned_users')
        .where('user_id', '=', userId)
        .where('merchant_id', '=', merchantId)
        .execute()
      return
    }
    await db
      .insertInto('provisioned_users')
      .values({ user_id: userId, merchant_id: merchantId, external_id: externalId })
      .onConflict((conflict) => conflict.columns(['user_id', 'merchant_id']).doUpdateSet({ external_id: externalId }))
      .execute()
  })
