import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { ids } from '../frame/ids.ts'
import { mostStops } from './round.ts'

/** Where a drive begins. */
export const StartPlace = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
})

/** Machines in driving order. Those without a place are last, and in none of the sums. */
export const StopOrder = z.strictObject({
  posIds: z.array(z.uuid()),
  /** Distances by roads, or as the crow flies. */
  by: z.enum(['road', 'air']),
  /** The length of the way, from the start and back to it where the drive returns. */
  kilometers: z.number(),
  /** Its driving time without the stops; null: not known as the crow flies. */
  minutes: z.int().nullable(),
})
export type StopOrder = z.infer<typeof StopOrder>

export const stopOrders = {
  orderStops: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/rounds/order',
    summary: 'Get the driving order of points of sale, by roads where the provider has a routing service',
    needs: 'round.write',
    feature: 'productStock',
    body: z.strictObject({
      posIds: z
        .array(ids.posId)
        .max(mostStops)
        .refine((all) => new Set(all).size === all.length, saying('unique')),
      /** Without it, the first machine with a place begins. */
      start: StartPlace.nullable().default(null),
      returns: z.boolean().default(false),
    }),
    ok: StopOrder,
    fails: ['MachineNotFound'],
  }),
}
