import { sql } from 'kysely'
import { entriesOf } from '#domain/cashless/ledger.ts'
import { addCredit } from '../cashless/credit.ts'
import { accountsOf, book, openLedger, writeLedger } from '../cashless/ledger.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'

/* Balances with which media come from another system: each is booked once, as a correction out of the merchant's account of corrections. */

export interface MediumToImport {
  id: string
  serial: string
  type: number
  status: number
  version: number
  customerId: string | null
  /** Minor units: what the medium has, also what is held of it. */
  balance: number
  /** The balance that an import booked; null: none did. */
  opening: { credit: number; bonus: number } | null
}

/** Media of a merchant by their serials. */
export async function mediaToImport(
  db: TenantDb,
  merchantId: string,
  serials: readonly string[],
): Promise<Map<string, MediumToImport>> {
  const { rows } = await sql<Omit<MediumToImport, 'opening'> & { credit: number | null; bonus: number | null }>`
    select me.id, me.serial, me.type, me.status, me.version, me.customer_id as "customerId", o.credit, o.bonus,
      coalesce(a.balance, 0)::bigint as balance
    from medias me
    left join media_openings o on ${db.own('o')} and o.merchant_id = me.merchant_id and o.media_id = me.id
    left join (select account.owner_id, sum(account.balance) as balance from ledger_accounts account
      where ${db.own('account')} and account.merchant_id = ${merchantId} and account.kind in ('credit', 'bonus') group by 1) a
      on a.owner_id = me.id
    where ${db.own('me')} and me.merchant_id = ${merchantId} and me.serial = any(${serials}::text[])`.execute(db.query)
  return new Map(
    rows.map(({ credit, bonus, ...medium }) => [
      medium.serial,
      { ...medium, opening: credit === null || bonus === null ? null : { credit, bonus } },
    ]),
  )
}

export interface Opening {
  mediaId: string
  credit: number
  bonus: number
}

interface Booking {
  importId: string
  user: { id: string; name: string }
  note: string
  now: Date
}

const keyOf = (importId: string, mediaId: string) => `opening ${importId} ${mediaId}`

/** Books opening balances. A medium that has one violates the key of the table. */
export async function bookOpenings(
  db: TenantDb,
  merchantId: string,
  openings: readonly Opening[],
  { importId, user, note, now }: Booking,
): Promise<void> {
  const paid = openings.filter(({ credit, bonus }) => credit + bonus > 0)
  if (paid.length === 0) return
  await addCredit(
    db,
    merchantId,
    paid.map(({ mediaId, credit, bonus }) => ({
      kind: 'correction',
      key: keyOf(importId, mediaId),
      mediaId,
      credit,
      bonus,
      from: { kind: 'corrections', ownerId: merchantId },
      cause: { at: now, user, note },
    })),
    now,
  )
  await insertRows(
    db.query,
    'media_openings',
    ['merchant_id', 'media_id', 'import_id', 'credit', 'bonus'],
    paid.map(({ mediaId, credit, bonus }) => [merchantId, mediaId, importId, credit, bonus]),
  )
}

/** The openings of an import; their media and accounts are locked until the end of the transaction. */
export async function holdOpenings(
  db: TenantDb,
  merchantId: string,
  importId: string,
  mediaIds: readonly string[],
): Promise<Opening[]> {
  await openLedger(db, merchantId, mediaIds.flatMap(accountsOf))
  const { rows } = await sql<Opening>`select o.media_id as "mediaId", o.credit, o.bonus from media_openings o
    where ${db.own('o')} and o.merchant_id = ${merchantId} and o.import_id = ${importId}`.execute(db.query)
  return rows
}

/** Media with which something happened since an import: a movement of the ledger, credit that a machine holds, a use at a machine. */
export async function mediaUsedSince(
  db: TenantDb,
  merchantId: string,
  importId: string,
  at: Date,
  mediaIds: readonly string[],
): Promise<Set<string>> {
  const own = (alias: string) => sql`${db.own(alias)} and ${sql.ref(`${alias}.merchant_id`)} = ${merchantId}`
  const ids = sql`any(${mediaIds}::uuid[])`
  const moved = await sql<{ id: string }>`
    select distinct account.owner_id as id from ledger_accounts account
    join ledger_entries entry on ${own('entry')} and entry.account_id = account.id
    join ledger_operations operation on ${own('operation')} and operation.id = entry.operation_id
    where ${own('account')} and account.owner_id = ${ids} and account.kind in ('credit', 'bonus')
      and operation.booked_at >= ${at} and operation.key <> ${`opening ${importId} `} || account.owner_id`.execute(
    db.query,
  )
  const held = await sql<{ id: string }>`select distinct account.owner_id as id from ledger_accounts account
    where ${own('account')} and account.owner_id = ${ids} and account.reserved > 0`.execute(db.query)
  const used = await sql<{ id: string }>`select me.id from medias me
    where ${own('me')} and me.id = ${ids} and me.last_used_at >= ${at}`.execute(db.query)
  return new Set([...moved.rows, ...held.rows, ...used.rows].map(({ id }) => id))
}

/** Books the opposite of opening balances. The caller has locked the accounts, and has seen that nothing else happened. */
export async function reverseOpenings(
  db: TenantDb,
  merchantId: string,
  openings: readonly Opening[],
  { importId, user, note, now }: Booking,
): Promise<void> {
  if (openings.length === 0) return
  const corrections = { kind: 'corrections' as const, ownerId: merchantId }
  const bonuses = { kind: 'bonuses' as const, ownerId: merchantId }
  const ledger = await openLedger(db, merchantId, [
    ...openings.flatMap(({ mediaId }) => accountsOf(mediaId)),
    corrections,
    bonuses,
  ])
  for (const { mediaId, credit, bonus } of openings)
    book(
      ledger,
      {
        kind: 'correction',
        key: `${keyOf(importId, mediaId)} undone`,
        entries: [
          ...entriesOf(mediaId, { credit: -credit, bonus: 0 }, corrections),
          ...entriesOf(mediaId, { credit: 0, bonus: -bonus }, bonuses),
        ],
      },
      { at: now, mediaId, user, note },
    )
  await writeLedger(db, ledger)
  await sql`delete from media_openings where merchant_id = ${merchantId} and import_id = ${importId}`.execute(db.query)
}

/** Registers media of a file. */
export const insertMediaOfImport = (
  db: TenantDb,
  merchantId: string,
  media: readonly { id: string; serial: string; type: number; customerId: string | null }[],
  now: Date,
): Promise<void> =>
  insertRows(
    db.query,
    'medias',
    ['merchant_id', 'id', 'serial', 'type', 'origin_type', 'customer_id', 'registered_at'],
    media.map(({ id, serial, type, customerId }) => [merchantId, id, serial, type, 'staff', customerId, now]),
  )

/** Assigns media to customers, each as its line says. */
export async function writeOwners(
  db: TenantDb,
  merchantId: string,
  owners: readonly { id: string; customerId: string | null }[],
): Promise<void> {
  if (owners.length === 0) return
  await sql`update medias set customer_id = e.customer_id, version = medias.version + 1
    from unnest(${owners.map(({ id }) => id)}::uuid[], ${owners.map(({ customerId }) => customerId)}::uuid[]) as e (id, customer_id)
    where medias.merchant_id = ${merchantId} and medias.id = e.id`.execute(db.query)
}
