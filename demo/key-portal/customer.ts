import { sql } from 'kysely'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { mediaTypes } from '#contract/vocabulary/transaction.ts'
import { addCredit } from '#database/cashless/credit.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { saveCustomerPassword, wholeOf } from '#database/key-portal/customer-account.ts'
import { walletOf } from '#database/key-portal/own-media.ts'
import { hashPassword } from '#server/identity/password.ts'

/** The end customer of the demo's first merchant. */
export const demoCustomer = { email: 'customer@gettone.test', password: 'Gettone-demo-1' } as const

/** Gives the customer with the most used key an account at the key portal, and a wallet with 15.00 of credit. Does nothing when it is there. */
export async function addDemoCustomer(doors: Doors, merchantId: string, now: Date): Promise<void> {
  const { email, password } = demoCustomer
  const hash = await hashPassword(password)
  await doors.withTenant(wholeOf(merchantId), async (db) => {
    const { rows } = await sql<{ id: string }>`
      select media.customer_id as id from medias media
      where ${db.own('media')} and media.merchant_id = ${merchantId} and media.customer_id is not null and media.status = ${sql.lit(mediaStatuses.ok)}
        and media.type = ${sql.lit(mediaTypes.key)}
        and not exists (select 1 from customer_accounts account where ${db.own('account')} and account.merchant_id = ${merchantId})
      order by media.key_counter desc nulls last, media.id limit 1`.execute(db.query)
    const customerId = rows[0]?.id
    if (!customerId) return
    await sql`update customers set email = ${email} where merchant_id = ${merchantId} and id = ${customerId}`.execute(
      db.query,
    )
    await sql`insert into customer_accounts (merchant_id, customer_id, email, created_at)
      values (${merchantId}, ${customerId}, ${email}, ${new Date(now.getTime() - 40 * 86_400_000)})`.execute(db.query)
    await saveCustomerPassword(db, merchantId, customerId, hash)
    const mediaId = await walletOf(db, { merchantId, customerId }, now)
    const from = { kind: 'bonuses', ownerId: merchantId } as const
    const key = `demo wallet ${mediaId}`
    await addCredit(db, merchantId, [{ kind: 'bonus', key, mediaId, credit: 1500, from, cause: { at: now } }], now)
  })
}
