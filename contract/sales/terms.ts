import { z } from 'zod'

/**
 * The terms under which sales are read: a product's cost and VAT, a machine's group and client, and a client's commission. `ofDay`: those of the
 * local day of each sale, so a closed period never changes. `today`: today's.
 */
export const saleTerms = ['ofDay', 'today'] as const
export const SaleTerms = z.enum(saleTerms)
export type SaleTerms = z.infer<typeof SaleTerms>
