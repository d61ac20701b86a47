// Over 450 lines because a round is one noun: its record, its stops, what is loaded, and who drives it.

import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals, withTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import {
  Day,
  Flag,
  Instant,
  LineText,
  MinorUnits,
  oneOrMany,
  optionalPeriod,
  paged,
  pageOf,
  pages,
  Search,
  Text,
} from '../frame/shapes.ts'
import { Role } from '../vocabulary/roles.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'
import { Pieces } from './pieces.ts'
import { AnySkipReason, RoundStatus, SkipReason, StopClosing, StopStatus, VisitReasonKind } from './round-status.ts'

/** At most so many stops of one round. */
export const mostStops = 100

const isUnique = (all: readonly unknown[]) => new Set(all).size === all.length

/** A round as users plan it. `posIds`: its machines in driving order. */
export const NewRound = z.strictObject({
  name: LineText.trim().min(1).max(120),
  day: Day,
  assigneeId: ids.userId.nullable().default(null),
  /** The van that it is driven with: its visits take out of it what they load. */
  vanId: ids.stockPlaceId.nullable().default(null),
  /** The route that it drives: the plan of the week proposes no further round of it for the day. */
  routeId: ids.routeId.nullable().default(null),
  note: Text.trim().min(1).max(2000).nullable().default(null),
  posIds: z.array(ids.posId).max(mostStops).refine(isUnique, saying('unique')).default([]),
})
export type NewRound = z.output<typeof NewRound>

/**
 * A reason for a visit. `value`: sold-out or low selections, days until the first selection is empty, percent of the cash box, or hours
 * since the last audit (null: never audited). `code`: of the blocking alarm.
 */
export const VisitReason = z.strictObject({
  kind: VisitReasonKind,
  value: z.int().nullable(),
  code: z.string().nullable(),
})
export type VisitReason = z.infer<typeof VisitReason>

/** A machine as it is shown in rounds. */
const RoundMachine = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  deviceType: z.string(),
  groupName: z.string().nullable(),
  clientName: z.string().nullable(),
  clientPhone: z.string().nullable(),
  address: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
})

/** A machine worth a visit. Amounts are estimates, except the cash in the box. */
export const VisitCandidate = RoundMachine.extend({
  manageStock: z.boolean(),
  reasons: z.array(VisitReason),
  /** Days until its first selection is empty by the usual sales; 0: sold out now. Null: unknown. */
  daysUntilEmpty: z.int().nullable(),
  /** Share of all capacities that is in the machine, in percent; null: unknown. */
  fillPercent: z.int().nullable(),
  /** Pieces that fill it up. */
  pieces: z.int(),
  /** Sales that are lost until the end of the day without a visit. */
  lostSales: MinorUnits,
  cashInBox: MinorUnits.nullable(),
  /** Lost sales and the cash in the box. */
  atStake: MinorUnits,
  /** An open stop of another round, if any. */
  round: z.strictObject({ id: z.uuid(), name: z.string(), day: Day }).nullable(),
})
export type VisitCandidate = z.infer<typeof VisitCandidate>

/** What was done at a stop. */
export const StopVisit = z.strictObject({
  id: z.uuid(),
  at: Instant,
  by: z.string().nullable(),
  loaded: z.int(),
  waste: z.int(),
  cashTaken: z.boolean(),
  bagNumber: z.string().nullable(),
  note: z.string().nullable(),
  hasPicture: z.boolean(),
})
export type StopVisit = z.infer<typeof StopVisit>

export const RoundStop = RoundMachine.extend({
  id: z.uuid(),
  position: z.int(),
  status: StopStatus,
  reasons: z.array(VisitReason),
  lostSales: MinorUnits,
  cashInBox: MinorUnits.nullable(),
  /** Pieces to load. */
  pieces: z.int(),
  skipReason: AnySkipReason.nullable(),
  skipNote: z.string().nullable(),
  closedAt: Instant.nullable(),
  closedBy: StopClosing.nullable(),
  closedByName: z.string().nullable(),
  visit: StopVisit.nullable(),
})
export type RoundStop = z.infer<typeof RoundStop>

export const Round = recordOf(NewRound, {
  currency: Currency,
  assigneeName: z.string().nullable(),
  /** Null: no van, or a deleted one. */
  vanName: z.string().nullable(),
  /** Null, like `routeId`: no route, or a deleted one. */
  routeName: z.string().nullable(),
  status: RoundStatus,
  /** Stops of the reader's groups. */
  stops: z.int(),
  stopsDone: z.int(),
  stopsSkipped: z.int(),
  pieces: z.int(),
  startedAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
  stopList: z.array(RoundStop),
})
export type Round = z.infer<typeof Round>

export const RoundRow = Round.omit({ posIds: true, stopList: true })
export type RoundRow = z.infer<typeof RoundRow>

export const RoundFilters = z.strictObject({
  search: Search.optional(),
  statuses: oneOrMany(RoundStatus),
  /** Users who drive them; an unknown user drives none. */
  assigneeIds: oneOrMany(z.uuid()),
  ...optionalPeriod,
})
export type RoundFilters = z.infer<typeof RoundFilters>

export const roundColumns = {
  name: { kind: 'text', heading: 'round:field.name' },
  merchant: { kind: 'text', heading: 'round:column.merchant' },
  day: { kind: 'day', heading: 'round:field.day' },
  assigneeName: { kind: 'text', heading: 'round:field.assigneeId' },
  vanName: { kind: 'text', heading: 'round:field.vanId' },
  routeName: { kind: 'text', heading: 'round:field.routeId' },
  status: { kind: 'status', heading: 'round:column.status', of: 'roundStatus' },
  stops: { kind: 'number', heading: 'round:column.stops' },
  stopsDone: { kind: 'number', heading: 'round:column.stopsDone' },
  stopsSkipped: { kind: 'number', heading: 'round:column.stopsSkipped' },
  pieces: { kind: 'number', heading: 'round:column.pieces' },
  createdAt: { kind: 'instant', heading: 'round:column.created' },
  id: { kind: 'plain', heading: 'round:column.id' },
} as const satisfies ListColumns

export const roundOrds = ordsOf(roundColumns, 'day')

/** What is loaded for one selection of one stop. */
export const RoundLoad = z.strictObject({
  merchantId: z.uuid(),
  roundId: z.uuid(),
  stopId: z.uuid(),
  posId: z.uuid(),
  posName: z.string(),
  position: z.int(),
  selection: z.string(),
  productId: z.uuid().nullable(),
  product: z.string().nullable(),
  productCode: z.string().nullable(),
  capacity: z.int().nullable(),
  quantity: z.int(),
  /** The most pieces that fit at the visit, by the level expected then; null: unknown. */
  fits: z.int().nullable(),
  /** Changed by a user. */
  edited: z.boolean(),
})
export type RoundLoad = z.infer<typeof RoundLoad>

/** The quantity of one product for the whole round. */
export const RoundProduct = z.strictObject({
  merchantId: z.uuid(),
  productId: z.uuid().nullable(),
  product: z.string().nullable(),
  productCode: z.string().nullable(),
  stops: z.int(),
  quantity: z.int(),
})
export type RoundProduct = z.infer<typeof RoundProduct>

/** `withEmpty`: also selections without pieces to load. */
export const LoadFilters = z.strictObject({
  roundId: ids.roundId,
  search: Search.optional(),
  withEmpty: Flag.optional(),
})
export type LoadFilters = z.infer<typeof LoadFilters>

export const loadColumns = {
  position: { kind: 'number', heading: 'round:load.position' },
  posName: { kind: 'text', heading: 'round:load.machine' },
  selection: { kind: 'text', heading: 'round:load.selection' },
  product: { kind: 'text', heading: 'round:load.product' },
  productCode: { kind: 'text', heading: 'round:load.productCode' },
  quantity: { kind: 'number', heading: 'round:load.quantity' },
  capacity: { kind: 'number', heading: 'round:load.capacity' },
} as const satisfies ListColumns

export const loadOrds = ordsOf(loadColumns, 'position')

export const roundProductColumns = {
  product: { kind: 'text', heading: 'round:load.product' },
  productCode: { kind: 'text', heading: 'round:load.productCode' },
  quantity: { kind: 'number', heading: 'round:load.quantity' },
  stops: { kind: 'number', heading: 'round:column.stops' },
} as const satisfies ListColumns

export const roundProductOrds = ordsOf(roundProductColumns, 'product')

/** A change of one quantity. `before` is what the user saw; when it has changed meanwhile, the change is a conflict of its own. */
export const LoadEdit = z.strictObject({
  stopId: ids.stopId,
  selection: SelectionName,
  before: z.int(),
  quantity: Pieces,
})
export type LoadEdit = z.infer<typeof LoadEdit>
export const LoadConflict = z.strictObject({ stopId: z.uuid(), selection: z.string(), current: z.int().nullable() })
export type LoadConflict = z.infer<typeof LoadConflict>

/** A user who may drive a round. */
export const RoundAssignee = z.strictObject({ id: z.uuid(), name: z.string(), role: Role })
export type RoundAssignee = z.infer<typeof RoundAssignee>

const many = '/merchants/{merchantId}/rounds' as const
const one = '/merchants/{merchantId}/rounds/{roundId}' as const
const stop = '/merchants/{merchantId}/rounds/{roundId}/stops/{stopId}' as const
const shared = { feature: 'productStock' } as const

export const rounds = {
  listVisitCandidates: endpoint({
    method: 'GET',
    path: `${many}/candidates`,
    summary: 'List points of sale worth a visit on a day, the most money at stake first',
    needs: 'round.write',
    ...shared,
    topics: ['stock', 'alarm', 'round'],
    /** With `posIds` those machines, worth a visit or not. */
    query: z.strictObject({ day: Day, search: Search.optional(), posIds: oneOrMany(ids.posId), ...pages }),
    ok: pageOf(VisitCandidate).extend({ currency: Currency, timeZone: z.string() }),
    fails: ['MerchantNotSelected'],
  }),
  listRoundAssignees: endpoint({
    method: 'GET',
    path: `${many}/assignees`,
    summary: 'List users who may drive a round',
    needs: 'round.write',
    ...shared,
    ok: z.array(RoundAssignee),
  }),
  listRounds: endpoint({
    method: 'GET',
    path: many,
    summary: 'List rounds',
    needs: 'round.read',
    ...shared,
    topics: ['round'],
    query: RoundFilters.extend(paged(roundOrds)),
    ok: pageOf(RoundRow).extend(withOptionalTotals),
    fails: ['PeriodReversed'],
  }),
  getRound: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a round with its stops',
    needs: 'round.read',
    ...shared,
    topics: ['round', 'machine'],
    ok: Round,
    fails: ['RoundNotFound'],
  }),
  createRound: endpoint({
    method: 'POST',
    path: many,
    summary: 'Create a round; what to load is computed for each stop',
    needs: 'round.write',
    ...shared,
    body: NewRound,
    ok: Round,
    status: 201,
    fails: [
      'MerchantNotSelected',
      'MachineNotFound',
      'UserNotFound',
      'StockPlaceNotFound',
      'VanTaken',
      'RouteNotFound',
    ],
  }),
  updateRound: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Update a round; stops that are done stay',
    needs: 'round.write',
    ...shared,
    body: editOf(NewRound),
    ok: Round,
    fails: [
      'RoundNotFound',
      'MachineNotFound',
      'UserNotFound',
      'StockPlaceNotFound',
      'VanTaken',
      'RouteNotFound',
      'RoundClosed',
      'EditConflict',
    ],
  }),
  deleteRound: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a round without visits',
    needs: 'round.write',
    ...shared,
    fails: ['RoundNotFound', 'RoundInUse'],
  }),
  startRound: endpoint({
    method: 'PUT',
    path: `${one}/start`,
    summary: 'Start a planned round',
    needs: 'visit.write',
    ...shared,
    finds: ['roundId'],
    ok: Round,
    fails: ['RoundNotFound', 'RoundClosed'],
  }),
  finishRound: endpoint({
    method: 'PUT',
    path: `${one}/finish`,
    summary: 'End a round; its open stops are skipped',
    needs: 'visit.write',
    ...shared,
    finds: ['roundId'],
    ok: Round,
    fails: ['RoundNotFound', 'RoundClosed'],
  }),
  cancelRound: endpoint({
    method: 'PUT',
    path: `${one}/cancel`,
    summary: 'Cancel a round',
    needs: 'round.write',
    ...shared,
    finds: ['roundId'],
    ok: Round,
    fails: ['RoundNotFound', 'RoundClosed'],
  }),
  skipStop: endpoint({
    method: 'PUT',
    path: `${stop}/skip`,
    summary: 'Mark a stop as skipped, with the reason',
    needs: 'visit.write',
    ...shared,
    finds: ['roundId'],
    body: z.strictObject({ reason: SkipReason, note: Text.trim().min(1).max(500).nullable().default(null) }),
    ok: Round,
    fails: ['RoundNotFound', 'StopNotFound', 'StopAlreadyVisited', 'RoundClosed'],
  }),
  reopenStop: endpoint({
    method: 'PUT',
    path: `${stop}/reopen`,
    summary: 'Undo the skipping of a stop',
    needs: 'visit.write',
    ...shared,
    finds: ['roundId'],
    ok: Round,
    fails: ['RoundNotFound', 'StopNotFound', 'StopAlreadyVisited', 'RoundClosed'],
  }),
  listRoundLoads: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/round-loads',
    summary: 'List what to load for a round by stop and selection',
    needs: 'round.read',
    ...shared,
    topics: ['round'],
    query: LoadFilters.extend(paged(loadOrds)),
    ok: pageOf(RoundLoad).extend(withTotals),
    fails: ['RoundNotFound'],
  }),
  listRoundProducts: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/round-products',
    summary: 'List what to load for a round by product',
    needs: 'round.read',
    ...shared,
    topics: ['round'],
    query: LoadFilters.extend(paged(roundProductOrds)),
    ok: pageOf(RoundProduct).extend(withTotals),
    fails: ['RoundNotFound'],
  }),
  updateRoundLoads: endpoint({
    method: 'PUT',
    path: `${one}/loads`,
    summary: 'Change quantities to load',
    needs: 'round.write',
    ...shared,
    finds: ['roundId'],
    body: z.strictObject({ edits: z.array(LoadEdit).min(1).max(2000) }),
    ok: z.strictObject({ saved: z.int(), conflicts: z.array(LoadConflict) }),
    fails: ['RoundNotFound', 'StopNotFound', 'RoundClosed'],
  }),
  computeRoundLoads: endpoint({
    method: 'POST',
    path: `${one}/loads/compute`,
    summary: 'Update the quantities of open stops to present levels, except quantities that users changed',
    needs: 'round.write',
    ...shared,
    finds: ['roundId'],
    ok: Round,
    fails: ['RoundNotFound', 'RoundClosed'],
  }),
  getRoundPdf: endpoint({
    method: 'GET',
    path: `${one}/pdf`,
    summary: 'Get a round with its pick list as PDF',
    needs: 'round.read',
    ...shared,
    finds: ['roundId'],
    /** The language of its words; the reader's own by default. */
    query: z.strictObject({ language: Language.optional() }),
    produces: 'application/pdf',
    fails: ['RoundNotFound'],
  }),
}

/** Their quantities are in the two lists below. */
export const exportedRounds = {
  row: rounds.listRounds,
  filters: RoundFilters,
  ords: roundOrds,
  columns: roundColumns,
} as const satisfies ExportedList

/** The list as a file. */
export const exportedRoundLoads = {
  row: rounds.listRoundLoads,
  filters: LoadFilters,
  ords: loadOrds,
  columns: loadColumns,
} as const satisfies ExportedList

/** The list as a file. */
export const exportedRoundProducts = {
  row: rounds.listRoundProducts,
  filters: LoadFilters,
  ords: roundProductOrds,
  columns: roundProductColumns,
} as const satisfies ExportedList
