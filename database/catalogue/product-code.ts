import { sql } from 'kysely'
import type { ProductCodeFilters, productCodeOrds } from '#contract/catalogue/product-code.ts'
import { when } from '../frame/conditions.ts'
import { countUpTo, orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { RecordKey } from '../frame/records.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

/** Maps unmapped codes of machines that equal a product's code, ignoring case. The products belong to one merchant. */
export async function adoptCodes(db: TenantDb, merchantId: string, productIds: readonly string[]): Promise<void> {
  if (productIds.length === 0) return
  await sql`update product_codes set product_id = products.id from products
    where product_codes.merchant_id = ${merchantId} and products.merchant_id = ${merchantId}
      and products.id = any(${productIds}::uuid[]) and product_codes.product_id is null
      and lower(products.code) in (lower(product_codes.code), lower(product_codes.machine_code))`.execute(db.query)
}

/** Unmaps all codes of a product. */
export async function releaseCodes(db: TenantDb, { merchant_id, id }: RecordKey): Promise<void> {
  await db.query
    .updateTable('product_codes')
    .set({ product_id: null })
    .where('merchant_id', '=', merchant_id)
    .where('product_id', '=', id)
    .execute()
}

type Ord = (typeof productCodeOrds)[number]

const isMappedCode = sql`(product_codes.product_id is not null)`
const ordering = orderOf<Ord>({
  by: {
    code: sql`${isMappedCode}, lower(product_codes.code)`,
    firstSeenAt: sql`${isMappedCode}, product_codes.first_seen_at`,
    machineCode: sql`lower(product_codes.machine_code)`,
    merchant: sql`lower(merchants.name)`,
    product: sql`lower(products.name)`,
    machine: sql`machines.name_order`,
  },
  first: 'code',
  ties: (direction) => sql`product_codes.id ${direction}`,
})

const codesOf = (db: TenantDb) => db.from('product_codes')

/** Codes that machines of the scope sent, with their merchant, product and first machine; the machine is null outside the scope. */
const listedCodes = (codes: ReturnType<typeof codesOf>, db: TenantDb) =>
  codes
    .innerJoin('merchants', 'merchants.id', 'product_codes.merchant_id')
    .leftJoin('products', (join) =>
      join
        .onRef('products.merchant_id', '=', 'product_codes.merchant_id')
        .onRef('products.id', '=', 'product_codes.product_id')
        .on(db.own('products')),
    )
    .leftJoin('machines', (join) =>
      join
        .onRef('machines.merchant_id', '=', 'product_codes.merchant_id')
        .onRef('machines.id', '=', 'product_codes.seen_at_machine')
        .on(db.narrow('machines')),
    )
    .selectAll('product_codes')
    .select(['merchants.name as merchant_name', 'merchants.time_zone', 'products.name as product_name'])
    .select(['machines.id as pos_id', 'machines.name as pos_name'])

/** A page of product codes, unmapped ones first, and the number of all unmapped ones. */
export async function listCodes(
  db: TenantDb,
  { search, isMapped, productId, ...query }: ProductCodeFilters & Page & Sorted<Ord>,
) {
  const isMatch = sql<boolean>`(${holds(sql`product_codes.code`, search)}
      or ${holds(sql`product_codes.machine_code`, search)})
    and ${when(isMapped, (expected) => sql<boolean>`${isMappedCode} = ${expected}`)}
    and ${when(productId, (id) => sql<boolean>`product_codes.product_id = ${id}`)}`
  const unmapped = await countUpTo(db, codesOf(db).where('product_codes.product_id', 'is', null))
  const page = await pageOf(db, query, {
    matching: () => codesOf(db).where(isMatch),
    order: ordering(query),
    select: (codes) => listedCodes(codes, db),
  })
  return { ...page, unmapped: unmapped.total }
}
export type ProductCodeRecord = Awaited<ReturnType<typeof listCodes>>['rows'][number]

/** One product code of the scope. */
export const findCode = (db: TenantDb, id: string): Promise<ProductCodeRecord | undefined> =>
  listedCodes(codesOf(db), db).where('product_codes.id', '=', id).executeTakeFirst()

/** Maps a code to a product, or to none; undefined outside the scope. Returns the product before. */
export async function mapCode(db: TenantDb, id: string, productId: string | null) {
  const code = await db
    .from('product_codes')
    .where('product_codes.id', '=', id)
    .select(['product_codes.merchant_id', 'product_codes.code', 'product_codes.product_id'])
    .forNoKeyUpdate('product_codes')
    .executeTakeFirst()
  if (!code) return undefined
  await db.query
    .updateTable('product_codes')
    .set({ product_id: productId })
    .where('merchant_id', '=', code.merchant_id)
    .where('id', '=', id)
    .execute()
  return code
}
