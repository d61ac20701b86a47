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
export const isReplacement = (lost: Candidate, replacement: Candidate): boolean =>
  replacement.id !== lost.id &&
  replacement.status === mediaStatuses.ok &&
  replacement.replaces === null &&
  replacement.replaced_by === null &&
  replacement.registered_at >= lost.registered_at &&
  (replacement.customer_id === null || replacement.customer_id === lost.customer_id)
