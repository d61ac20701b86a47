import type { ProductToBuy, ProductToBuyFilters, productToBuyOrds } from '#contract/warehouse/buying.ts'
import type { Sorted } from '#database/frame/list.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { type BuyingRow, productsToBuy } from '#database/warehouse/buying.ts'
import { isFoundIn } from '#domain/frame/folded.ts'
import { purchaseOf } from '#domain/warehouse/buying.ts'
import { sortedBy } from '#server/http/short-list.ts'
import { exportValues } from '../../export/given.ts'

/** A product with what to buy of it for so many days after its delivery. */
function toBuyOf({ perDay, minimumPacks, cost, ...row }: BuyingRow, coverDays: number): ProductToBuy {
  const expected = Math.ceil(perDay * ((row.leadDays ?? 0) + coverDays))
  const { packs, toBuy } = purchaseOf({ ...row, minimumPacks, expected })
  return { ...row, expected, packs, toBuy, cost: cost === null ? null : cost * toBuy }
}

/** The products of the list in its order: by supplier, then by name. */
export async function productsMatching(
  db: TenantDb,
  { search, supplier, coverDays, withEnough = false, ord = 'supplier', ...by }: Filters,
): Promise<ProductToBuy[]> {
  const products = (await productsToBuy(db)).map((row) => toBuyOf(row, coverDays))
  const matching = products.filter(
    (one) =>
      (withEnough || one.toBuy > 0) &&
      (supplier === undefined || one.supplier === supplier) &&
      isFoundIn([one.product, one.productCode, one.supplier ?? ''].join(' '), search),
  )
  const byName = sortedBy(matching, ({ product }) => product, {})
  return sortedBy(byName, (one) => one[ord], by)
}
type Filters = ProductToBuyFilters & Sorted<(typeof productToBuyOrds)[number]>

/** What to buy as a file. */
export const productsToBuySource = exportValues<
  'productsToBuy',
  | 'product'
  | 'productCode'
  | 'supplier'
  | 'onHand'
  | 'missing'
  | 'expected'
  | 'toBuy'
  | 'packSize'
  | 'packs'
  | 'leadDays'
  | 'cost'
>({
  list: 'productsToBuy',
  fields: {
    product: 'text',
    productCode: 'text',
    supplier: 'text',
    onHand: 'bigint',
    missing: 'bigint',
    expected: 'bigint',
    toBuy: 'bigint',
    packSize: 'bigint',
    packs: 'bigint',
    leadDays: 'bigint',
    cost: 'bigint',
  },
  rowsOf: (db, { filter, ord, ordType }) => productsMatching(db, { ...filter, ord, ordType }),
})
