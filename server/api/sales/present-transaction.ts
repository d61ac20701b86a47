import { roleMay } from '#contract/access.ts'
import { Transaction } from '#contract/sales/transaction.ts'
import { mediaStatuses, noMediaSerial } from '#contract/vocabulary/media.ts'
import { defaultRechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import type { TransactionRecord } from '#database/sales/transaction.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { refundableOf, saleRefusalOf } from '#domain/cashless/refund.ts'
import { isFailedVend } from '#domain/sales/sale.ts'
import type { Principal } from '#server/http/scope.ts'
import { posOf, wireOf } from '#server/http/wire.ts'

const isPlaceholder = (serial: string | null) => serial?.toUpperCase() === noMediaSerial

const refusalOf = (row: TransactionRecord) =>
  isFailedVend({ type: row.type, errorSale: row.error_sale })
    ? saleRefusalOf({
        sale: row,
        payer: { mediaType: row.media_type, serial: mediaSerialOf(row.media_serial) },
        media: row.media_id ? { isBlocked: row.media_status !== mediaStatuses.ok, balance: row.media_balance } : null,
        maximum: row.maximum_refund,
        largestBalance: row.largest_balance ?? defaultRechargeLimits(row.currency).largestBalance,
      })
    : null

/** A transaction as the reader may see it: merchant users do not see customers. */
export const presentTransaction = (row: TransactionRecord, { role }: Pick<Principal, 'role'>): Transaction =>
  wireOf(Transaction, row, {
    ...posOf(row),
    mediaSerial: isPlaceholder(row.media_serial) ? null : row.media_serial,
    isAnonymousMedia: isPlaceholder(row.media_serial),
    customerId: roleMay(role, 'customer.read') ? row.customer_id : null,
    customerName: roleMay(role, 'customer.read') ? row.customer_name : null,
    refundable: refundableOf(row),
    refundRefusal: refusalOf(row),
  })
