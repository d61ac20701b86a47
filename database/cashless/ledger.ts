import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { AccountKind } from '#contract/vocabulary/cashless.ts'
import {
  type Account,
  isBalanced,
  isSound,
  type MediaAccounts,
  type Operation,
  type Parts,
} from '#domain/cashless/ledger.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { preparedRows } from '../frame/prepared.ts'
import type { TenantDb } from '../frame/tenant.ts'

/*
 * The ledger in the database. A transaction opens the accounts that it needs, all at once and locked in one order; it books operations on
 * them, and writes them once. Keys of operations are looked up after the locks, so an operation that arrives twice at the same time has one
 * effect.
 */

/** An account by its owner. */
export interface AccountName {
  kind: AccountKind
  ownerId: string
}

/** The context of an operation, for statements and searches. */
export interface Cause {
  /** When it happened. */
  at: Date
  mediaId?: string | undefined
  posId?: string | undefined
  reservationId?: string | undefined
  refundId?: string | undefined
  orderId?: string | undefined
  transactionId?: string | undefined
  user?: { id: string; name: string } | null
  note?: string | undefined
}

/** A fault of the caller: an operation that does not balance, or an account that would owe. */
export class LedgerError extends Error {}

/** Opened accounts of one merchant, and what was booked on them. */
export interface Ledger {
  readonly merchantId: string
  readonly accounts: ReadonlyMap<string, Account>
  readonly operations: { id: string; operation: Operation; cause: Cause }[]
  readonly changed: Set<Account>
}

const nameOf = ({ kind, ownerId }: AccountName) => `${kind} ${ownerId}`

/** The accounts of a medium. */
export const accountsOf = (mediaId: string): AccountName[] => [
  { kind: 'credit', ownerId: mediaId },
  { kind: 'bonus', ownerId: mediaId },
]

/** Opens accounts and locks them until the end of the transaction; missing accounts are created. */
export async function openLedger(db: TenantDb, merchantId: string, names: readonly AccountName[]): Promise<Ledger> {
  const accountNames = new Map(names.map((name) => [nameOf(name), name]))
  let accounts = await locked(db, merchantId, accountNames)
  // In one order, so that two transactions do not wait for each other.
  const missing = [...accountNames]
    .filter(([name]) => !accounts.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  if (missing.length > 0) {
    await insertRows(
      db.query,
      'ledger_accounts',
      ['merchant_id', 'id', 'kind', 'owner_id'],
      missing.map(([, { kind, ownerId }]) => [merchantId, randomUUIDv7(), kind, ownerId]),
      'on conflict (merchant_id, kind, owner_id) do nothing',
    )
    accounts = await locked(db, merchantId, accountNames)
  }
  return { merchantId, accounts, operations: [], changed: new Set() }
}

async function locked(db: TenantDb, merchantId: string, accountNames: ReadonlyMap<string, AccountName>) {
  const names = [...accountNames.values()]
  const rows = await preparedRows(
    db.query,
    sql<Account>`
    select account.id, account.kind, account.owner_id as "ownerId", account.balance, account.reserved
    from ledger_accounts account
    where ${db.own('account')} and account.merchant_id = ${merchantId}
      and account.owner_id = any(${[...new Set(names.map(({ ownerId }) => ownerId))]}::uuid[])
      and account.kind = any(${[...new Set(names.map(({ kind }) => kind))]}::text[])
    order by account.id for update`,
  )
  return new Map(rows.map((row) => [nameOf(row), row]))
}

/** An opened account. */
export function accountOf(ledger: Ledger, name: AccountName): Account {
  const account = ledger.accounts.get(nameOf(name))
  if (!account) throw new LedgerError(`The account ${nameOf(name)} was not opened.`)
  return account
}

/** Whether the accounts of a medium are opened. */
export const isOpened = (ledger: Ledger, mediaId: string): boolean =>
  accountsOf(mediaId).every((name) => ledger.accounts.has(nameOf(name)))

export const mediaAccountsOf = (ledger: Ledger, mediaId: string): MediaAccounts => ({
  credit: accountOf(ledger, { kind: 'credit', ownerId: mediaId }),
  bonus: accountOf(ledger, { kind: 'bonus', ownerId: mediaId }),
})

/** Which keys are booked already. The caller has opened an account that each of these operations has. */
export async function bookedKeys(db: TenantDb, { merchantId }: Ledger, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`select operation.key from ledger_operations operation
    where ${db.own('operation')} and operation.merchant_id = ${merchantId} and operation.key = any(${keys}::text[])`.execute(
    db.query,
  )
  return new Set(rows.map(({ key }) => key))
}

/** Books an operation on opened accounts, and returns its id. The rules of domain/cashless were applied before. */
export function book(ledger: Ledger, operation: Operation, cause: Cause): string {
  if (operation.entries.length === 0 || !isBalanced(operation.entries))
    throw new LedgerError(`${operation.key} is not balanced.`)
  for (const entry of operation.entries) {
    const account = accountOf(ledger, entry)
    account.balance += entry.amount
    ledger.changed.add(account)
  }
  const id = randomUUIDv7()
  ledger.operations.push({ id, operation, cause })
  return id
}

/** Holds parts of a medium's accounts, or with negative parts lets go of them. */
export function hold(ledger: Ledger, mediaId: string, parts: Parts): void {
  const { credit, bonus } = mediaAccountsOf(ledger, mediaId)
  credit.reserved += parts.credit
  bonus.reserved += parts.bonus
  ledger.changed.add(credit).add(bonus)
}

/** Writes what was booked and held. Accounts that would owe or hold more than they have are a fault of the caller. */
export async function writeLedger(db: TenantDb, ledger: Ledger): Promise<void> {
  const { merchantId, operations, changed } = ledger
  const wrong = [...changed].find((account) => !isSound(account))
  if (wrong)
    throw new LedgerError(
      `The account ${nameOf(wrong)} would have ${wrong.balance}, of which ${wrong.reserved} is held.`,
    )
  if (operations.length > 0) {
    const now = new Date()
    await insertRows(
      db.query,
      'ledger_operations',
      [
        'merchant_id',
        'id',
        'kind',
        'key',
        'at',
        'booked_at',
        'media_id',
        'pos_id',
        'reservation_id',
        'refund_id',
        'order_id',
        'transaction_id',
        'user_id',
        'user_name',
        'note',
      ],
      operations.map(({ id, operation: { kind, key }, cause }) => [
        merchantId,
        id,
        kind,
        key,
        cause.at,
        now,
        cause.mediaId ?? null,
        cause.posId ?? null,
        cause.reservationId ?? null,
        cause.refundId ?? null,
        cause.orderId ?? null,
        cause.transactionId ?? null,
        cause.user?.id ?? null,
        cause.user?.name ?? null,
        cause.note ?? null,
      ]),
    )
    await insertRows(
      db.query,
      'ledger_entries',
      ['merchant_id', 'operation_id', 'account_id', 'amount'],
      operations.flatMap(({ id, operation }) =>
        [...amountsByAccount(ledger, operation)].map(([accountId, amount]) => [merchantId, id, accountId, amount]),
      ),
    )
  }
  if (changed.size > 0)
    await insertRows(
      db.query,
      'ledger_accounts',
      ['merchant_id', 'id', 'kind', 'owner_id', 'balance', 'reserved'],
      [...changed].map(({ id, kind, ownerId, balance, reserved }) => [
        merchantId,
        id,
        kind,
        ownerId,
        balance,
        reserved,
      ]),
      'on conflict (merchant_id, id) do update set balance = excluded.balance, reserved = excluded.reserved',
    )
}

function amountsByAccount(ledger: Ledger, { entries }: Operation): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const entry of entries) {
    const { id } = accountOf(ledger, entry)
    amounts.set(id, (amounts.get(id) ?? 0) + entry.amount)
  }
  for (const [id, amount] of amounts) if (amount === 0) amounts.delete(id)
  return amounts
}
