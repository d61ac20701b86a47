import type { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { saying } from '#contract/frame/broken.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import {
  type LoadEdit,
  NewRound,
  Round,
  RoundRow,
  RoundStop,
  type rounds,
  type StopVisit,
} from '#contract/stock/round.ts'
import { skipReasons } from '#contract/stock/round-status.ts'
import type { changeActions } from '#contract/vocabulary/change.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { among } from '#database/frame/conditions.ts'
import { withinScope } from '#database/frame/tenant.ts'
import { assignableUsers } from '#database/people/assignable-user.ts'
import { recordChange } from '#database/platform/change-log.ts'
import {
  findRound,
  holdRound,
  type RoundRecord,
  roundList,
  type StopRecord,
  setRoundStatus,
} from '#database/stock/round.ts'
import { computeLoads, editLoads, fittingPieces } from '#database/stock/round-load.ts'
import { holdStop, reopenStop, skipStops, writeStops } from '#database/stock/round-stop.ts'
import { holdRoutes } from '#database/stock/week/rounds.ts'
import { holdVan, otherRoundOfVan } from '#database/warehouse/stock-place.ts'
import { isClosed } from '#domain/stock/round.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { nameOfAssignee } from '#server/people/assignee.ts'
import { loadsUntil, stopFactsOf, worthVisit } from './candidates.ts'
import { loadHandlers } from './round-load.ts'
import { sendRoundPdf } from './round-pdf.ts'

/** What is stored of a round: also the name of its driver, because users are in local tables. */
const StoredRound = NewRound.extend({ assigneeName: RoundRow.shape.assigneeName })
type StoredRound = z.output<typeof StoredRound>

const presentVisit = (stop: StopRecord): StopVisit | null =>
  stop.visit_id === null || stop.visit_at === null
    ? null
    : {
        id: stop.visit_id,
        at: toWire(stop.visit_at),
        by: stop.visit_by_name,
        loaded: stop.loaded,
        waste: stop.waste,
        cashTaken: stop.cash_taken ?? false,
        bagNumber: stop.bag_number,
        note: stop.visit_note,
        hasPicture: stop.has_picture,
      }

const presentStop = (stop: StopRecord): RoundStop =>
  wireOf(RoundStop, stop, { posId: stop.machine_id, visit: presentVisit(stop) })

/** The route of a round; none when it is deleted. */
const presentRoute = ({ route_id, route_name }: Pick<RoundRecord, 'route_id' | 'route_name'>) =>
  route_name === null ? null : route_id

/** A round for this reader: without names of users who are hidden from merchants. */
async function presentRound(
  round: RoundRecord,
  call: Pick<TenantCall, 'db' | 'user'>,
): Promise<z.output<typeof Round>> {
  const closed = await withShownNames(call, round.stop_list, 'closed_by_id', 'closed_by_name')
  const named = await withShownNames(call, closed, 'visit_by', 'visit_by_name')
  return wireOf(Round, round, {
    routeId: presentRoute(round),
    posIds: round.pos_ids,
    stopList: named.map((stop) => presentStop(stop as StopRecord)),
  })
}

export const roundRecord = editable({
  noun: 'round',
  rows: { ...roundList, find: findRound },
  fields: StoredRound,
  stored: (round: StoredRound) => round,
  // Stops are written with the reasons for them, after the round.
  storedApart: { posIds: async () => {} },
  present: (round, call) => presentRound(round, call as TenantCall),
  presentRow: (row: Awaited<ReturnType<typeof roundList.list>>['rows'][number]) =>
    wireOf(RoundRow, row, { routeId: presentRoute(row) }),
  blockedBy: async (_, round) => {
    const visited = round.stop_list.filter(({ visit_id }) => visit_id !== null).length
    return visited > 0 ? { stops: visited } : undefined
  },
})

/**
 * Refuses a van that is none of the merchant, or that another driver has on that day. The van is locked, so that two rounds do not get it at
 * the same time.
 */
async function refuseVan(
  { db }: Pick<TenantCall, 'db'>,
  merchantId: string,
  { vanId, day, assigneeId }: Pick<NewRound, 'vanId' | 'day' | 'assigneeId'>,
  roundId: string | null = null,
) {
  if (vanId === null) return
  if (!(await holdVan(db, merchantId, vanId))) throw new ProductError('StockPlaceNotFound')
  const other = await otherRoundOfVan(db, merchantId, { vanId, day, assigneeId, roundId })
  if (other) throw new ProductError('VanTaken', { roundId: other.id, round: other.name, driver: other.assigneeName })
}

/** Refuses a route that is none of the merchant. It is locked, so that a plan of the week meanwhile creates no second round of it. */
async function refuseRoute({ db }: Pick<TenantCall, 'db'>, merchantId: string, routeId: string | null) {
  if (routeId === null) return
  if ((await holdRoutes(db, merchantId, [routeId])).length === 0) throw new ProductError('RouteNotFound')
}

type OfRound = TenantCall & { params: { merchantId: string; roundId: string } }

/** Writes the stops of a round and what to load at new ones. */
async function planStops(call: TenantCall, round: RoundRecord, posIds: readonly string[]) {
  const { user, now } = call
  const db = withinScope(
    call.db,
    user.scope.filter(({ merchantId }) => merchantId === round.merchant_id),
  )
  const visibleMachines = await db
    .from('machines')
    .where(among('machines.id', posIds, 'uuid'))
    .select('machines.id')
    .execute()
  // Within reach under all merchants, but of another one.
  if (posIds.length > 0 && visibleMachines.length < posIds.length) throw new ProductError('MachineNotFound')
  const isKnown = posIds.every((id) => round.pos_ids.includes(id))
  const asOf = { day: round.day, timeZone: round.time_zone, now }
  const added = await writeStops(db, round, posIds, isKnown ? new Map() : await stopFactsOf(db, posIds, asOf))
  await computeLoads(db, round.merchant_id, added, loadsUntil(round.day, round.time_zone, now))
}

/** Creates a round with its stops and what to load at them; its id. The caller has found its technician. */
export async function createRound(call: TenantCall, merchantId: string, order: StoredRound): Promise<string> {
  const { id } = await roundRecord.create(call, merchantId, order)
  await planStops(call, await roundRecord.of(call.db, id), order.posIds)
  return id
}

/** A round, locked. */
async function lockedRound({ db, params }: OfRound) {
  const round = await holdRound(db, params.roundId)
  if (!round) throw new ProductError('RoundNotFound')
  return round
}

/** A round that is still open, locked. */
async function heldRound(call: OfRound) {
  const round = await lockedRound(call)
  if (isClosed(round.status)) throw new ProductError('RoundClosed')
  return round
}

type Action = (typeof changeActions)[number]

/** Logs and announces what happened to a round, and answers with it. */
async function changed(call: OfRound, round: { merchant_id: string; id: string }, action: Action, after?: object) {
  const { db, user, now, live } = call
  const subject = { subjectType: 'round' as const, subjectId: round.id, ...(after && { after }) }
  await recordChange(db, { merchantId: round.merchant_id, at: now, user, action, ...subject })
  db.afterCommit(() => live.announce(round.merchant_id, 'round'))
  return shownRound(call, round.id)
}

/** Refuses more pieces than fit at the visit, each at its field. A load that was computed before may stay or become less. */
async function refuseOverfull({ db, now }: OfRound, round: RoundRecord, edits: readonly LoadEdit[]) {
  const edited = new Set(edits.map(({ stopId }) => stopId))
  const stops = round.stop_list.filter(({ id }) => edited.has(id))
  const fits = await fittingPieces(
    db,
    stops.map(({ id, machine_id }) => ({ id, machineId: machine_id })),
    loadsUntil(round.day, round.time_zone, now),
  )
  const errors = edits.flatMap(({ stopId, selection, quantity, before }, at) => {
    const most = fits(stopId, selection)
    if (most === null || quantity <= most || quantity <= before) return []
    const { message } = saying('maximum')
    return [{ path: `edits.${at}.quantity`, code: 'custom', message, rule: message, values: { maxValue: most } }]
  })
  if (errors.length > 0) throw new ProductError('ValidationFailed', { errors })
}

const shownRound = async (call: TenantCall, id: string) => presentRound(await roundRecord.of(call.db, id), call)

/** A stop of an open round, both locked. */
async function heldStop(call: OfRound & { params: { stopId: string } }) {
  const round = await heldRound(call)
  const stop = await holdStop(call.db, round, call.params.stopId)
  if (!stop) throw new ProductError('StopNotFound')
  if (stop.status === 'done')
    throw new ProductError('StopAlreadyVisited', {
      closedAt: toWireOrNull(stop.closed_at),
      closedBy: stop.closed_by_name,
    })
  return { round, stop }
}

/** Whether a user has skipped a stop; the end of a round skips stops too, without a reason of a user. */
const isSkippedByUser = ({ status, skip_reason }: { status: string; skip_reason: string | null }) =>
  status === 'skipped' && skipReasons.some((reason) => reason === skip_reason)

/** Rounds: planned by the office, driven by technicians. */
export const roundHandlers: Handlers<typeof rounds> = {
  ...roundRecord.handlers,
  ...loadHandlers,
  getRoundPdf: sendRoundPdf,

  listVisitCandidates: async ({ db, query, now }) => {
    if (db.scope.length !== 1) throw new ProductError('MerchantNotSelected')
    const merchant = await db.from('merchants').select(['time_zone', 'currency']).executeTakeFirstOrThrow()
    const timeZone = merchant.time_zone
    const page = await worthVisit(db, { day: query.day, timeZone, now }, query)
    return { currency: merchant.currency as Currency, timeZone, ...page }
  },

  listRoundAssignees: ({ doors, db }) =>
    assignableUsers(
      doors,
      db.scope.map(({ merchantId }) => merchantId),
    ),

  listRounds: async (call) => {
    refuseReversed(call.query)
    return roundRecord.list(call, call.query)
  },

  createRound: async (call) => {
    const assigneeName = await nameOfAssignee(call, call.body.assigneeId)
    await refuseVan(call, call.params.merchantId, call.body)
    await refuseRoute(call, call.params.merchantId, call.body.routeId)
    return shownRound(call, await createRound(call, call.params.merchantId, { ...call.body, assigneeName }))
  },

  updateRound: async (call) => {
    const { posIds, version } = call.body
    const assigneeName = await nameOfAssignee(call, call.body.assigneeId)
    const held = await heldRound(call)
    const before = await roundRecord.of(call.db, held.id)
    await refuseVan(call, held.merchant_id, call.body, held.id)
    await refuseRoute(call, held.merchant_id, call.body.routeId)
    const after = await roundRecord.update(call, held.id, { ...call.body, assigneeName })
    // The same content again, or only other fields.
    if (version !== before.version || before.pos_ids.join() === posIds.join()) return after
    await planStops(call, before, posIds)
    return shownRound(call, held.id)
  },

  startRound: async (call) => {
    const round = await heldRound(call)
    if (round.status === 'underway') return shownRound(call, round.id)
    await setRoundStatus(call.db, round, 'underway', call.now)
    return changed(call, round, 'round.start')
  },

  finishRound: async (call) => {
    const { db, user, now } = call
    const round = await lockedRound(call)
    // A phone that got no answer says it again.
    if (round.status === 'done') return shownRound(call, round.id)
    if (isClosed(round.status)) throw new ProductError('RoundClosed')
    await skipStops(db, round, { reason: 'roundFinished', note: null, by: user, at: now })
    await setRoundStatus(db, round, 'done', now)
    return changed(call, round, 'round.finish')
  },

  cancelRound: async (call) => {
    const round = await heldRound(call)
    await setRoundStatus(call.db, round, 'cancelled', call.now)
    return changed(call, round, 'round.cancel')
  },

  skipStop: async (call) => {
    const { db, user, now, body, params } = call
    const locked = await lockedRound(call)
    const before = await holdStop(db, locked, params.stopId)
    // Two phones, or a phone that got no answer and says it again, also after the end of the round.
    if (before && isSkippedByUser(before)) return shownRound(call, locked.id)
    const { round, stop } = await heldStop(call)
    await skipStops(db, round, { stopId: stop.id, reason: body.reason, note: body.note, by: user, at: now })
    return changed(call, round, 'round.skipStop', { posId: stop.machine_id, reason: body.reason, note: body.note })
  },

  reopenStop: async (call) => {
    const { round, stop } = await heldStop(call)
    await reopenStop(call.db, stop)
    return changed(call, round, 'round.reopenStop', { posId: stop.machine_id })
  },

  updateRoundLoads: async (call) => {
    const round = await heldRound(call)
    await refuseOverfull(call, await roundRecord.of(call.db, round.id), call.body.edits)
    const result = await editLoads(call.db, round, call.body.edits)
    if (result.saved > 0) await changed(call, round, 'round.editLoads', { edits: call.body.edits })
    return result
  },

  computeRoundLoads: async (call) => {
    const { db, now } = call
    const round = await heldRound(call)
    const { stop_list, time_zone } = await roundRecord.of(db, round.id)
    const open = stop_list.filter(({ status, deleted_at }) => status === 'open' && deleted_at === null)
    await computeLoads(
      db,
      round.merchant_id,
      open.map(({ id, machine_id }) => ({ id, machineId: machine_id })),
      loadsUntil(round.day, time_zone, now),
    )
    return changed(call, round, 'round.editLoads', { computed: open.length })
  },
}
