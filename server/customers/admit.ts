import { ProductError } from '#contract/errors.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { findCustomerCaller } from '#database/key-portal/customer-account.ts'
import type { Actor } from '#database/platform/change-log.ts'
import { type CustomerTokens, isCustomerToken } from './tokens.ts'

/** The end customer who calls. */
export interface CustomerPrincipal {
  merchantId: string
  customerId: string
  sessionId: string
  email: string
  name: string
  features: readonly string[]
  /** The session began with a mailed link, at this time. */
  linkedInAt: Date | null
}

/**
 * The customer behind a bearer token, for a row of theirs. Tokens of users are `refuseUser`'s: a valid one is forbidden, another one is unknown. A
 * session that has ended, and an account that was suspended or erased, is refused at its next request.
 */
export async function admitCustomer(
  { doors, customerTokens }: { doors: Doors; customerTokens: CustomerTokens },
  bearer: string,
  row: AnyEndpoint,
  refuseUser: () => Promise<never>,
): Promise<CustomerPrincipal> {
  if (!isCustomerToken(bearer)) return refuseUser()
  const token = await customerTokens.verify(bearer)
  const caller = await findCustomerCaller(doors, token, new Date())
  if (caller?.customerId !== token.customerId) throw new ProductError('Unauthorized')
  if (caller.isDemoOver) throw new ProductError('DemoExpired')
  const isOn = (feature: string) => caller.features.includes(feature)
  if (!isOn('customerMedia') || (row.feature && !isOn(row.feature))) throw new ProductError('FeatureNotEnabled')
  const { merchantId, customerId, sessionId } = token
  const { email, name, features, isByLink, createdAt } = caller
  return { merchantId, customerId, sessionId, email, name, features, linkedInAt: isByLink ? createdAt : null }
}

/** The customer as the change log names them: without their name, which may be erased. */
export const inLog = ({ customerId }: Pick<CustomerPrincipal, 'customerId'>): Actor => ({
  id: customerId,
  name: 'customer',
})
