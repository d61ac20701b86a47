import { randomUUID, randomUUIDv7 } from 'node:crypto'
import {
  accountOfProvenEmail,
  openCustomerSession,
  saveCustomerPassword,
} from '#database/key-portal/customer-account.ts'
import { walletOf } from '#database/key-portal/own-media.ts'
import { hashPassword } from '#server/identity/password.ts'
import type { TestApi } from '../api.ts'
import { type TestDatabase, wholeMerchant } from '../database.ts'

export interface TestCustomer {
  merchantId: string
  customerId: string
  email: string
  sessionId: string
  /** A bearer token, as after a sign-in by a mailed link. */
  token: string
}

/** A customer with an account, who is signed in. */
export async function aSignedInCustomer(
  { database, customerTokens }: Pick<TestApi, 'database' | 'customerTokens'>,
  merchantId: string,
  with_: { email?: string; password?: string; isByLink?: boolean } = {},
): Promise<TestCustomer> {
  const { email = `${randomUUID().slice(0, 13)}@customer.test`, password, isByLink = false } = with_
  const now = new Date()
  const hash = password && (await hashPassword(password))
  const { customerId, sessionId } = await database.withTenant(wholeMerchant(merchantId), async (db) => {
    const account = await accountOfProvenEmail(db, merchantId, { email, name: 'A customer', language: 'en' }, now)
    const id = account?.customerId as string
    if (hash) await saveCustomerPassword(db, merchantId, id, hash)
    const expiresAt = new Date(now.getTime() + 3_600_000)
    const session = { merchantId, customerId: id, hash: randomUUID(), isByLink, now, expiresAt }
    return { customerId: id, sessionId: await openCustomerSession(db, session) }
  })
  const token = await customerTokens.sign({ merchantId, customerId, sessionId })
  return { merchantId, customerId, email, sessionId, token }
}

/** A customer's wallet. */
export const aWallet = (
  { withTenant }: Pick<TestDatabase, 'withTenant'>,
  { merchantId, customerId }: Pick<TestCustomer, 'merchantId' | 'customerId'>,
): Promise<string> =>
  withTenant(wholeMerchant(merchantId), (db) => walletOf(db, { merchantId, customerId }, new Date()))

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
