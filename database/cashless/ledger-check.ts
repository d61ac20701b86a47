import { sql } from 'kysely'
import type { Doors, SystemDb } from '../frame/tenant.ts'

/** What does not add up in a merchant's ledger. */
export interface LedgerFault {
  merchantId: string
  what: 'unbalancedOperation' | 'wrongBalance' | 'wrongReserved' | 'negative'
  /** The operation or the account. */
  id: string
  found: number
  expected: number
}

/**
 * Proves the ledger of one merchant, or of all: operations are balanced, balances are the sums of their entries, and what is reserved is the sum
 * of the reservations that are held.
 */
export const ledgerFaults = (doors: Doors, merchantId?: string): Promise<LedgerFault[]> =>
  doors.withSystem('ledger check', (db) => faultsOf(db, merchantId), 'single statement')

/** What a check has covered. */
export const ledgerSize = (doors: Doors, merchantId?: string): Promise<{ accounts: number; operations: number }> =>
  doors.withSystem(
    'ledger check',
    async (db) => {
      const count = async (table: string) => {
        const ofMerchant = merchantId === undefined ? sql`true` : sql`counted.merchant_id = ${merchantId}`
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from ${sql.table(table)} counted where ${ofMerchant}`.execute(db)
        return rows[0]?.count ?? 0
      }
      return { accounts: await count('ledger_accounts'), operations: await count('ledger_operations') }
    },
    'single statement',
  )

async function faultsOf(db: SystemDb, merchantId: string | undefined): Promise<LedgerFault[]> {
  const of = (alias: string) =>
    merchantId === undefined ? sql`true` : sql`${sql.ref(`${alias}.merchant_id`)} = ${merchantId}`
  const { rows } = await sql<LedgerFault>`
    with unbalanced as (
      select entry.merchant_id, entry.operation_id as id, sum(entry.amount)::bigint as found, 0::bigint as expected
      from ledger_entries entry where ${of('entry')} group by 1, 2 having sum(entry.amount) <> 0
    ), sums as (
      select entry.merchant_id, entry.account_id, sum(entry.amount)::bigint as sum from ledger_entries entry
      where ${of('entry')} group by 1, 2
    ), held as (
      select reservation.merchant_id, reservation.media_id, sum(reservation.credit)::bigint as credit,
        sum(reservation.bonus)::bigint as bonus
      from credit_reservations reservation where ${of('reservation')} and reservation.state = 'held' group by 1, 2
    ), accounts as (
      select account.merchant_id, account.id, account.kind, account.balance, account.reserved, coalesce(sums.sum, 0) as sum,
        case account.kind when 'credit' then coalesce(held.credit, 0) when 'bonus' then coalesce(held.bonus, 0) else 0 end as held
      from ledger_accounts account
        left join sums on sums.merchant_id = account.merchant_id and sums.account_id = account.id
        left join held on held.merchant_id = account.merchant_id and held.media_id = account.owner_id
      where ${of('account')}
    )
    select merchant_id as "merchantId", 'unbalancedOperation' as what, id, found, expected from unbalanced
    union all
    select merchant_id, 'wrongBalance', id, balance, sum from accounts where balance <> sum
    union all
    select merchant_id, 'wrongReserved', id, reserved, held from accounts where reserved <> held
    union all
    select merchant_id, 'negative', id, balance, 0 from accounts where kind in ('credit', 'bonus') and balance < 0
    order by 1, 2, 3`.execute(db)
  return rows
}
