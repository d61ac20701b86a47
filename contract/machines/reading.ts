import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { fromWire } from '../frame/instant.ts'
import { Instant, InstantInput } from '../frame/shapes.ts'

/** Days of a period that users can choose, both ends included. */
export const readingDays = { minDays: 1, maxDays: 365 } as const

/** Points of one answer. */
const readingPoints = { most: 1000, usual: 300 } as const

/** The hour is for a change of the clocks within the period. */
const longestMs = readingDays.maxDays * 86_400_000 + 3_600_000

/** The readings of one step of time; steps without readings are omitted. */
export const ReadingPoint = z.strictObject({
  /** When the step begins. */
  at: Instant,
  min: z.number(),
  max: z.number(),
  /** To two digits. */
  avg: z.number(),
  /** Readings in the step. */
  count: z.int(),
})
export type ReadingPoint = z.infer<typeof ReadingPoint>

/** Readings of a machine over a stretch of time, summed up by steps so that every spike survives. */
export const ReadingSeries = z.strictObject({
  from: Instant,
  /** Exclusive. */
  to: Instant,
  stepSeconds: z.int(),
  /** The merchant's zone; steps are counted from its midnight before the stretch. */
  timeZone: z.string(),
  /** The merchant's limits; null without a limit. */
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  points: z.array(ReadingPoint),
})
export type ReadingSeries = z.infer<typeof ReadingSeries>

/** The time range, its end excluded, and the maximum number of points. */
export const ReadingRange = z
  .strictObject({
    from: InstantInput,
    to: InstantInput,
    points: z.coerce.number().int().min(20).max(readingPoints.most).default(readingPoints.usual),
  })
  .refine(({ from, to }) => fromWire(to).getTime() - fromWire(from).getTime() <= longestMs, {
    path: ['to'],
    ...saying('interval', readingDays),
  })

export const readings = {
  getSignalHistory: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/historical-signal',
    summary: 'Get the signal history of a point of sale in percent, with the merchant’s minimum',
    needs: 'machine.read',
    finds: ['posId'],
    feature: 'network',
    query: ReadingRange,
    ok: ReadingSeries,
    fails: ['MachineNotFound', 'PeriodReversed'],
  }),
  getTemperatureHistory: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/historical-temperature',
    summary: 'Get the temperature history of a point of sale in °C, with the merchant’s limits',
    needs: 'machine.read',
    finds: ['posId'],
    query: ReadingRange,
    ok: ReadingSeries,
    fails: ['MachineNotFound', 'PeriodReversed'],
  }),
}
