import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { fileRules } from '../frame/file-rules.ts'
import { Day, Instant, InstantInput, LineText, MinorUnits, Text } from '../frame/shapes.ts'
import { StockCounter } from '../vocabulary/stock.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Pieces } from './pieces.ts'

/** One selection of a machine as a technician finds it. */
export const VisitSelection = z.strictObject({
  selection: z.string(),
  product: z.string().nullable(),
  productId: z.uuid().nullable(),
  /** The level by the portal; null: unknown. */
  level: z.int().nullable(),
  capacity: z.int().nullable(),
  /** Pieces to load: by the round, else what fills it up. */
  planned: z.int(),
  /** What the van has of the product on the visit's day; null without a van, and without a product of the catalogue. */
  inVan: z
    .strictObject({
      /** Pieces that may be sold. */
      pieces: z.int(),
      /** The last day of sale of those to load first. */
      firstExpiresOn: Day.nullable(),
      /** Pieces whose last day of sale is over: they are not loaded. */
      expired: z.int(),
    })
    .nullable(),
})
export type VisitSelection = z.infer<typeof VisitSelection>

/** All that a visit at a machine needs, also without a connection. */
export const VisitPlan = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  merchantId: z.uuid(),
  address: z.string().nullable(),
  currency: Currency,
  timeZone: z.string(),
  cashInBox: MinorUnits.nullable(),
  cashBoxCapacity: MinorUnits.nullable(),
  /** The open stop of a round under way or planned for today. */
  stop: z
    .strictObject({
      id: z.uuid(),
      roundId: z.uuid(),
      roundName: z.string(),
      position: z.int(),
      stops: z.int(),
      nextName: z.string().nullable(),
    })
    .nullable(),
  selections: z.array(VisitSelection),
  /** Who counts its stock; null: it is not managed. */
  countedBy: StockCounter.nullable(),
  /** By the server's clock; the phone corrects its own by it. */
  serverTime: Instant,
})
export type VisitPlan = z.infer<typeof VisitPlan>

/** What happened to one selection. `counted` is what was found before anything was taken out or loaded. */
export const VisitLine = z.strictObject({
  selection: SelectionName,
  planned: Pieces.default(0),
  loaded: Pieces.default(0),
  waste: Pieces.default(0),
  counted: Pieces.nullable().default(null),
})
export type VisitLine = z.output<typeof VisitLine>

/** The largest picture, in bytes. */
export const largestVisitPicture = fileRules.visitPicture.maxBytes

export const BagNumber = LineText.trim().min(1).max(40)

const isUnique = (lines: readonly { selection: string }[]) =>
  new Set(lines.map(({ selection }) => selection)).size === lines.length

/**
 * A visit at a machine. The phone makes the id, so that a visit sent again is the same one. `at` is the phone's time corrected by the
 * server's. `stopId` may be of a stop that was removed meanwhile. `again`: another visit to a stop that is done, on purpose.
 */
export const NewVisit = z.strictObject({
  id: z.uuid(),
  at: InstantInput,
  stopId: z.uuid().nullable().default(null),
  again: z.boolean().default(false),
  lines: z.array(VisitLine).max(500).refine(isUnique, saying('unique')).default([]),
  cashTaken: z.boolean().default(false),
  bagNumber: BagNumber.nullable().default(null),
  note: Text.trim().min(1).max(2000).nullable().default(null),
  /** A JPEG in base64. */
  picture: z
    .base64()
    .max(Math.ceil(largestVisitPicture / 3) * 4)
    .nullable()
    .default(null),
})
export type NewVisit = z.output<typeof NewVisit>

export const Visit = z.strictObject({
  id: z.uuid(),
  posId: z.uuid(),
  roundId: z.uuid().nullable(),
  stopId: z.uuid().nullable(),
  at: Instant,
  receivedAt: Instant,
  by: z.string().nullable(),
  cashTaken: z.boolean(),
  bagNumber: z.string().nullable(),
  note: z.string().nullable(),
  lines: z.array(
    z.strictObject({
      selection: z.string(),
      planned: z.int(),
      loaded: z.int(),
      waste: z.int(),
      counted: z.int().nullable(),
    }),
  ),
  hasPicture: z.boolean(),
})
export type Visit = z.infer<typeof Visit>

const path = '/merchants/{merchantId}/pos/{posId}' as const

export const visits = {
  getVisitPlan: endpoint({
    method: 'GET',
    path: `${path}/visit-plan`,
    summary: 'Get what to do at a point of sale',
    needs: 'visit.write',
    finds: ['posId'],
    topics: ['stock', 'round'],
    feature: 'productStock',
    ok: VisitPlan,
    fails: ['MachineNotFound'],
  }),
  createVisit: endpoint({
    method: 'POST',
    path: `${path}/visits`,
    // With a picture, on a slow connection.
    timeOut: 'large',
    summary: 'Save a visit: refills, waste, counts and the cash box taken; the same visit twice is one',
    needs: 'visit.write',
    feature: 'productStock',
    finds: ['posId'],
    body: NewVisit,
    ok: Visit,
    status: 201,
    fails: ['MachineNotFound', 'StopAlreadyVisited', 'VisitIdTaken'],
  }),
  getVisit: endpoint({
    method: 'GET',
    path: `${path}/visits/{visitId}`,
    summary: 'Get a visit',
    needs: 'round.read',
    feature: 'productStock',
    ok: Visit,
    fails: ['MachineNotFound', 'VisitNotFound'],
  }),
  getVisitPicture: endpoint({
    method: 'GET',
    path: `${path}/visits/{visitId}/picture`,
    summary: 'Get the picture of a visit',
    needs: 'round.read',
    feature: 'productStock',
    finds: ['visitId'],
    produces: 'image/jpeg',
    fails: ['MachineNotFound', 'VisitNotFound'],
  }),
}
