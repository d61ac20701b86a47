import type { AuditContent } from '#contract/audits/audit-content.ts'
import type { PricesReport } from '#database/catalogue/price-sight.ts'
import type { SeenCode } from '#database/catalogue/product-directory.ts'
import type { AuditRow } from '#database/ingest/audit-rows.ts'
import type { ItemHead, SaleRow } from '#database/ingest/ingest.ts'
import type { StockReport } from '#database/stock/report.ts'

interface Rows {
  sale: readonly SaleRow[]
  stock: readonly StockReport[]
  prices: readonly PricesReport[]
}

/** The products that machines of groups name in sales, stock, prices and audits (PA1). */
export function codesIn(
  { sale, stock, prices }: Rows,
  audits: readonly AuditRow[],
  groupOf: (machineId: string) => string | null,
): SeenCode[] {
  const codes: SeenCode[] = []
  const add = ({ merchantId, machineId }: ItemHead, name: string | null | undefined, beside?: string | undefined) => {
    const code = name ?? beside
    if (!code) return
    const machineCode = name ? (beside ?? null) : null
    codes.push({ merchantId, machineId, groupId: groupOf(machineId), code, machineCode })
  }
  for (const row of sale) add(row, row.sale.product, row.sale.productCode)
  for (const row of stock) for (const { product } of row.stock.levels) add(row, product)
  for (const row of prices) for (const { product } of row.prices.prices) add(row, product)
  for (const row of audits) for (const { name } of (row.content as AuditContent).selections) add(row, name)
  return codes
}
