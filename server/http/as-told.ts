import { roleMay } from '#contract/access.ts'
import { invisiblePeople } from '#database/frame/name-told.ts'
import type { TenantCall } from './handler.ts'
import type { Principal } from './scope.ts'

/** Merchants' own people are told nothing of who works for the provider and is not shown to them. */
export const seesInvisible = ({ role }: Pick<Principal, 'role'>) => roleMay(role, 'merchant.readAll')

/** A row whose name may be kept from the reader. */
export type Told<R, Name extends keyof R> = Omit<R, Name> & Record<Name, R[Name] | null>

/** Rows as the caller is told of them: without the name of a person, by `id`, whom merchants are not shown. */
export async function asTold<R, Name extends keyof R>(
  { db, user }: Pick<TenantCall, 'db' | 'user'>,
  rows: readonly R[],
  id: keyof R,
  name: Name,
): Promise<Told<R, Name>[]> {
  if (seesInvisible(user) || rows.every((row) => row[id] === null)) return [...rows]
  const hidden = await invisiblePeople(db)
  return rows.map((row) => (hidden.has(String(row[id])) ? { ...row, [name]: null } : row))
}
