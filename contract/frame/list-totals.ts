import { z } from 'zod'
import { Currency } from '../vocabulary/world/currencies.ts'

/**
 * Sums of a list's columns over all rows that match, not only those of the page: by column, in the column's own unit. `currency` is that of
 * amounts, of which those in other currencies are another total; null for a list without amounts.
 */
export const ListTotal = z.strictObject({
  currency: Currency.nullable(),
  values: z.record(z.string(), z.number().nullable()),
})
export type ListTotal = z.infer<typeof ListTotal>

/** The totals of an answer, beside its rows. */
export const withTotals = { totals: z.array(ListTotal) }
/** The same of a list of records, which has them if a column adds up. */
export const withOptionalTotals = { totals: z.array(ListTotal).optional() }
