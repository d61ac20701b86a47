import { z } from 'zod'
import type { Numbers } from './numbers.ts'

/**
 * Transaction types. The specification names the numbers (0–17, 107–110) and not their meaning; this registry is
 * Gettone's. An unknown number is stored and shown as it came.
 */
export const transactionTypes = {
  unknown: 0,
  sale: 1,
  freeSale: 2,
  testSale: 3,
  recharge: 4,
  bonus: 5,
  refund: 6,
  cashIn: 7,
  cashOut: 8,
  overpay: 9,
  manualDispense: 10,
  tubeFill: 11,
  collection: 12,
  creditTransfer: 13,
  cardPayment: 14,
  appPayment: 15,
  reversal: 16,
  adjustment: 17,
  cloudRecharge: 107,
  cloudRefund: 108,
  webRecharge: 109,
  creditBackup: 110,
} as const satisfies Numbers
export const TransactionType = z.int().min(0).max(255)

/** Types of vends; their value is turnover unless the vend failed (`domain/sales/sale.ts`). */
export const saleTypes: readonly number[] = [
  transactionTypes.sale,
  transactionTypes.freeSale,
  transactionTypes.cardPayment,
  transactionTypes.appPayment,
]

/** What a machine paid back: it reduces what a client gets. */
export const backTypes: readonly number[] = [transactionTypes.refund, transactionTypes.reversal]

/** The payment medium; unknown numbers are stored and shown unchanged. */
export const mediaTypes = {
  unknown: 0,
  cash: 1,
  key: 2,
  card: 3,
  app: 4,
  creditCard: 5,
  token: 6,
  mifare: 7,
  web: 10,
  special: 254,
} as const satisfies Numbers
export const MediaType = z.int().min(0).max(255)

/** Which reader took the payment: the MDB peripheral, or the cloud. */
export const mediaSources = {
  unknown: 0,
  coinMech: 1,
  billValidator: 2,
  cashless1: 3,
  cashless2: 4,
  cloud: 5,
} as const satisfies Numbers
export const MediaSource = z.int().min(0).max(255)

/** Price tables 1 to 8, the lists a machine chooses its price from. */
export const priceTables = {
  cash1: 1,
  key1: 2,
  key2: 3,
  key3: 4,
  key4: 5,
  cashless1: 6,
  cashless2: 7,
  cash2: 8,
} as const satisfies Numbers
export const PriceTable = z.int().min(0).max(255)
