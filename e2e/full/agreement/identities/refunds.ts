import type { Identity } from '../identity.ts'

/** The money of a sale that staff, a claim or its machine paid back, whatever the way. */
export const refundsOfSales: Identity = {
  title: 'refunds and reversals of a sale are at most the sale, and each refund is one operation of the ledger',
  async check(day) {
    const sales = await day.sql<{
      transaction: string
      value: string
      refunded: string
      reversed: string
      booked: string
      claims: number
    }>(
      `select t.id as transaction, t.value, r.refunded, coalesce(b.reversed, 0) as reversed, coalesce(l.booked, 0) as booked,
         coalesce(c.claims, 0) as claims
       from (select merchant_id, transaction_id, sum(amount) as refunded from refunds where transaction_id is not null group by 1, 2) r
       join transactions t on t.merchant_id = r.merchant_id and t.id = r.transaction_id
       left join lateral (
         select sum(abs(back.value)) as reversed from transactions back
         where back.merchant_id = t.merchant_id and back.machine_id = t.machine_id and back.epoch = t.epoch and back.original_seq = t.seq
       ) b on true
       left join lateral (
         select sum(entry.amount) as booked from ledger_operations operation
         join ledger_entries entry on entry.merchant_id = operation.merchant_id and entry.operation_id = operation.id
         join ledger_accounts account on account.merchant_id = entry.merchant_id and account.id = entry.account_id
         where operation.merchant_id = t.merchant_id and operation.transaction_id = t.id and operation.kind = 'refund'
           and account.kind = 'credit'
       ) l on true
       left join lateral (
         select count(*)::int as claims from claims where claims.merchant_id = t.merchant_id
           and claims.transaction_id = t.id and claims.state = 'refunded'
       ) c on true`,
    )
    return {
      checked: sales.length,
      broken: sales.filter(
        ({ value, refunded, reversed, booked, claims }) =>
          Number(refunded) + Number(reversed) > Number(value) || Number(booked) !== Number(refunded) || claims > 1,
      ),
    }
  },
}
