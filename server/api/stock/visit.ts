import { createHash } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { saying } from '#contract/frame/broken.ts'
import { fileFault, fileRules } from '#contract/frame/file-rules.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { RoundStatus } from '#contract/stock/round-status.ts'
import { type NewVisit, Visit, type visits } from '#contract/stock/visit.ts'
import type { StockCounter } from '#contract/vocabulary/stock.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { openCollection } from '#database/cash/collection.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { type Journal, lockJournals } from '#database/ingest/journal.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { fillsOf } from '#database/stock/fill.ts'
import { heldBefore } from '#database/stock/held.ts'
import { bookHandling } from '#database/stock/refill.ts'
import { holdRound, setRoundStatus } from '#database/stock/round.ts'
import { holdStop, stopForVisit } from '#database/stock/round-stop.ts'
import {
  closeByVisit,
  costOfVisit,
  findVisit,
  findVisitPicture,
  insertVisit,
  isVisitIdTaken,
  pieceCosts,
  plannedLoads,
  stopOfVisit,
  type VisitRecord,
} from '#database/stock/visit.ts'
import { factsOf } from '#domain/frame/file-kind.ts'
import { isDue, piecesToLoad } from '#domain/stock/round.ts'
import { bySelection } from '#domain/stock/stock.ts'
import { faultsOfVisit, isTooLate, visitTime } from '#domain/stock/visit.ts'
import { dayIn } from '#domain/time/period.ts'
import { inVanOf } from '#domain/warehouse/picking.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { machineOf, refuseFault } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'
import { bookVisitPieces, vanOfVisit } from '#server/warehouse/visit-pieces.ts'

type Call = TenantCall & { params: { posId: string } }

/** Refuses fields, each with its sentence. */
const refuseField = (path: string, name: Parameters<typeof saying>[0]): never => {
  const { message } = saying(name)
  throw new ProductError('ValidationFailed', { errors: [{ path, code: 'custom', message, rule: message }] })
}

async function shownVisit(call: Pick<TenantCall, 'db' | 'user'>, visit: VisitRecord) {
  const [named] = await withShownNames(call, [visit], 'user_id', 'user_name')
  return wireOf(Visit, visit, {
    posId: visit.machine_id,
    by: named?.user_name ?? null,
    // Costs are for users who see products; a visit is everyone's.
    lines: visit.lines
      .toSorted((one, other) => bySelection(one.selection, other.selection))
      .map(({ unit_cost: _, ...line }) => line),
    hasPicture: visit.has_picture,
  })
}

/** The bytes of a picture; only JPEG, as phones take it. */
function pictureIn(encoded: string | null): Buffer | null {
  if (encoded === null) return null
  const bytes = Buffer.from(encoded, 'base64')
  const fault = fileFault(fileRules.visitPicture, factsOf(bytes, bytes.length))
  return fault ? refuseFault('picture', fault) : bytes
}

/** What identifies the content of a visit; the same id with another content is another visit. */
const digestOf = ({ again: _, ...visit }: NewVisit) =>
  createHash('sha256').update(JSON.stringify(visit)).digest('base64url')

/** A stop of this machine with its round, both locked; undefined if it was removed, is another machine's, or of a round on a later day. */
async function heldStopOf({ db, params }: Call, merchantId: string, stopId: string, today: string) {
  const named = await stopOfVisit(db, stopId)
  const round = named && (await holdRound(db, named.roundId))
  const stop = round && (await holdStop(db, round, stopId))
  if (!stop || stop.machine_id !== params.posId || stop.merchant_id !== merchantId) return undefined
  return isDue({ ...round, status: round.status as RoundStatus }, today) ? { round, stop } : undefined
}

/**
 * The stop that a visit closes, its round locked before it. A stop that was removed from its round meanwhile is replaced by the machine's
 * open stop. None outside of rounds, or for another visit to a stop that is done.
 */
async function stopToClose(call: Call, merchantId: string, body: NewVisit, today: string) {
  const { db, user, params } = call
  const named = body.stopId ? await heldStopOf(call, merchantId, body.stopId, today) : undefined
  const open = named || body.again ? undefined : (await stopForVisit(db, params.posId, user.id, today))?.id
  const held = named ?? (open && (await heldStopOf(call, merchantId, open, today)))
  if (!held) return undefined
  const { round, stop } = held
  // The machine may have said it first: then the visit explains what was done.
  const isVisited = stop.status === 'done' && stop.visit_id !== null
  if (isVisited && !body.again)
    throw new ProductError('StopAlreadyVisited', {
      closedAt: toWireOrNull(stop.closed_at),
      closedBy: stop.closed_by_name,
    })
  return { round, stop, isVisited }
}

const withoutVan = ({ vanId: _, ...stop }: NonNullable<Awaited<ReturnType<typeof stopOfVisit>>>) => stop

async function planOf({ db, params, user, now }: Call) {
  const machine = await machineOf(db, params.posId)
  const today = dayIn(now, machine.time_zone)
  const open = await stopForVisit(db, machine.id, user.id, today)
  const named = open && (await stopOfVisit(db, open.id))
  const stop = named && withoutVan(named)
  const loads = stop ? await plannedLoads(db, stop.id) : undefined
  const fills = await fillsOf(db, [machine.id])
  const inVan = await vanOfVisit(db, machine.merchant_id, named?.vanId ?? null, user.id, fills)
  return {
    posId: machine.id,
    posName: machine.name,
    posSerial: machine.serial,
    merchantId: machine.merchant_id,
    address: machine.address,
    currency: machine.currency as Currency,
    timeZone: machine.time_zone,
    cashInBox: machine.cash_in_box,
    cashBoxCapacity: machine.cash_box_capacity,
    countedBy: machine.manage_stock ? (machine.stock_counted_by as StockCounter) : null,
    stop: stop ?? null,
    selections: fills.map((fill) => ({
      selection: fill.selection,
      product: fill.product,
      productId: fill.productId,
      level: fill.level,
      capacity: fill.capacity,
      planned: loads?.get(fill.selection) ?? (loads ? 0 : piecesToLoad({ ...fill, soldUntil: 0 })),
      inVan: inVan && fill.productId ? inVanOf(inVan(fill.productId), today) : null,
    })),
    serverTime: toWire(now),
  }
}

/** The lines of a visit with what a piece of their products cost on its day. */
async function withCosts<Line extends { selection: string }>(
  db: TenantDb,
  { merchantId, day }: { merchantId: string; day: string },
  lines: readonly Line[],
  fills: readonly { selection: string; productId: string | null }[],
) {
  const productOf = new Map(fills.map(({ selection, productId }) => [selection, productId]))
  const productIds = new Set(lines.flatMap(({ selection }) => productOf.get(selection) ?? []))
  const costs = await pieceCosts(db, merchantId, [...productIds], day)
  return lines.map((line) => {
    const productId = productOf.get(line.selection) ?? null
    return { ...line, unit_cost: productId === null ? null : (costs.get(productId) ?? null) }
  })
}

/** What a visit changes besides its own rows: stock, the cash box, the stop and its round. */
async function book(db: TenantDb, visit: VisitRecord, journal: Journal, user: { id: string; name: string }, now: Date) {
  const { merchant_id: merchantId, machine_id: machineId, at, id: visitId } = visit
  // Of other machines the visit alone says what was loaded: their next report says what is in them.
  const lines = journal.managesStock ? visit.lines : []
  const { unknown, alarmed } = await bookHandling(db, { ...journal, machineId }, lines, { at, visitId, user }, now)
  if (unknown.length > 0) {
    const at = visit.lines.findIndex(({ selection }) => unknown.some((one) => one.selection === selection))
    refuseField(`lines.${at}.selection`, 'choice')
  }
  if (!visit.cash_taken) return alarmed.length > 0
  await openCollection(db, {
    merchantId,
    machineId,
    at,
    source: 'visit',
    sourceId: visitId,
    ...(visit.bag_number !== null && { bagNumber: visit.bag_number }),
    user,
  })
  return alarmed.length > 0
}

/** Visits at machines, often sent long after they happened. */
export const visitHandlers: Handlers<typeof visits> = {
  getVisitPlan: planOf,

  createVisit: async (call) => {
    const { db, params, body, user: principal, now, live } = call
    const user = { id: principal.id, name: principal.name }
    const machine = await machineOf(db, params.posId)
    const merchantId = machine.merchant_id
    // All writers of a machine's stock lock its journal first. A deleted machine has none.
    const journals = await lockJournals(db, [{ merchantId, id: machine.id }])
    const journal = journals.get(machine.id)
    if (!journal) throw new ProductError('MachineNotFound')
    const digest = digestOf(body)
    const before = await findVisit(db, machine.id, body.id)
    if (before?.digest === digest && before.user_id === user.id) return shownVisit(call, before)
    if (before || (await isVisitIdTaken(db, merchantId, body.id))) throw new ProductError('VisitIdTaken')
    const at = visitTime(new Date(/Z|[+-]\d\d:?\d\d$/.test(body.at) ? body.at : `${body.at}Z`), now)
    if (isTooLate(at, now)) refuseField('at', 'instant')
    const picture = pictureIn(body.picture)
    const day = dayIn(at, machine.time_zone)
    const closing = await stopToClose(call, merchantId, body, day)
    const held = machine.manage_stock ? await heldBefore(db, machine.id, at) : undefined
    const fills = await fillsOf(db, [machine.id])
    const selections = fills.map(({ selection, capacity }) => ({
      selection,
      // Of other machines the portal knows no level at the time of the visit.
      ...(held?.get(selection) ?? { capacity, level: null }),
    }))
    const errors = faultsOfVisit(body.lines, selections)
    if (errors.length > 0) throw new ProductError('ValidationFailed', { errors })
    const row = {
      merchant_id: merchantId,
      id: body.id,
      machine_id: machine.id,
      round_id: closing?.round.id ?? null,
      stop_id: closing?.stop.id ?? null,
      at,
      received_at: now,
      user_id: user.id,
      user_name: user.name,
      cash_taken: body.cashTaken,
      bag_number: body.cashTaken ? body.bagNumber : null,
      note: body.note,
      digest,
      cost: await costOfVisit(db, merchantId),
    }
    const handled = body.lines.filter(
      ({ planned, loaded, waste, counted }) => planned + loaded + waste > 0 || counted !== null,
    )
    const lines = await withCosts(db, { merchantId, day }, handled, fills)
    await insertVisit(db, row, lines, picture)
    const visit = { ...row, lines, has_picture: picture !== null }
    const isAlarmChanged = await book(db, visit, journal, user, now)
    await bookVisitPieces(call, { ...visit, van_id: closing?.round.van_id ?? null, day })
    if (closing && !closing.isVisited) {
      await closeByVisit(db, closing.stop, { visitId: visit.id, at, user })
      // The first visit starts a planned round. A late visit never reopens a round.
      if (closing.round.status === 'planned') await setRoundStatus(db, closing.round, 'underway', at)
    }
    const presented = await shownVisit(call, visit)
    await recordChange(db, {
      merchantId,
      at: now,
      user: principal,
      action: 'visit.create',
      subjectType: 'visit',
      subjectId: visit.id,
      after: { ...presented, posName: machine.name },
    })
    db.afterCommit(() => {
      live.announce(merchantId, 'round')
      if (visit.cash_taken) live.announce(merchantId, 'collection', machine.id)
      if (isAlarmChanged) live.announce(merchantId, 'alarm', machine.id)
      live.announce(merchantId, 'stock', machine.id)
      live.announce(merchantId, 'machine', machine.id)
    })
    return presented
  },

  getVisit: async (call) => {
    const visit = await findVisit(call.db, call.params.posId, call.params.visitId)
    if (!visit) throw new ProductError('VisitNotFound')
    return shownVisit(call, visit)
  },

  getVisitPicture: async ({ db, params, reply }) => {
    const picture = await findVisitPicture(db, params.posId, params.visitId)
    if (!picture) throw new ProductError('VisitNotFound')
    reply.type('image/jpeg').header('cache-control', 'private, max-age=86400').send(picture.bytes)
  },
}
