import { ProductError } from '#contract/errors.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { assignableUsers } from '#database/people/assignable-user.ts'
import type { TenantCall } from '#server/http/handler.ts'

type Call = Pick<TenantCall, 'doors' | 'db'> & { params: { merchantId: string } }

/** The users of a call's merchants who may be given work. */
export const assignableIn = ({ doors, params, db }: Call, ids?: readonly string[]) =>
  assignableUsers(
    doors,
    params.merchantId === allMerchants ? db.scope.map(({ merchantId }) => merchantId) : [params.merchantId],
    ids,
  )

/** The name of the user who gets work; null: no user. Users of other merchants answer as if they did not exist. */
export async function nameOfAssignee(call: Call, id: string | null): Promise<string | null> {
  if (id === null) return null
  const [user] = await assignableIn(call, [id])
  if (!user) throw new ProductError('UserNotFound')
  return user.name
}
