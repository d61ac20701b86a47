import { sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'

/** A machine reverses a sale within this time; its clock may be a day off. */
const reversedWithin = { least: sql.raw("interval '1 day'"), most: sql.raw("interval '60 days'") }

/**
 * What is known of the money of the transactions `t`, as columns for `SaleMoney`. A sale with a reservation charged what the ledger took from its
 * medium, another sale its value.
 */
export const moneyOfSale = (db: TenantDb) => sql`
  case when t.reservation_id is null then t.value else coalesce((
    select -sum(entry.amount)::bigint from ledger_operations operation
    join ledger_entries entry on ${db.own('entry')} and entry.merchant_id = operation.merchant_id and entry.operation_id = operation.id
    join ledger_accounts account on ${db.own('account')} and account.merchant_id = entry.merchant_id and account.id = entry.account_id
    where ${db.own('operation')} and operation.merchant_id = t.merchant_id
      and operation.key = concat('settle ', t.reservation_id, ' ', t.id) and account.kind in ('credit', 'bonus')), 0) end as charged,
  coalesce((select sum(abs(back.value))::bigint from transactions back
    where ${db.own('back')} and back.merchant_id = t.merchant_id and back.machine_id = t.machine_id
      and back.original_seq = t.seq and back.epoch = t.epoch
      and back.created_at between t.created_at - ${reversedWithin.least} and t.created_at + ${reversedWithin.most}), 0) as reversed,
  coalesce((select sum(given.amount)::bigint from refunds given
    where ${db.own('given')} and given.merchant_id = t.merchant_id and given.transaction_id = t.id), 0) as refunded`
