import { z } from 'zod'

/** Maximum rows that are selected one by one, or excluded from a filter. */
export const mostSelected = 500

/**
 * The rows that a call acts on: single rows, or all rows that match a filter minus exceptions. `count` is their number when the user
 * confirmed; if it has changed, nothing happens and the answer is `SelectionChanged` with the new `count`. Selecting all is limited
 * to `most` rows, where counting stops.
 */
export const selectionOf = <Filters extends z.ZodType>(id: z.ZodUUID, filters: Filters, most = 10_000) =>
  z.union([
    z.strictObject({ ids: z.array(id).min(1).max(mostSelected) }),
    z.strictObject({
      matching: filters,
      count: z.int().min(1).max(most),
      except: z.array(z.uuid()).max(mostSelected).optional(),
    }),
  ])
