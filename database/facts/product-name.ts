import { type RawBuilder, sql } from 'kysely'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

/** Product codes `mapped` with their products `named`. */
const mappedCodes = (db: TenantDb) => sql`product_codes mapped join products named on ${db.own('named')}
  and named.merchant_id = mapped.merchant_id and named.id = mapped.product_id and ${db.own('mapped')}`

/** A query of the product that a machine's code means, with the columns `id` and `name`; no row for an unmapped code. */
export const productOfCode = (
  db: TenantDb,
  merchantId: RawBuilder<unknown>,
  code: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`select named.id, named.name from ${mappedCodes(db)}
  where mapped.merchant_id = ${merchantId} and mapped.code = ${code}`

/** The codes that may stand for products of these names: of products that have them, and the names themselves as machines send them. */
export const codesNamed = (db: TenantDb, names: readonly string[]): RawBuilder<unknown> => sql`
  select mapped.code from ${mappedCodes(db)} where named.name = any(${names}::text[]) union all select unnest(${names}::text[])`

/**
 * The condition that a sale's product, as the machine sent it, is one of these names: of the product that it means, else its own. The codes are
 * found once, so that an index finds them; a code may mean another product at another merchant, and a name be the code of another product.
 */
export const isProductNamed = (
  db: TenantDb,
  names: readonly string[],
  merchantId: RawBuilder<unknown>,
  code: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(${code} = any(array(${codesNamed(db, names)})) and (
  (${merchantId}, ${code}) in (select mapped.merchant_id, mapped.code from ${mappedCodes(db)} where named.name = any(${names}::text[]))
  or (${code} = any(${names}::text[]) and (${merchantId}, ${code}) not in (select mapped.merchant_id, mapped.code from ${mappedCodes(db)}))))`

/** The condition that a machine's code means a product whose name contains a text. */
export const isCodeOf = (
  db: TenantDb,
  text: string,
  merchantId: RawBuilder<unknown>,
  code: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(${merchantId}, ${code}) in (select mapped.merchant_id, mapped.code
  from ${mappedCodes(db)} where ${holds(sql`named.name`, text)})`
