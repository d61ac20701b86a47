import { z } from 'zod'

/** Why a rollout halted: a limit was passed, or a user halted it. */
export const haltCauses = ['failed', 'silent', 'alarmed', 'user'] as const
export const HaltCause = z.enum(haltCauses)
export type HaltCause = z.infer<typeof HaltCause>

/** A passed limit: so many of the cohort's machines are bad, and so many were allowed. A user's halt has a cause only. */
export const RolloutHalt = z.strictObject({
  cause: HaltCause,
  count: z.int().nullable(),
  allowed: z.int().nullable(),
  size: z.int().nullable(),
})
export type RolloutHalt = z.infer<typeof RolloutHalt>
