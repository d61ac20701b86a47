import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, MinorUnits, Text } from '../frame/shapes.ts'
import { CollectionStatus } from '../vocabulary/cash.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** `given`: the driver takes change along; `returned`: brings it back. */
export const changeFundKinds = ['given', 'returned'] as const
export const ChangeFundKind = z.enum(changeFundKinds)
export type ChangeFundKind = z.infer<typeof ChangeFundKind>

/** The most change of one entry, in minor units. */
export const mostChange = 1_000_000_000

/** Change that is given or returned. The caller makes the id: the same entry sent again is one. */
export const NewChangeFundEntry = z.strictObject({
  id: z.uuid(),
  kind: ChangeFundKind,
  amount: MinorUnits.min(1).max(mostChange),
  note: Text.trim().min(1).max(500).nullable().default(null),
})
export type NewChangeFundEntry = z.output<typeof NewChangeFundEntry>

export const ChangeFundEntry = z.strictObject({
  id: z.uuid(),
  kind: ChangeFundKind,
  amount: MinorUnits,
  at: Instant,
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type ChangeFundEntry = z.infer<typeof ChangeFundEntry>

/** A stop with the bag of its cash box; null without one. Amounts are null as long as they are not known, or hidden by a blind count. */
export const StopMoney = z.strictObject({
  stopId: z.uuid(),
  posId: z.uuid(),
  posName: z.string(),
  visitId: z.uuid().nullable(),
  collectedAt: Instant.nullable(),
  collectedBy: z.string().nullable(),
  bagNumber: z.string().nullable(),
  collectionId: z.uuid().nullable(),
  status: CollectionStatus.nullable(),
  isWithheld: z.boolean(),
  counted: MinorUnits.nullable(),
  expected: MinorUnits.nullable(),
  /** Counted minus expected. */
  difference: MinorUnits.nullable(),
})
export type StopMoney = z.infer<typeof StopMoney>

export const RoundMoney = z.strictObject({
  currency: Currency,
  /** In driving order; those of the reader's groups. A stop with two bags is there twice. */
  stops: z.array(StopMoney),
  /** `expected`, `over` and `short` are of counted bags with a known expected amount. */
  totals: z.strictObject({
    collected: z.int(),
    uncounted: z.int(),
    counted: MinorUnits,
    expected: MinorUnits,
    over: MinorUnits,
    short: MinorUnits,
  }),
  changeFund: z.strictObject({
    driverName: z.string().nullable(),
    /** Given and not returned. */
    open: MinorUnits,
    /** The oldest first. */
    entries: z.array(ChangeFundEntry),
  }),
})
export type RoundMoney = z.infer<typeof RoundMoney>

/** The change that a driver still has. */
export const OpenChangeFund = z.strictObject({
  merchantId: z.uuid(),
  merchantName: z.string(),
  currency: Currency,
  /** Null: of rounds without a driver. */
  driverId: z.uuid().nullable(),
  driverName: z.string().nullable(),
  open: MinorUnits,
  /** Rounds with change that is not returned. */
  rounds: z.int(),
  /** The first entry of the oldest of them. */
  since: Instant,
})
export type OpenChangeFund = z.infer<typeof OpenChangeFund>

const shared = { feature: 'productStock' } as const

export const roundMoney = {
  getRoundMoney: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/rounds/{roundId}/money',
    summary: 'Get the money of a round: the bag of each stop, counted against expected, and its change fund',
    needs: 'round.read',
    ...shared,
    finds: ['roundId'],
    topics: ['round', 'collection'],
    ok: RoundMoney,
    fails: ['RoundNotFound'],
  }),
  bookChangeFund: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/rounds/{roundId}/change-fund',
    summary: 'Book change that is given to the driver of a round, or returned; the same entry twice is one',
    needs: 'changeFund.write',
    ...shared,
    finds: ['roundId'],
    body: NewChangeFundEntry,
    ok: RoundMoney,
    fails: ['RoundNotFound', 'OperationIdTaken', 'ChangeFundExceeded'],
  }),
  listOpenChangeFunds: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/change-funds',
    summary: 'List drivers with change of rounds that is not returned',
    needs: 'changeFund.write',
    ...shared,
    topics: ['round'],
    ok: z.array(OpenChangeFund),
  }),
}
