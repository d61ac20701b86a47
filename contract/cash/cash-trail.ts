import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, MinorUnits } from '../frame/shapes.ts'
import { CollectionStatus } from '../vocabulary/cash.ts'
import { TransactionType } from '../vocabulary/transaction.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** The longest time that a trail goes back. */
export const mostTrailDays = 92

/** What a machine reported to hold. Amounts are minor units. */
const Held = z.strictObject({ at: Instant, box: MinorUnits, tubes: MinorUnits })

/**
 * A part of a machine's trail of cash: what moved, up to a cash report. Consecutive reports of a day with the same difference are one step.
 * `at` is the report's; null after the last report.
 */
export const TrailStep = z.strictObject({
  at: Instant.nullable(),
  /** The cash reports of the step. */
  readings: z.int().min(0),
  /** Coins and notes by type of transaction: positive into the machine, negative out of it. */
  movements: z.array(z.strictObject({ type: TransactionType, count: z.int(), cash: MinorUnits })),
  /** Cash in − out since the beginning of the trail. */
  moved: MinorUnits,
  /** In the cash box, and in tubes and recyclers, as reported. Null, as the others: not known. */
  box: MinorUnits.nullable(),
  tubes: MinorUnits.nullable(),
  /** What the machine should hold: the first report of the trail, and what moved since. */
  expected: MinorUnits.nullable(),
  /** Box, tubes and recyclers together. */
  reported: MinorUnits.nullable(),
  /** Reported minus expected: negative if money is missing. */
  difference: MinorUnits.nullable(),
})
export type TrailStep = z.infer<typeof TrailStep>

/** The money of a machine from one collection to the next, or to now. */
export const CashTrail = z.strictObject({
  currency: Currency,
  timeZone: z.string(),
  posId: z.uuid(),
  /** The collection before; null without one, as then there is no trail. `at`: where the trail begins, which may be later (`isCut`). */
  from: z.strictObject({ collectionId: z.uuid(), at: Instant }).nullable(),
  /** Whether the collection is further back than the longest trail. */
  isCut: z.boolean(),
  /** The end of the collection that ends the trail; null up to now. */
  until: Instant.nullable(),
  /** The first report of the trail, from which the expected money is counted. */
  base: Held.nullable(),
  /** The oldest first. */
  steps: z.array(TrailStep),
  /** The report at which expected and reported money parted, and have differed since; null if the last report matched. */
  parted: z
    .strictObject({
      /** The last report that matched. */
      after: Instant,
      at: Instant,
      /** Of the first report that differed. */
      difference: MinorUnits,
    })
    .nullable(),
  /** The collection at the end, with the figures of its page; null up to now. */
  collection: z
    .strictObject({
      id: z.uuid(),
      at: Instant,
      status: CollectionStatus,
      expected: MinorUnits.nullable(),
      counted: MinorUnits.nullable(),
      difference: MinorUnits.nullable(),
    })
    .nullable(),
})
export type CashTrail = z.infer<typeof CashTrail>

export const cashTrails = {
  getCashTrail: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/cash/trail',
    summary:
      'Get the trail of a point of sale’s cash since its last collection, and where expected and reported cash parted',
    needs: 'machine.read',
    finds: ['posId'],
    topics: ['machine', 'collection'],
    ok: CashTrail,
    fails: ['MachineNotFound', 'CountedBlind'],
  }),
  getCollectionTrail: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/collections/{collectionId}/trail',
    summary:
      'Get the trail of cash from the collection before to a cash collection, and where expected and reported cash parted',
    needs: 'collection.read',
    finds: ['collectionId'],
    topics: ['collection'],
    ok: CashTrail,
    fails: ['CollectionNotFound', 'CountedBlind'],
  }),
}
