import { isFailedVend, isVend } from '#domain/sales/sale.ts'
import { noteFacts } from '../facts/webhook-note.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { SaleRow } from './ingest.ts'
import { instant } from './instant.ts'

const eventOf = ({ sale }: SaleRow) => {
  if (isFailedVend(sale)) return 'sale.failed' as const
  return isVend(sale) ? ('sale.made' as const) : undefined
}

/** Notes vends for webhooks, in the transaction that stores them. */
export const noteVends = (db: TenantDb, rows: readonly SaleRow[]): Promise<void> =>
  noteFacts(
    db,
    rows.map(({ merchantId }) => merchantId),
    ['sale.made', 'sale.failed'],
    () =>
      rows.flatMap((row) => {
        const event = eventOf(row)
        const { merchantId, machineId: posId, id: transactionId, at, sale } = row
        const { type, mediaType, mediaSource, value, valueCharge, freeSale } = sale
        if (!event) return []
        return {
          event,
          merchantId,
          data: {
            at: instant(at),
            posId,
            transactionId,
            type,
            mediaType,
            mediaSource,
            value,
            valueCharge,
            freeSale,
            priceLine: sale.priceLine ?? null,
            priceTable: sale.priceTable ?? null,
            product: sale.product ?? null,
            productCode: sale.productCode ?? null,
          },
        }
      }),
  )
