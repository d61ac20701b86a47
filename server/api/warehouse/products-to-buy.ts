import type { ProductToBuy, ProductToBuyFilters, productToBuyOrds } from '#contract/warehouse/buying.ts'
import type { Sorted } from '#database/frame/list.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { type BuyingRow, productsToBuy } from '#database/warehouse/buying.ts'
import { isFoundIn } from '#domain/frame/folded.ts'
import { soldUntil } from '#domain/stock/supply.ts'
import { dayIn } from '#domain/time/period.ts'
import { purchaseOf } from '#domain/warehouse/buying.ts'
import { sortedBy } from '#server/http/short-list.ts'
import { exportValues } from '../../export/given.ts'

/** Pieces of a product that are expected to be sold in so many days, today whole among them. */
function expectedOf({ days, usual, usualAlone, timeZone }: BuyingRow, now: Date, ahead: number): number {
  const moment = { day: dayIn(now, timeZone), dayLeft: 1 }
  const forecast = usual && { firstDay: moment.day, days: days ?? [], usual }
  const week = usualAlone && { firstDay: null, days: [], usual: usualAlone }
  return Math.ceil(soldUntil(forecast, moment, ahead) + soldUntil(week, moment, ahead))
}

/** A product with what to buy of it for so many days after its delivery. */
function toBuyOf(row: BuyingRow, now: Date, coverDays: number): ProductToBuy {
  const { merchantId, productId, product, productCode, supplier, currency, onHand, missing, leadDays, packSize } = row
  const expected = expectedOf(row, now, (leadDays ?? 0) + coverDays)
  const { packs, toBuy } = purchaseOf({ ...row, expected })
  const cost = row.cost === null ? null : row.cost * toBuy
  return {
    merchantId,
    productId,
    product,
    productCode,
    supplier,
    currency,
    onHand,
    missing,
    expected,
    leadDays,
    packSize,
    packs,
    toBuy,
    cost,
  }
}

/** The products of the list in its order: by supplier, then by name. */
export async function productsMatching(
  db: TenantDb,
  now: Date,
  { search, supplier, coverDays, withEnough = false, ord = 'supplier', ...by }: Filters,
): Promise<ProductToBuy[]> {
  const products = (await productsToBuy(db)).map((row) => toBuyOf(row, now, coverDays))
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
  rowsOf: (db, { filter, ord, ordType }) => productsMatching(db, new Date(), { ...filter, ord, ordType }),
})
