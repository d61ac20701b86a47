import { sql } from 'kysely'
import { rolesThatMay } from '#contract/access.ts'
import type { Role } from '#contract/vocabulary/roles.ts'
import { Language } from '#contract/vocabulary/world/languages.ts'
import type { SystemDb } from '../frame/tenant.ts'

/** A user who may read alarms of a merchant: of all groups or of some. */
export interface AlarmReader {
  id: string
  email: string
  name: string
  role: Role
  language: Language | null
  groups: 'all' | readonly string[]
  /** Whether the user has switched alarm mail on. */
  isAsking: boolean
}

/**
 * Users who are assigned to a merchant and may read its alarms. Suspended and invited users are left out, and all users while the
 * merchant's demo has expired.
 */
export async function alarmReaders(db: SystemDb, merchantId: string): Promise<AlarmReader[]> {
  const { rows } = await sql<Omit<AlarmReader, 'language'> & { language: string | null }>`
    select u.id, u.email, u.name, u.role, u.language, u.receive_notifications as "isAsking",
      case when um.all_groups then to_json('all'::text) else to_json(array(select g.group_id from user_groups g
        where g.user_id = um.user_id and g.merchant_id = um.merchant_id)) end as groups
    from user_merchants um join users u on u.id = um.user_id join merchants m on m.id = um.merchant_id
    where um.merchant_id = ${merchantId} and not demo_is_over(m.is_demo, m.demo_expires_on, m.time_zone) and u.status = 'active' and u.role = any(${rolesThatMay('alarm.read')}::text[])
    order by u.email`.execute(db)
  return rows.map((row) => ({ ...row, language: Language.safeParse(row.language).data ?? null }))
}

/** Whether the user sees machines of a group, or without a group. */
export const sees = ({ groups }: AlarmReader, groupId: string | null): boolean =>
  groups === 'all' || (groupId !== null && groups.includes(groupId))
