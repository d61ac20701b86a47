import type { ExportList } from '#contract/export-lists.ts'
import type { Doors, TenantDb } from '#database/tenant.ts'

/** Lists of people, who belong to no tenant: their conditions hold the scope, as in the lists on screen. */
const ofPeople: readonly ExportList[] = ['users', 'usersOfAll']

/** Runs work where a list's rows are read: in the tenant's own transaction, or, for people, in one that sees them. */
export const whereRowsAre = <T>(
  doors: Doors,
  db: TenantDb,
  list: ExportList,
  work: (db: TenantDb) => Promise<T>,
): Promise<T> =>
  ofPeople.includes(list) ? doors.withSystem('people', (query, many) => work({ ...db, query, ...many })) : work(db)
