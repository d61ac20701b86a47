import { z } from 'zod'
import { saying } from '../frame/broken.ts'

/** A time of day by the machine's clock. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, saying('format'))

/**
 * When machines install, by each machine's local time. An end before the beginning is on the next day; an empty window is refused.
 */
export const RolloutWindow = z
  .strictObject({ from: TimeOfDay, to: TimeOfDay })
  .refine(({ from, to }) => from !== to, { ...saying('range'), path: ['to'] })
export type RolloutWindow = z.infer<typeof RolloutWindow>

/** A cohort includes the cohorts before it. Its size is a number of machines or a share of all machines of the rollout. */
export const Cohort = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('machines'), size: z.int().min(1).max(100_000) }),
  z.strictObject({ by: z.literal('percent'), size: z.int().min(1).max(100) }),
])
export type Cohort = z.infer<typeof Cohort>

/** The most cohorts of a rollout. */
export const mostCohorts = 8

const isGrowing = (cohorts: readonly Cohort[]) =>
  cohorts.every(({ by, size }, at) => {
    const before = cohorts[at - 1]
    return !before || (before.by === by ? before.size < size : by === 'percent')
  })

/** Numbers of machines first, then shares, each larger than the one before; the last is all machines. */
export const Cohorts = z
  .array(Cohort)
  .min(1)
  .max(mostCohorts)
  .refine((cohorts) => isGrowing(cohorts), saying('range'))
  .refine((cohorts) => {
    const last = cohorts.at(-1)
    return last?.by === 'percent' && last.size === 100
  }, saying('range'))

export const defaultCohorts: readonly Cohort[] = [
  { by: 'machines', size: 1 },
  { by: 'percent', size: 5 },
  { by: 'percent', size: 25 },
  { by: 'percent', size: 100 },
]

const Percent = z.int().min(0).max(100)

/** A cohort is good when so large a share of it has reported the new version and stayed healthy for so long. */
export const RolloutHealth = z.strictObject({
  goodPercent: z.int().min(1).max(100),
  healthMinutes: z
    .int()
    .min(0)
    .max(30 * 1440),
  /** A machine without a message for so long is silent. */
  silentMinutes: z
    .int()
    .min(1)
    .max(7 * 1440),
})
export type RolloutHealth = z.infer<typeof RolloutHealth>

/**
 * A rollout halts when a larger share of its cohort failed, fell silent, or has more new blocking alarms than in an equal time before.
 * Zero percent allows none.
 */
export const HaltLimits = z.strictObject({ failedPercent: Percent, silentPercent: Percent, alarmedPercent: Percent })
export type HaltLimits = z.infer<typeof HaltLimits>
