import type { TestApi } from '../api.ts'
import { aMerchant, aUser } from '../fixtures.ts'

/** A merchant of one's own, and its admin, who calls by `by`. */
export async function aFleet(api: TestApi) {
  const { id } = await aMerchant(api.database)
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  return { id, person, by: api.as(person) }
}

/** The names that a call's path gives a machine and its merchant. */
export const of = (machine: { id: string; merchantId: string }) => ({
  merchantId: machine.merchantId,
  posId: machine.id,
})
