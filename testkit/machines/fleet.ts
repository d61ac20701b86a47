import type { TestApi } from '../api.ts'
import { aMerchant, aUser } from '../fixtures.ts'

/** A new merchant and its admin, who calls by `by`. */
export async function aFleet(api: TestApi) {
  const { id } = await aMerchant(api.database)
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  return { id, user, by: api.as(user) }
}

/** The names of a machine and its merchant in a call's path. */
export const of = (machine: { id: string; merchantId: string }) => ({
  merchantId: machine.merchantId,
  posId: machine.id,
})
