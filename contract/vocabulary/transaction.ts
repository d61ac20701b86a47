import { z } from 'zod'

/**
 * Transaction types by number. The specification names the numbers (0–17, 107–110) and not their meaning; this registry is
 * Gettone's. An unknown number is stored and shown as it came.
 */
export const transactionTypes = {
  0: 'unknown',
  1: 'sale',
  2: 'freeSale',
  3: 'testSale',
  4: 'recharge',
  5: 'bonus',
  6: 'refund',
  7: 'cashIn',
  8: 'cashOut',
  9: 'overpay',
  10: 'manualDispense',
  11: 'tubeFill',
  12: 'collection',
  13: 'creditTransfer',
  14: 'cardPayment',
  15: 'appPayment',
  16: 'reversal',
  17: 'adjustment',
  107: 'cloudRecharge',
  108: 'cloudRefund',
  109: 'webRecharge',
  110: 'creditBackup',
} as const satisfies Record<number, string>
export const TransactionType = z.int().min(0).max(255)

/** Types of vends; their value is turnover unless the vend failed (`domain/sales/sale.ts`). */
export const saleTypes: readonly number[] = [1, 2, 14, 15]

/** What a machine paid back: it reduces what a client gets. */
export const backTypes: readonly number[] = [6, 16]

/** The payment medium by number; unknown numbers are stored and shown unchanged. */
export const mediaTypes = {
  0: 'unknown',
  1: 'cash',
  2: 'key',
  3: 'card',
  4: 'app',
  5: 'creditCard',
  6: 'token',
  7: 'mifare',
  10: 'web',
  254: 'special',
} as const satisfies Record<number, string>
export const MediaType = z.int().min(0).max(255)

/** Which reader took the payment: the MDB peripheral, or the cloud. */
export const mediaSources = {
  0: 'unknown',
  1: 'coinMech',
  2: 'billValidator',
  3: 'cashless1',
  4: 'cashless2',
  5: 'cloud',
} as const satisfies Record<number, string>
export const MediaSource = z.int().min(0).max(255)

/** Price tables 1 to 8, the lists a machine chooses its price from. */
export const priceTables = {
  1: 'cash1',
  2: 'key1',
  3: 'key2',
  4: 'key3',
  5: 'key4',
  6: 'cashless1',
  7: 'cashless2',
  8: 'cash2',
} as const satisfies Record<number, string>
export const PriceTable = z.int().min(0).max(255)

/** The number of a name in one of these vocabularies. */
export const numberOf = <Name extends string>(names: Readonly<Record<number, Name>>, name: Name): number =>
  Number(Object.entries(names).find(([, one]) => one === name)?.[0])
