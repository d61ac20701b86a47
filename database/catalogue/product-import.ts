import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { NewProduct } from '#contract/catalogue/product-fields.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { columnsOf, jsonFieldsOf } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { noteFormerProductTerms } from '../sales/former-terms.ts'

/** Codes as the database compares them, in the order of the codes. */
export async function codeKeys(db: TenantDb, codes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select lower(wanted.code) as key from unnest(${codes}::text[]) with ordinality as wanted (code, at)
    order by wanted.at`.execute(db.query)
  return rows.map(({ key }) => key)
}

/** Products of a merchant by the keys of their codes; locked until the transaction ends if they are to be changed. */
export async function productsByCode(db: TenantDb, merchantId: string, keys: readonly string[], hold: boolean) {
  const query = db
    .from('products')
    .where('products.merchant_id', '=', merchantId)
    .where(sql<boolean>`lower(products.code) = any(${keys}::text[])`)
    .selectAll('products')
    .select(sql<string>`lower(products.code)`.as('key'))
    .orderBy('products.id')
  const rows = await (hold ? query.forNoKeyUpdate('products') : query).execute()
  return new Map(rows.map(({ key, ...product }) => [key, product]))
}

const productColumns = (schema: typeof NewProduct) => Object.keys(columnsOf(schema.shape))

/** Creates products of a merchant. Returns their ids, in their order. */
export async function insertProducts(
  db: TenantDb,
  merchantId: string,
  schema: typeof NewProduct,
  products: readonly NewProduct[],
  now: Date,
): Promise<string[]> {
  const json = jsonFieldsOf(schema)
  const ids = products.map(() => randomUUIDv7())
  const names = productColumns(schema)
  const rows = products.map((product, at) => {
    const columns: Readonly<Record<string, unknown>> = columnsOf(product, json)
    return [merchantId, ids[at], now, ...names.map((name) => columns[name])]
  })
  await insertRows(db.query, 'products', ['merchant_id', 'id', 'created_at', ...names], rows)
  return ids
}

/** Replaces what users fill in of products of a merchant, in one statement. */
export async function updateProducts(
  db: TenantDb,
  merchantId: string,
  schema: typeof NewProduct,
  products: readonly (NewProduct & { id: string })[],
  now: Date,
): Promise<void> {
  if (products.length === 0) return
  await noteFormerProductTerms(db, merchantId, products, now)
  const names = productColumns(schema)
  const types: Record<string, string> = {
    vat: 'numeric',
    cost: 'bigint',
    default_price: 'bigint',
    default_fill: 'int',
    pack_size: 'int',
    minimum_packs: 'int',
    lead_days: 'int',
    allergens: 'text[]',
    parameters: 'jsonb',
  }
  const shape = names.map((name) => sql`${sql.ref(name)} ${sql.raw(types[name] ?? 'text')}`)
  const set = names.map((name) => sql`${sql.ref(name)} = changed.${sql.ref(name)}`)
  const rows = products.map(({ id, ...product }) => ({ id, ...columnsOf(product) }))
  await sql`update products set ${sql.join(set)}, version = products.version + 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as changed (id uuid, ${sql.join(shape)})
    where products.merchant_id = ${merchantId} and products.id = changed.id`.execute(db.query)
}
