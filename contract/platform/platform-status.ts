import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant } from '../frame/shapes.ts'

/** What is watched, by its part of the page. */
export const watched = {
  queues: ['jobs', 'failedJobs', 'mails', 'webhookMessages', 'failingWebhooks', 'exports', 'failedExports'],
  data: ['deadLetters', 'daysToSum', 'monthsAhead', 'longestStatement'],
  processes: ['workers', 'certificate', 'backup'],
  disk: ['disk'],
  versions: ['gettone', 'postgres', 'node', 'schema'],
} as const
export type WatchedPart = keyof typeof watched
export const watchedParts = Object.keys(watched) as WatchedPart[]
export type Watched = (typeof watched)[WatchedPart][number]
const watchedNames = Object.values(watched).flat() as [Watched, ...Watched[]]

/** `unknown`: not set up, or not known to this process. */
export const WatchedState = z.enum(['ok', 'warning', 'critical', 'unknown'])
export type WatchedState = z.infer<typeof WatchedState>

export const PlatformFigure = z.strictObject({
  name: z.enum(watchedNames),
  state: WatchedState,
  /** The value by its kind; null: unknown. */
  count: z.number().nullable(),
  kind: z.enum(['count', 'seconds', 'days', 'share', 'text']),
  text: z.string().nullable(),
  /** The oldest of what waits, or when it happened last. */
  since: Instant.nullable(),
})
export type PlatformFigure = z.infer<typeof PlatformFigure>

/** A disk and its forecast. `days…`: null while it does not grow, or its record is shorter than a day. */
export const DiskFigure = z.strictObject({
  place: z.string(),
  state: WatchedState,
  used: z.int(),
  total: z.int(),
  perDay: z.number().nullable(),
  days80: z.number().nullable(),
  days90: z.number().nullable(),
  at: Instant,
})
export type DiskFigure = z.infer<typeof DiskFigure>

/** A statement that took long, without any value. */
export const SlowStatement = z.strictObject({
  text: z.string(),
  count: z.int(),
  meanMs: z.number(),
  maximumMs: z.number(),
  /** When it was slow last; null: not known. */
  last: Instant.nullable(),
})
export type SlowStatement = z.infer<typeof SlowStatement>

/**
 * Statements with a run of `fromMs` or longer. `database`: pg_stat_statements counts all of their runs; `program`: the processes count the slow
 * ones, as they wait for them.
 */
export const SlowStatements = z.strictObject({
  source: z.enum(['database', 'program']),
  fromMs: z.int(),
  statements: z.array(SlowStatement),
})
export type SlowStatements = z.infer<typeof SlowStatements>

export const PlatformStatus = z.strictObject({
  figures: z.array(PlatformFigure),
  disks: z.array(DiskFigure),
  slow: SlowStatements,
})
export type PlatformStatus = z.infer<typeof PlatformStatus>

export const platformStatusRows = {
  getPlatformStatus: endpoint({
    method: 'GET',
    path: '/admin/status',
    summary: 'Get queues, processes, slow statements, disks and versions of the deployment',
    needs: 'stats.read',
    ok: PlatformStatus,
  }),
}
