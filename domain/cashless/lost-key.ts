import { mediaStatuses } from '#contract/vocabulary/media.ts'

/** What decides whether a medium may replace a lost one. */
interface Candidate {
  id: string
  status: number
  customer_id: string | null
  replaces: string | null
  replaced_by: string | null
  registered_at: Date
}

/**
 * A lost key's credit moves to a newly registered medium: another one, registered after the lost one, in order, and not in another
 * customer's hands. A medium replaces one other at most.
 */
export const isReplacement = (lost: Candidate, given: Candidate): boolean =>
  given.id !== lost.id &&
  given.status === mediaStatuses.ok &&
  given.replaces === null &&
  given.replaced_by === null &&
  given.registered_at >= lost.registered_at &&
  (given.customer_id === null || given.customer_id === lost.customer_id)
