import { saleTypes } from '#contract/vocabulary/transaction.ts'

/** A sale that a refund would pay back; `serial` as media have it. */
interface RefundedSale {
  type: number
  value: number
  serial: string | null
}

/** Why a transaction is not paid back to a medium: it is no paid sale of this medium, or worth less. Minor units. */
export function refundableOf(
  sale: RefundedSale,
  mediaSerial: string,
  amount: number,
): 'TransactionNotRefundable' | 'RefundAboveSale' | null {
  if (!saleTypes.includes(sale.type) || sale.value <= 0 || sale.serial !== mediaSerial)
    return 'TransactionNotRefundable'
  return amount > sale.value ? 'RefundAboveSale' : null
}
