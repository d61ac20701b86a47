import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/* Accounts of end customers. All of it is data of one merchant: no query sees another one's. */

export const wholeOf = (merchantId: string) => [{ merchantId, groups: 'all' }] as const

export interface CustomerAccount {
  merchantId: string
  customerId: string
  email: string
  passwordHash: string | null
}

const accountColumns = sql.raw(`account.merchant_id as "merchantId", account.customer_id as "customerId", account.email,
  account.password_hash as "passwordHash"`)

/** The account that signs in with an e-mail address; undefined if there is none, or it is suspended. */
export async function accountByEmail(
  db: TenantDb,
  merchantId: string,
  email: string,
): Promise<CustomerAccount | undefined> {
  const { rows } = await sql<CustomerAccount>`select ${accountColumns} from customer_accounts account
    where ${db.own('account')} and account.merchant_id = ${merchantId} and account.email = ${email.toLowerCase()}
      and account.status = 'active'`.execute(db.query)
  return rows[0]
}

export async function accountOfCustomer(
  db: TenantDb,
  merchantId: string,
  customerId: string,
): Promise<CustomerAccount | undefined> {
  const { rows } = await sql<CustomerAccount>`select ${accountColumns} from customer_accounts account
    where ${db.own('account')} and account.merchant_id = ${merchantId} and account.customer_id = ${customerId}`.execute(
    db.query,
  )
  return rows[0]
}

/** Stores a link by its hash. False: the address got too many of them lately. */
export async function saveCustomerLink(
  db: TenantDb,
  link: {
    merchantId: string
    hash: string
    email: string
    name: string | null
    language: string
    now: Date
    expiresAt: Date
    mostPerHour: number
  },
): Promise<boolean> {
  const { merchantId, hash, email, name, language, now, expiresAt } = link
  // Two requests at one moment follow each other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${merchantId} ${email}`}, 20))`.execute(db.query)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from customer_links link
    where ${db.own('link')} and link.merchant_id = ${merchantId} and link.email = ${email}
      and link.created_at > ${now}::timestamptz - interval '1 hour'`.execute(db.query)
  if ((rows[0]?.count ?? 0) >= link.mostPerHour) return false
  await sql`insert into customer_links (merchant_id, hash, email, name, language, created_at, expires_at)
    values (${merchantId}, ${hash}, ${email}, ${name}, ${language}, ${now}, ${expiresAt})`.execute(db.query)
  return true
}

/** Uses up a link. Of two uses at one moment one succeeds; all other links of the address end with it. */
export async function useCustomerLink(
  db: TenantDb,
  merchantId: string,
  hash: string,
  now: Date,
): Promise<{ email: string; name: string | null; language: string } | undefined> {
  const { rows } = await sql<{ email: string; name: string | null; language: string }>`
    update customer_links set used_at = ${now}
    where merchant_id = ${merchantId} and hash = ${hash} and used_at is null and expires_at > ${now}
    returning email, name, language`.execute(db.query)
  const [link] = rows
  if (link)
    await sql`update customer_links set used_at = ${now}
      where merchant_id = ${merchantId} and email = ${link.email} and used_at is null`.execute(db.query)
  return link
}

/**
 * The account of a proven e-mail address. A customer whom staff registered with it gets the account; otherwise a customer is created. Staff may have
 * replaced the address of an account by this one: its password and sessions end. Undefined: the account is suspended.
 */
export async function accountOfProvenEmail(
  db: TenantDb,
  merchantId: string,
  { email, name, language }: { email: string; name: string; language: string },
  now: Date,
): Promise<{ customerId: string; isNew: boolean } | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${merchantId} ${email}`}, 21))`.execute(db.query)
  const accounts = await sql<{ customerId: string; status: string }>`
    select account.customer_id as "customerId", account.status from customer_accounts account
    where ${db.own('account')} and account.merchant_id = ${merchantId} and account.email = ${email}`.execute(db.query)
  const [account] = accounts.rows
  if (account) return account.status === 'active' ? { customerId: account.customerId, isNew: false } : undefined
  await sql`insert into customers (merchant_id, id, name, email, language, created_at)
    values (${merchantId}, ${randomUUIDv7()}, ${name}, ${email}, ${language}, ${now})
    on conflict (merchant_id, lower(email)) where email is not null do nothing`.execute(db.query)
  const { rows } = await sql<{ id: string }>`select customer.id from customers customer
    where ${db.own('customer')} and customer.merchant_id = ${merchantId} and lower(customer.email) = ${email}
    for update`.execute(db.query)
  const customerId = rows[0]?.id as string
  const bound = await sql<{ status: string }>`
    insert into customer_accounts as account (merchant_id, customer_id, email, created_at)
    values (${merchantId}, ${customerId}, ${email}, ${now})
    on conflict (merchant_id, customer_id) do update set email = excluded.email, password_hash = null
    returning account.status`.execute(db.query)
  await dropCustomerSessions(db, merchantId, customerId)
  return bound.rows[0]?.status === 'active' ? { customerId, isNew: true } : undefined
}

export const saveCustomerPassword = (db: TenantDb, merchantId: string, customerId: string, hash: string) =>
  sql`update customer_accounts set password_hash = ${hash}
    where merchant_id = ${merchantId} and customer_id = ${customerId}`.execute(db.query)

/** A signed-in browser. */
export interface CustomerSession {
  id: string
  customerId: string
  isByLink: boolean
  createdAt: Date
}

/** Opens a session, and notes the sign-in. */
export async function openCustomerSession(
  db: TenantDb,
  session: { merchantId: string; customerId: string; hash: string; isByLink: boolean; now: Date; expiresAt: Date },
): Promise<string> {
  const { merchantId, customerId, hash, isByLink, now, expiresAt } = session
  const id = randomUUIDv7()
  await sql`insert into customer_sessions (merchant_id, id, customer_id, token_hash, is_by_link, created_at, renewed_at, expires_at)
    values (${merchantId}, ${id}, ${customerId}, ${hash}, ${isByLink}, ${now}, ${now}, ${expiresAt})`.execute(db.query)
  await sql`update customer_accounts set last_sign_in_at = ${now}
    where merchant_id = ${merchantId} and customer_id = ${customerId}`.execute(db.query)
  return id
}

/** Within this time the previous token is taken for another tab of the same browser, whose cookie is the new one already. */
const tabsMillis = 20_000

/**
 * Renews a session by its refresh token. `renewed`: the token is replaced by `nextHash`. `known`: another tab has just replaced it. Undefined: there is no
 * such session, or the token was replaced before, and the session ends, since somebody else has the token.
 */
export async function renewCustomerSession(
  db: TenantDb,
  merchantId: string,
  renewal: { sessionId: string; hash: string; nextHash: string; now: Date; expiresAt: Date },
): Promise<{ customerId: string; isRenewed: boolean } | undefined> {
  const { sessionId, hash, nextHash, now, expiresAt } = renewal
  const { rows } = await sql<{
    customerId: string
    tokenHash: string
    previousHash: string | null
    renewedAt: Date
  }>`select session.customer_id as "customerId", session.token_hash as "tokenHash", session.previous_hash as "previousHash",
      session.renewed_at as "renewedAt"
    from customer_sessions session
    join customer_accounts account on ${db.own('account')} and account.merchant_id = session.merchant_id
      and account.customer_id = session.customer_id and account.status = 'active'
    where ${db.own('session')} and session.merchant_id = ${merchantId} and session.id = ${sessionId} and session.expires_at > ${now}
    for update of session`.execute(db.query)
  const [session] = rows
  if (!session) return undefined
  const { customerId } = session
  if (session.tokenHash === hash) {
    await sql`update customer_sessions set token_hash = ${nextHash}, previous_hash = ${hash}, renewed_at = ${now}, expires_at = ${expiresAt}
      where merchant_id = ${merchantId} and id = ${sessionId}`.execute(db.query)
    return { customerId, isRenewed: true }
  }
  if (session.previousHash === hash && now.getTime() - session.renewedAt.getTime() < tabsMillis)
    return { customerId, isRenewed: false }
  await sql`delete from customer_sessions where merchant_id = ${merchantId} and id = ${sessionId}`.execute(db.query)
  return undefined
}

/** Ends a session, if the token is its own. */
export const endCustomerSession = (db: TenantDb, merchantId: string, sessionId: string, hash: string) =>
  sql`delete from customer_sessions where merchant_id = ${merchantId} and id = ${sessionId}
    and ${hash} in (token_hash, previous_hash)`.execute(db.query)

/** Ends all sessions of a customer, except one. */
export const dropCustomerSessions = (db: TenantDb, merchantId: string, customerId: string, except?: string) =>
  sql`delete from customer_sessions where merchant_id = ${merchantId} and customer_id = ${customerId}
    and id is distinct from ${except ?? null}::uuid`.execute(db.query)

/** The caller behind a token of a customer. */
export interface CustomerCaller extends CustomerSession {
  email: string
  name: string
  features: string[]
  isDemoOver: boolean
}

/** Undefined: the session has ended, or the account is suspended or erased. */
export async function findCustomerCaller(
  doors: Doors,
  { merchantId, sessionId }: { merchantId: string; sessionId: string },
  now: Date,
): Promise<CustomerCaller | undefined> {
  return doors.withTenant(
    wholeOf(merchantId),
    async (db) => {
      const { rows } =
        await sql<CustomerCaller>`select session.id, session.customer_id as "customerId", session.is_by_link as "isByLink",
          session.created_at as "createdAt", account.email, customer.name, coalesce(f.features, '{}') as features,
          demo_is_over(m.is_demo, m.demo_expires_on, m.time_zone) as "isDemoOver"
        from customer_sessions session
        join customer_accounts account on ${db.own('account')} and account.merchant_id = session.merchant_id
          and account.customer_id = session.customer_id and account.status = 'active'
        join customers customer on ${db.own('customer')} and customer.merchant_id = session.merchant_id
          and customer.id = session.customer_id
        join merchants m on m.id = session.merchant_id
        left join merchant_features f on ${db.own('f')} and f.merchant_id = session.merchant_id
        where ${db.own('session')} and session.merchant_id = ${merchantId} and session.id = ${sessionId}
          and session.expires_at > ${now}`.execute(db.query)
      return rows[0]
    },
    'read',
  )
}

/** What staff see of a customer's account. */
export interface AccountFacts {
  email: string
  registeredAt: Date
  lastSignInAt: Date | null
}

export async function accountFacts(
  db: TenantDb,
  { merchant_id, id }: { merchant_id: string; id: string },
): Promise<AccountFacts | undefined> {
  const { rows } = await sql<AccountFacts>`select account.email, account.created_at as "registeredAt",
      account.last_sign_in_at as "lastSignInAt"
    from customer_accounts account
    where ${db.own('account')} and account.merchant_id = ${merchant_id} and account.customer_id = ${id}`.execute(
    db.query,
  )
  return rows[0]
}

/** Erases what the account left beside its own row, which ends with the customer. */
export async function eraseTraces(
  db: TenantDb,
  { merchant_id, id }: { merchant_id: string; id: string },
): Promise<void> {
  await sql`delete from customer_links link using customer_accounts account
    where ${db.own('link')} and ${db.own('account')} and link.merchant_id = ${merchant_id} and account.merchant_id = ${merchant_id}
      and account.customer_id = ${id} and link.email = account.email`.execute(db.query)
  await sql`update app_payments set customer_id = null where merchant_id = ${merchant_id} and customer_id = ${id}`.execute(
    db.query,
  )
}

/** Deletes links and sessions that have ended; the worker calls it regularly. */
export const purgeCustomerSessions = (doors: Pick<Doors, 'withSystem'>, now: Date) =>
  doors.withSystem('customer sessions', async (db) => {
    await db
      .deleteFrom('customer_links')
      .where('expires_at', '<', new Date(now.getTime() - 86_400_000))
      .execute()
    await db.deleteFrom('customer_sessions').where('expires_at', '<', now).execute()
  })
