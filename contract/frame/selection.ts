import { z } from 'zod'

/** At most this many rows are selected one by one, or excepted from all. */
export const mostSelected = 500

/**
 * The rows that a call acts on: single ones, or all that match a filter but a few. `count` is how many that was when the person
 * said yes; when it is another number by now, nothing happens and the answer is `SelectionChanged` with the new `count`. Where
 * counting stops, selecting all stops as well: `most` rows.
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
