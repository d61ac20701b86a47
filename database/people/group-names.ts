import { sql } from 'kysely'
import type { SystemDb } from '../frame/tenant.ts'

interface Groups {
  merchantId: string
  groupIds: readonly string[]
}

/** The names of groups by id, in the order of their names. Users are on one node, groups on those of their merchants. */
export async function groupNames(db: SystemDb, groups: readonly Groups[]): Promise<Map<string, string>> {
  const some = groups.filter(({ groupIds }) => groupIds.length > 0)
  if (some.length === 0) return new Map()
  const merchantIds = [...new Set(some.map(({ merchantId }) => merchantId))]
  const groupIds = [...new Set(some.flatMap((one) => one.groupIds))]
  const { rows } = await sql<{ id: string; name: string }>`select id, name from groups
    where merchant_id = any(${merchantIds}::uuid[]) and id = any(${groupIds}::uuid[]) order by lower(name), id`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
