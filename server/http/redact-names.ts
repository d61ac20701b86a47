import { roleMay } from '#contract/access.ts'
import { invisibleUsers } from '#database/frame/redacted-name.ts'
import type { TenantCall } from './handler.ts'
import type { Principal } from './scope.ts'

/** Merchants' users do not see provider users who are hidden from them. */
export const seesInvisible = ({ role }: Pick<Principal, 'role'>) => roleMay(role, 'merchant.readAll')

/** A row whose name may be kept from the reader. */
export type ShownName<R, Name extends keyof R> = Omit<R, Name> & Record<Name, R[Name] | null>

/** Rows as the caller may see them: without the names of users, by `id`, who are hidden from merchants. */
export async function withShownNames<R, Name extends keyof R>(
  { db, user }: Pick<TenantCall, 'db' | 'user'>,
  rows: readonly R[],
  id: keyof R,
  name: Name,
): Promise<ShownName<R, Name>[]> {
  if (seesInvisible(user) || rows.every((row) => row[id] === null)) return [...rows]
  const hidden = await invisibleUsers(db)
  return rows.map((row) => (hidden.has(String(row[id])) ? { ...row, [name]: null } : row))
}
