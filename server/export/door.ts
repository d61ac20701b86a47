import type { ExportList } from '#contract/export/export-lists.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'

/** Lists of users, who belong to no tenant. Their conditions apply the scope, as in the lists on screen. */
const ofPeople: readonly ExportList[] = ['users', 'usersOfAll']

/**
 * Runs work where a list's rows are readable: in the tenant's transaction, or in a transaction for rows without a
 * tenant.
 */
export function whereRowsAre<T>(
  doors: Doors,
  db: TenantDb,
  list: ExportList,
  work: (db: TenantDb) => Promise<T>,
): Promise<T> {
  if (ofPeople.includes(list))
    return doors.withSystem('people', (query, many) => work({ ...db, apart: undefined, query, ...many }))
  if (list === 'deadLetters')
    return doors.withSystem('dead letters', (query, many) => work({ ...db, apart: undefined, query, ...many }))
  if (list === 'providerLog')
    return doors.withSystem('provider log', (query, many) => work({ ...db, apart: undefined, query, ...many }))
  return work(db)
}
