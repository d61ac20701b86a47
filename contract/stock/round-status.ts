import { z } from 'zod'

export const roundStatuses = ['planned', 'underway', 'done', 'cancelled'] as const
export const RoundStatus = z.enum(roundStatuses)
export type RoundStatus = z.infer<typeof RoundStatus>

export const stopStatuses = ['open', 'done', 'skipped'] as const
export const StopStatus = z.enum(stopStatuses)
export type StopStatus = z.infer<typeof StopStatus>

/** Why a stop was skipped, as users choose it. */
export const skipReasons = ['closed', 'noAccess', 'noTime', 'notNeeded', 'other'] as const
export const SkipReason = z.enum(skipReasons)
export type SkipReason = z.infer<typeof SkipReason>
/** The same, with the reasons that the portal sets. A machine is removed when it is deleted or moves to another merchant. */
export const AnySkipReason = z.enum([...skipReasons, 'roundFinished', 'machineRemoved'])
export type AnySkipReason = z.infer<typeof AnySkipReason>

/** What closed a stop: a visit, the machine's own refill or collection, or a user. */
export const StopClosing = z.enum(['visit', 'machine', 'user'])
export type StopClosing = z.infer<typeof StopClosing>

/** Why a machine is worth a visit, most urgent first. */
export const visitReasonKinds = ['blocked', 'soldOut', 'emptySoon', 'cashFull', 'auditOverdue', 'low'] as const
export const VisitReasonKind = z.enum(visitReasonKinds)
export type VisitReasonKind = z.infer<typeof VisitReasonKind>
