import { randomUUID, randomUUIDv7 } from 'node:crypto'
import {
  accountOfProvenEmail,
  openCustomerSession,
  saveCustomerPassword,
} from '#database/key-portal/customer-account.ts'
import { walletOf } from '#database/key-portal/own-media.ts'
import type { TestApi } from '../api.ts'
import { type TestDatabase, wholeMerchant } from '../database.ts'
import { cheapHash } from '../passwords.ts'

export interface TestCustomer {
  merchantId: string
  customerId: string
  email: string
  sessionId: string
  /** A bearer token, as after a sign-in by a mailed link. */
  token: string
}

interface Wanted {
  email?: string
  password?: string
  isByLink?: boolean
}

/** A customer with an account and a session. */
export async function aCustomer(
  { withTenant }: Pick<TestDatabase, 'withTenant'>,
  merchantId: string,
  { email = `${randomUUID().slice(0, 13)}@customer.test`, password, isByLink = false }: Wanted = {},
): Promise<Omit<TestCustomer, 'token'>> {
  const now = new Date()
  return withTenant(wholeMerchant(merchantId), async (db) => {
    const account = await accountOfProvenEmail(db, merchantId, { email, name: 'A customer', language: 'en' }, now)
    const customerId = account?.customerId as string
    if (password) await saveCustomerPassword(db, merchantId, customerId, cheapHash(password))
    const expiresAt = new Date(now.getTime() + 3_600_000)
    const session = { merchantId, customerId, hash: randomUUID(), isByLink, now, expiresAt }
    return { merchantId, customerId, email, sessionId: await openCustomerSession(db, session) }
  })
}

/** The same, with a token of the session. */
export async function aSignedInCustomer(
  { database, customerTokens }: Pick<TestApi, 'database' | 'customerTokens'>,
  merchantId: string,
  with_: Wanted = {},
): Promise<TestCustomer> {
  const customer = await aCustomer(database, merchantId, with_)
  const { customerId, sessionId } = customer
  return { ...customer, token: await customerTokens.sign({ merchantId, customerId, sessionId }) }
}

/** A customer's wallet. */
export const aWallet = (
  { withTenant }: Pick<TestDatabase, 'withTenant'>,
  { merchantId, customerId }: Pick<TestCustomer, 'merchantId' | 'customerId'>,
): Promise<string> =>
  withTenant(wholeMerchant(merchantId), (db) => walletOf(db, { merchantId, customerId }, new Date()))

/** The merchant lets customers recharge in the app. */
export const rechargesAllowed = ({ admin }: Pick<TestDatabase, 'admin'>, merchantId: string) =>
  admin(
    `insert into merchant_details (merchant_id, portal_recharge) values ($1, true)
     on conflict (merchant_id) do update set portal_recharge = true`,
    [merchantId],
  )

/** The headers of a customer's call. */
export const signedBy = ({ token }: Pick<TestCustomer, 'token'>) => ({ authorization: `Bearer ${token}` })

/** A payment at a machine that has ended; 1.00 euro. */
export async function anAppPayment(
  { admin }: Pick<TestDatabase, 'admin'>,
  {
    merchantId,
    customerId,
    mediaId,
    posId,
  }: { merchantId: string; customerId: string; mediaId: string; posId: string },
): Promise<string> {
  const id = randomUUIDv7()
  await admin(
    `insert into credit_reservations (merchant_id, id, media_id, pos_id, purpose, credit, bonus, state, created_at, expires_at, ended_at)
     values ($1, $2, $3, $4, 'vend', 100, 0, 'released', now(), now(), now())`,
    [merchantId, id, mediaId, posId],
  )
  await admin(
    `insert into app_payments (merchant_id, id, customer_id, media_id, pos_id, command_id, amount, created_at)
     values ($1, $2, $3, $4, $5, $2, 100, now())`,
    [merchantId, id, customerId, mediaId, posId],
  )
  return id
}
