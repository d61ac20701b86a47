import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withTotals } from '../frame/list-totals.ts'
import {
  Flag,
  Instant,
  LineText,
  MinorUnits,
  oneOrMany,
  optionalPeriod,
  paged,
  pageOf,
  Search,
  Text,
} from '../frame/shapes.ts'
import { CollectionSource, CollectionStatus, CountSight, PiecesBasis, TransmittedBasis } from '../vocabulary/cash.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'

/** Printed on the bag, or scanned from it. */
export const BagNumber = LineText.trim().min(1).max(40)
/** The most pieces of a denomination in one bag. */
export const mostPieces = 1_000_000

/** Pieces of one coin or note, whose value is in minor units. */
export const Pieces = z.strictObject({ value: MinorUnits.min(1), count: z.int().min(0).max(mostPieces) })
export type Pieces = z.infer<typeof Pieces>

/** A cash box that was taken out of a machine. Amounts are minor units; null means "not known", never zero. */
export const Collection = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  at: Instant,
  /** The collection before: the money went into the box since then. */
  previousAt: Instant.nullable(),
  bagNumber: z.string().nullable(),
  status: CollectionStatus,
  /** What went into the box by the machine's counters (EVA-DTS). */
  audited: MinorUnits.nullable(),
  /** Both ends are collection audits. Otherwise the nearest audits before them count, so that the amount is approximate. */
  isAuditExact: z.boolean(),
  transmitted: MinorUnits.nullable(),
  transmittedBasis: TransmittedBasis.nullable(),
  counted: MinorUnits.nullable(),
  /** The count is compared with it: audited if exact, else transmitted, else audited. */
  expected: MinorUnits.nullable(),
  /** Counted minus expected: negative if money is missing. */
  difference: MinorUnits.nullable(),
  /** The largest difference, in either direction, that needs no dispute. */
  tolerance: MinorUnits,
  /** The merchant counts blind and the collection is not counted yet: audited, transmitted and expected are shown after the count. */
  isWithheld: z.boolean(),
  /** How it was counted; null where the merchant does not count blind. */
  countSight: CountSight.nullable(),
  /** Of the first, blind count, which a later one may have corrected. */
  blindCounted: MinorUnits.nullable(),
  countedAt: Instant.nullable(),
  countedBy: z.string().nullable(),
  closedAt: Instant.nullable(),
  closedBy: z.string().nullable(),
  note: z.string().nullable(),
  /** The bank deposit that its money is in. */
  deposit: z.strictObject({ id: z.uuid(), reference: z.string() }).nullable(),
  version: Version,
})
export type Collection = z.infer<typeof Collection>

/** A denomination on the three sides, in pieces; null on a side that has none of them by denomination. */
export const CollectionLine = z.strictObject({
  value: MinorUnits,
  kind: z.enum(['coin', 'note']),
  audited: z.int().nullable(),
  transmitted: z.int().nullable(),
  counted: z.int().nullable(),
})
export type CollectionLine = z.infer<typeof CollectionLine>

export const CollectionDetail = Collection.extend({
  lines: z.array(CollectionLine),
  /** The part of each total that the lines lack, because its denominations are not known: total = lines + rest. */
  rest: z.strictObject({ audited: MinorUnits.nullable(), transmitted: MinorUnits.nullable() }),
  /** The source and moment of the transmitted pieces; null without any. `at` is null if they are of a period, or not known any longer. */
  transmittedPieces: z.strictObject({ from: PiecesBasis, at: Instant.nullable() }).nullable(),
  /** The side that the count is compared with. */
  comparedWith: z.enum(['audited', 'transmitted']).nullable(),
  /** The oldest first. */
  sources: z.array(z.strictObject({ source: CollectionSource, id: z.uuid(), at: Instant, by: z.string().nullable() })),
  disputedAt: Instant.nullable(),
  disputedBy: z.string().nullable(),
  disputeReason: z.string().nullable(),
  /** What data that arrived after the closing would change; null if nothing. */
  late: z.strictObject({ audited: MinorUnits.nullable(), transmitted: MinorUnits.nullable() }).nullable(),
})
export type CollectionDetail = z.infer<typeof CollectionDetail>

export const CollectionFilters = z.strictObject({
  /** In the machine's name and serial, two letters or more. */
  search: Search.optional(),
  /** The whole bag number, without regard to case. */
  bagNumber: BagNumber.optional(),
  groupIds: oneOrMany(ids.groupId),
  posIds: oneOrMany(ids.pastPosId),
  statuses: oneOrMany(CollectionStatus),
  /** Whether its money is in a bank deposit. */
  isDeposited: Flag.optional(),
  ...optionalPeriod,
})
export type CollectionFilters = z.infer<typeof CollectionFilters>

export const collectionColumns = {
  machine: {
    ord: 'posName',
    facts: {
      machine: { kind: 'text', heading: 'cash-collection:column.machine' },
      machineSerial: { kind: 'text', heading: 'cash-collection:column.serial' },
    },
  },
  merchant: { kind: 'text', heading: 'cash-collection:column.merchant' },
  at: { kind: 'instant', heading: 'cash-collection:column.at' },
  bagNumber: { kind: 'text', heading: 'cash-collection:column.bagNumber' },
  status: { kind: 'status', heading: 'cash-collection:column.status', of: 'collectionStatus' },
  audited: { kind: 'amount', heading: 'cash-collection:column.audited' },
  transmitted: { kind: 'amount', heading: 'cash-collection:column.transmitted' },
  counted: { kind: 'amount', heading: 'cash-collection:column.counted' },
  difference: { kind: 'amount', heading: 'cash-collection:column.difference' },
  countSight: { kind: 'word', heading: 'cash-collection:column.countSight', of: 'countSight' },
  blindCounted: { kind: 'amount', heading: 'cash-collection:column.blindCounted', sort: false },
  countedBy: {
    facts: {
      countedBy: { kind: 'person', heading: 'cash-collection:column.countedBy' },
      countedAt: { kind: 'instant', heading: 'cash-collection:column.countedAt' },
    },
  },
  closedBy: {
    facts: {
      closedBy: { kind: 'person', heading: 'cash-collection:column.closedBy' },
      closedAt: { kind: 'instant', heading: 'cash-collection:column.closedAt' },
    },
  },
  deposit: { kind: 'text', heading: 'cash-collection:column.deposit', sort: false },
  note: { kind: 'text', heading: 'cash-collection:column.note' },
} as const satisfies ListColumns

/** A difference counts in either direction. */
export const collectionOrds = ordsOf(collectionColumns, 'at')

const Note = Text.trim().max(1000)
const Reason = Note.min(1)

/** The content of a bag. A denomination that is left out has no pieces. */
export const Count = z.strictObject({
  version: Version,
  pieces: z
    .array(Pieces)
    .max(40)
    .refine((pieces) => new Set(pieces.map(({ value }) => value)).size === pieces.length, {
      message: 'A denomination is named twice',
    }),
  /** Closes the collection if the difference is within the tolerance. A larger one is refused; where the merchant counts blind, the count is saved alone. */
  close: z.boolean().default(false),
})
export type Count = z.input<typeof Count>

const path = '/merchants/{merchantId}/collections/{collectionId}' as const
const fails = ['CollectionNotFound', 'EditConflict'] as const

export const cashCollections = {
  listCashCollections: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/collections',
    summary: 'List cash collections with audited, transmitted and counted amounts',
    needs: 'collection.read',
    topics: ['collection', 'audit'],
    query: CollectionFilters.extend(paged(collectionOrds)),
    ok: pageOf(Collection).extend({
      ...withTotals,
      /** Of all that match, by currency. */
      sums: z.array(z.strictObject({ currency: Currency, open: z.int(), counted: MinorUnits })),
      /** What the next collections will bring: the cash boxes of all machines, regardless of filters. */
      inBoxes: z.array(z.strictObject({ currency: Currency, machines: z.int(), value: MinorUnits })),
    }),
    fails: ['PeriodReversed'],
  }),
  getCashCollection: endpoint({
    method: 'GET',
    path,
    summary: 'Get a cash collection by denomination',
    needs: 'collection.read',
    topics: ['collection', 'audit'],
    ok: CollectionDetail,
    fails: ['CollectionNotFound'],
  }),
  countCashCollection: endpoint({
    method: 'PUT',
    path: `${path}/count`,
    summary: 'Save the count of a cash collection, and close it if requested and within the tolerance',
    needs: 'collection.count',
    finds: ['collectionId'],
    body: Count,
    ok: CollectionDetail,
    fails: [...fails, 'CollectionClosed', 'DifferenceTooLarge', 'ValidationFailed'],
  }),
  setCashCollectionBag: endpoint({
    method: 'PUT',
    path: `${path}/bag`,
    summary: 'Set the bag number of a cash collection',
    needs: 'collection.count',
    finds: ['collectionId'],
    body: z.strictObject({ version: Version, bagNumber: BagNumber }),
    ok: CollectionDetail,
    fails: [...fails, 'CollectionClosed'],
  }),
  disputeCashCollection: endpoint({
    method: 'PUT',
    path: `${path}/dispute`,
    summary: 'Mark the count of a cash collection as disputed',
    needs: 'collection.count',
    finds: ['collectionId'],
    body: z.strictObject({ version: Version, reason: Reason }),
    ok: CollectionDetail,
    fails: [...fails, 'CollectionClosed', 'CollectionNotCounted'],
  }),
  closeCashCollection: endpoint({
    method: 'PUT',
    path: `${path}/close`,
    summary: 'Set a cash collection to closed; a disputed collection needs a note',
    needs: 'collection.close',
    finds: ['collectionId'],
    body: z.strictObject({ version: Version, note: Note.optional() }),
    ok: CollectionDetail,
    fails: [...fails, 'CollectionClosed', 'CollectionNotCounted', 'DifferenceTooLarge', 'ValidationFailed'],
  }),
  reopenCashCollection: endpoint({
    method: 'PUT',
    path: `${path}/reopen`,
    summary: 'Set a closed cash collection to counted again, with a reason',
    needs: 'collection.close',
    finds: ['collectionId'],
    body: z.strictObject({ version: Version, reason: Reason }),
    ok: CollectionDetail,
    fails: [...fails, 'CollectionNotClosed'],
  }),
  getCashCollectionReceipt: endpoint({
    method: 'GET',
    path: `${path}/receipt`,
    summary: 'Get the receipt of a cash collection as PDF',
    needs: 'collection.read',
    finds: ['collectionId'],
    query: z.strictObject({ language: Language.optional() }),
    produces: 'application/pdf',
    fails: ['CollectionNotFound'],
  }),
}

/** The list as a file. */
export const exportedCashCollections = {
  row: cashCollections.listCashCollections,
  filters: CollectionFilters,
  ords: collectionOrds,
  columns: collectionColumns,
} as const satisfies ExportedList
