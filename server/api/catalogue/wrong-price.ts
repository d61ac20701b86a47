import type { wrongPrices } from '#contract/catalogue/wrong-price.ts'
import { toWire } from '#contract/frame/instant.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { listWrongPrices } from '#database/catalogue/wrong-price.ts'
import type { Handlers } from '#server/http/handler.ts'

export const wrongPriceHandlers: Handlers<typeof wrongPrices> = {
  listWrongPrices: async ({ db, query }) => {
    const { rows, ...counted } = await listWrongPrices(db, query, query)
    const items = rows.map((row) => ({
      id: `${row.machine_id} ${row.price_table} ${row.selection}`,
      merchantId: row.merchant_id,
      merchantName: row.merchant_name,
      timeZone: row.time_zone,
      currency: row.currency as Currency,
      posId: row.machine_id,
      posName: row.machine_name,
      posSerial: row.serial,
      selection: row.selection,
      product: row.product,
      productId: row.product_id,
      priceTable: row.price_table,
      wanted: row.wanted as number,
      actual: row.actual,
      fault: row.fault,
      since: toWire(row.wrong_since as Date),
      sales: row.wrong_sales,
      lost: row.lost,
    }))
    return { ...counted, items }
  },
}
