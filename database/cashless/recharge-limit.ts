import { sql } from 'kysely'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import type { RechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import { type BrokenLimit, brokenLimit, limitsOf, type RechargePlace } from '#domain/cashless/recharge-limit.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { TenantDb } from '../frame/tenant.ts'

const dayMillis = 86_400_000
/** The kinds of operations that bring money in. */
const kinds = sql.raw("('recharge', 'machineRecharge')")

/** The merchant's limits of recharges, in minor units of its currency. */
export async function rechargeLimitsOf(
  db: TenantDb,
  merchantId: string,
): Promise<{ limits: RechargeLimits; currency: Currency }> {
  const [row] = await preparedRows(
    db.query,
    sql<Record<keyof RechargeLimits, number | null> & { currency: Currency }>`
    select m.currency, settings.largest_recharge as "largestRecharge", settings.largest_balance as "largestBalance",
      settings.largest_daily_recharge as "largestDailyRecharge",
      settings.largest_daily_recharge_of_machine as "largestDailyRechargeOfMachine"
    from merchants m
    left join merchant_settings settings on ${db.own('settings')} and settings.merchant_id = m.id
    where m.id = ${merchantId}`,
  )
  if (!row) throw new Error(`The merchant ${merchantId} is not in the scope.`)
  return { limits: limitsOf(row, row.currency), currency: row.currency }
}

/** The first id of a version 7 UUID (RFC 9562) that may be given at an instant. */
const firstIdAt = (at: Date): string => {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/**
 * What was recharged in the last 24 hours by medium or machine, by the time of the booking: a machine's clock decides nothing. The caller has locked their
 * accounts, or asks for a forecast.
 */
export async function rechargedOfDay(
  db: TenantDb,
  merchantId: string,
  owners: { mediaIds: readonly string[]; posIds: readonly string[] },
  now: Date,
): Promise<Map<string, number>> {
  const { mediaIds, posIds } = owners
  const { rows } = await sql<{ ownerId: string; amount: number }>`
    select account.owner_id as "ownerId", coalesce(sum(abs(entry.amount)), 0)::bigint as amount
    from ledger_accounts account
    join ledger_entries entry on ${db.own('entry')} and entry.merchant_id = ${merchantId} and entry.account_id = account.id
      and entry.operation_id >= ${firstIdAt(new Date(now.getTime() - dayMillis))}
    join ledger_operations operation on ${db.own('operation')} and operation.merchant_id = ${merchantId}
      and operation.id = entry.operation_id and operation.kind in ${kinds}
    where ${db.own('account')} and account.merchant_id = ${merchantId} and account.owner_id = any(${[...mediaIds, ...posIds]}::uuid[])
      and (account.kind in ('credit', 'bonus') or account.kind = 'machine' and account.owner_id = any(${posIds}::uuid[]))
    group by 1`.execute(db.query)
  return new Map(rows.map(({ ownerId, amount }) => [ownerId, amount]))
}

/** Balances of media in the cloud, credit and bonus. */
export async function balancesOf(
  db: TenantDb,
  merchantId: string,
  mediaIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ mediaId: string; balance: number }>`
    select account.owner_id as "mediaId", sum(account.balance)::bigint as balance from ledger_accounts account
    where ${db.own('account')} and account.merchant_id = ${merchantId} and account.owner_id = any(${mediaIds}::uuid[])
      and account.kind in ('credit', 'bonus') group by 1`.execute(db.query)
  return new Map(rows.map(({ mediaId, balance }) => [mediaId, balance]))
}

/** The limit that a payment on the web would break now, with its currency; null: it may start. */
export async function limitOfOrder(
  db: TenantDb,
  merchantId: string,
  { mediaId, amount }: { mediaId: string; amount: number },
  now: Date,
): Promise<(BrokenLimit & { currency: Currency }) | null> {
  const { limits, currency } = await rechargeLimitsOf(db, merchantId)
  const ofDay = (await rechargedOfDay(db, merchantId, { mediaIds: [mediaId], posIds: [] }, now)).get(mediaId) ?? 0
  const balance = (await balancesOf(db, merchantId, [mediaId])).get(mediaId) ?? 0
  const place: RechargePlace = { balance, ofDay, ofDayAtMachine: null }
  const broken = brokenLimit(limits, amount, place)
  return broken && { ...broken, currency }
}
