import { sql } from 'kysely'
import { insertRows } from '../frame/bulk-insert.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'

/*
 * Writers of terms that end (`former_…`). Each runs on locked records, in the transaction that changes them and before the change. The first
 * change of a day stores the terms of the days before; later changes of the same day leave them.
 */

const once = (key: string) => `on conflict (merchant_id, ${key}, until) do nothing`
const dayOf = (now: Date) => sql`(${now}::timestamptz at time zone m.time_zone)::date`

/** Stores cost and VAT of products that change to these. */
export async function noteFormerProductTerms(
  db: TenantDb,
  merchantId: string,
  products: readonly { id: string; cost?: number | null; vat?: number | null }[],
  now: Date,
): Promise<void> {
  if (products.length === 0) return
  const next = products.map(({ id, cost, vat }) => ({ id, cost: cost ?? null, vat: vat ?? null }))
  const { rows } = await sql<{ id: string; day: string; cost: number | null; vat: string | null }>`
    select p.id, ${dayOf(now)}::text as day, p.cost, p.vat
    from products p join merchants m on m.id = p.merchant_id
    join jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as next (id uuid, cost bigint, vat numeric(5, 2)) on next.id = p.id
    where ${db.own('p')} and p.merchant_id = ${merchantId} and (p.cost, p.vat) is distinct from (next.cost, next.vat)`.execute(
    db.query,
  )
  await insertRows(
    db.query,
    'former_product_terms',
    ['merchant_id', 'product_id', 'until', 'cost', 'vat'],
    rows.map(({ id, day, cost, vat }) => [merchantId, id, day, cost, vat]),
    once('product_id'),
  )
}

/**
 * Keeps a product that is deleted for reports of its time: its name, its terms, and the codes that mean it, for today's sales as well. Before
 * its codes are unmapped.
 */
export async function noteLastProduct(db: TenantDb, { merchant_id, id }: RecordKey, now: Date): Promise<void> {
  const { rows } = await sql<LastProduct>`
    select p.name, p.product_type, p.parameters, p.cost, p.vat, (${dayOf(now)} + 1)::text as until, array(
      select c.code from product_codes c where ${db.own('c')} and c.merchant_id = p.merchant_id and c.product_id = p.id) as codes
    from products p join merchants m on m.id = p.merchant_id
    where ${db.own('p')} and p.merchant_id = ${merchant_id} and p.id = ${id}`.execute(db.query)
  const [product] = rows
  // Nothing was sold of a product that no code means.
  if (!product || product.codes.length === 0) return
  const { name, product_type, parameters, cost, vat, until, codes } = product
  await db.query
    .insertInto('deleted_products')
    .values({ merchant_id, id, name, product_type, parameters: JSON.stringify(parameters) })
    .execute()
  await insertRows(
    db.query,
    'former_product_codes',
    ['merchant_id', 'code', 'until', 'product_id'],
    codes.map((code) => [merchant_id, code, until, id]),
    once('code'),
  )
  await insertRows(
    db.query,
    'former_product_terms',
    ['merchant_id', 'product_id', 'until', 'cost', 'vat'],
    [[merchant_id, id, until, cost, vat]],
    once('product_id'),
  )
}

interface LastProduct {
  name: string
  product_type: string
  parameters: unknown
  cost: number | null
  vat: string | null
  until: string
  codes: string[]
}

/** The group and client that a machine changes to; without one of them it stays. */
export interface NextPlace {
  id: string
  group_id?: string | null
  client_id?: string | null
}

/** Stores group and client of machines that change to these. */
export async function noteFormerPlaces(db: TenantDb, machines: readonly NextPlace[], now: Date): Promise<void> {
  if (machines.length === 0) return
  const next = machines.map(({ id, group_id, client_id }) => ({
    id,
    changes_group: group_id !== undefined,
    changes_client: client_id !== undefined,
    group_id: group_id ?? null,
    client_id: client_id ?? null,
  }))
  const { rows } = await sql<FormerPlace>`
    select p.merchant_id, p.id, ${dayOf(now)}::text as until, p.group_id, p.client_id
    from machines p join merchants m on m.id = p.merchant_id
    join jsonb_to_recordset(${JSON.stringify(next)}::jsonb)
      as next (id uuid, changes_group boolean, changes_client boolean, group_id uuid, client_id uuid) on next.id = p.id
    where ${db.narrow('machines', 'p')} and (next.changes_group and p.group_id is distinct from next.group_id
      or next.changes_client and p.client_id is distinct from next.client_id)`.execute(db.query)
  await insertPlaces(db, rows)
}

/** Stores where machines were that are deleted: today's sales stay there as well. */
export async function noteLastPlaces(
  db: TenantDb,
  merchantId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<FormerPlace>`
    select p.merchant_id, p.id, (${dayOf(now)} + 1)::text as until, p.group_id, p.client_id
    from machines p join merchants m on m.id = p.merchant_id
    where ${db.own('p')} and p.merchant_id = ${merchantId} and p.id = any(${ids}::uuid[])
      and (p.group_id is not null or p.client_id is not null)`.execute(db.query)
  await insertPlaces(db, rows)
}

interface FormerPlace {
  merchant_id: string
  id: string
  until: string
  group_id: string | null
  client_id: string | null
}

const insertPlaces = (db: TenantDb, rows: readonly FormerPlace[]) =>
  insertRows(
    db.query,
    'former_machine_places',
    ['merchant_id', 'machine_id', 'until', 'group_id', 'client_id'],
    rows.map((row) => [row.merchant_id, row.id, row.until, row.group_id, row.client_id]),
    once('machine_id'),
  )

export interface Agreement {
  commissionKind: string
  commissionPercent: number | null
  commissionPerVend: number | null
}

/** Stores what was agreed with a client that changes to `next`. A deleted client keeps its agreement for today's sales. */
export async function noteFormerAgreement(
  db: TenantDb,
  { merchant_id, id }: RecordKey,
  next: Agreement | undefined,
  now: Date,
): Promise<void> {
  const { commissionKind = null, commissionPercent = null, commissionPerVend = null } = next ?? {}
  const { rows } = await sql<{ until: string; kind: string; percent: string | null; per_vend: number | null }>`
    select (${dayOf(now)} + ${next ? 0 : 1}::int)::text as until, c.commission_kind as kind, c.commission_percent as percent,
      c.commission_per_vend as per_vend
    from clients c join merchants m on m.id = c.merchant_id
    where ${db.own('c')} and c.merchant_id = ${merchant_id} and c.id = ${id}
      and (c.commission_kind, c.commission_percent, c.commission_per_vend)
        is distinct from (${commissionKind}::text, ${commissionPercent}::numeric(5, 2), ${commissionPerVend}::bigint)`.execute(
    db.query,
  )
  await insertRows(
    db.query,
    'former_client_terms',
    ['merchant_id', 'client_id', 'until', 'commission_kind', 'commission_percent', 'commission_per_vend'],
    rows.map(({ until, kind, percent, per_vend }) => [merchant_id, id, until, kind, percent, per_vend]),
    once('client_id'),
  )
}

/** Keeps the name of a group or client that is deleted, for reports of its time. */
export const keepPlaceName = async (
  db: TenantDb,
  { merchant_id, id, name }: RecordKey & { name: string },
): Promise<void> => {
  await db.query.insertInto('deleted_places').values({ merchant_id, id, name }).execute()
}
