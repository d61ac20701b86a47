import { sql } from 'kysely'
import type { Role } from '#contract/vocabulary/roles.ts'
import type { Doors } from '../frame/tenant.ts'

/** Users of merchants who may be given work: not suspended, and not hidden from merchants. At most so many. */
const most = 500

/** The users of some merchants, by name. `ids`: only these. */
export const assignableUsers = (doors: Doors, merchantIds: readonly string[], ids?: readonly string[]) =>
  doors.withSystem(
    'merchant people',
    async (db) => {
      const { rows } = await sql<{ id: string; name: string; role: Role }>`
        select u.id, u.name, u.role from users u
        where u.status <> 'suspended' and not u.invisible_to_merchants
          and exists (select 1 from user_merchants m where m.user_id = u.id and m.merchant_id = any(${merchantIds}::uuid[]))
          and ${ids === undefined ? sql`true` : sql`u.id = any(${ids}::uuid[])`}
        order by lower(u.name), u.id limit ${most}`.execute(db)
      return rows
    },
    'single statement',
  )
