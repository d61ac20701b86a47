import { z } from 'zod'

/**
 * What the figures of a period are compared with: the period before, the same period a year before, or the usual, which is the average of
 * the last four equal periods on the same weekdays.
 */
export const comparisons = ['previous', 'lastYear', 'usual'] as const
export const Comparison = z.enum(comparisons)
export type Comparison = z.infer<typeof Comparison>
