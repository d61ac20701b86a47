import { Collection, type CollectionDetail, type cashCollections } from '#contract/cash/collection.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import type { CollectionSource } from '#contract/vocabulary/cash.ts'
import { denominationsOf } from '#contract/vocabulary/world/denominations.ts'
import { type Edit, type Frozen, holdCollection, writeCollection } from '#database/cash/collection-edit.ts'
import {
  type CollectionRow,
  cashInBoxes,
  figuresNow,
  findCollections,
  listCollections,
  sourcesOf,
} from '#database/cash/collection-list.ts'
import { piecesOf } from '#database/cash/collection-pieces.ts'
import { countsBlind, seesBoxes } from '#database/frame/sights/blind-count.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { countSightOf } from '#domain/cash/blind-count.ts'
import {
  differenceOf,
  isWithin,
  linesOf,
  orderly,
  refusalOf,
  samePieces,
  totalOf,
} from '#domain/cash/collection-count.ts'
import { comparedWith, sideOf } from '#domain/cash/collection-total.ts'
import { refuseOvertaken } from '#server/http/editable.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { seesInvisible } from '#server/http/redact-names.ts'
import { refuseReversed } from '#server/http/refuse.ts'
import { posOf, wireOf } from '#server/http/wire.ts'
import { sendReceipt } from './collection-receipt.ts'
import { refuseField } from './refuse-field.ts'

const present = (row: CollectionRow): Collection =>
  wireOf(Collection, row, {
    ...posOf(row),
    counted: row.counted_total,
    blindCounted: row.blind_total,
    difference: differenceOf(row.counted_total, row.expected),
  })

type Call = Pick<TenantCall, 'db' | 'user'>

/** `isKnowing`: with the figures that readers do not see before the count, for rules. */
async function rowOf({ db, user }: Call, id: string, isKnowing = false): Promise<CollectionRow> {
  const row = (await findCollections(db, [id], seesInvisible(user), isKnowing)).get(id)
  if (!row) throw new ProductError('CollectionNotFound')
  return row
}

/** Both sides with the parts of their totals: of a closed collection the sides of its closing, of a withheld one none. */
async function sidesOf(db: TenantCall['db'], row: CollectionRow) {
  if (row.is_withheld) return { audited: sideOf(null, []), transmitted: sideOf(null, []), pieces: null }
  const { audited, transmitted } = row.frozen
    ? { audited: row.frozen.audited.pieces, transmitted: row.frozen.transmitted }
    : await piecesOf(db, row)
  const sides = { audited: sideOf(row.audited, audited), transmitted: sideOf(row.transmitted, transmitted.pieces) }
  const hasPieces = sides.transmitted.pieces.length > 0
  const at = transmitted.at ?? null
  return { ...sides, pieces: hasPieces && transmitted.from ? { from: transmitted.from, at } : null }
}

/** What late data would change of a closed collection. */
async function lateOf({ db }: Call, row: CollectionRow): Promise<CollectionDetail['late']> {
  const now = row.frozen && (await figuresNow(db, row.id))
  const isSame = !now || (now.audited === row.audited && now.transmitted === row.transmitted)
  return isSame ? null : { audited: now.audited, transmitted: now.transmitted }
}

/** A collection with its denominations, reports and dispute. */
export async function detailOf(call: Call, id: string): Promise<CollectionDetail> {
  const row = await rowOf(call, id)
  const sides = await sidesOf(call.db, row)
  const sources = await sourcesOf(call.db, id, seesInvisible(call.user))
  return {
    ...present(row),
    lines: linesOf(denominationsOf(row.currency), {
      audited: sides.audited.pieces,
      transmitted: sides.transmitted.pieces,
      counted: row.counted,
    }),
    rest: { audited: sides.audited.rest, transmitted: sides.transmitted.rest },
    transmittedPieces: sides.pieces && {
      from: sides.pieces.from,
      at: sides.pieces.at === null ? null : toWire(new Date(sides.pieces.at)),
    },
    comparedWith: comparedWith({
      audited: row.audited,
      isAuditExact: row.is_audit_exact,
      transmitted: row.transmitted,
    }),
    sources: sources.map(({ source, source_id, at, by }) => ({
      source: source as CollectionSource,
      id: source_id,
      at: toWire(at),
      by,
    })),
    disputedAt: toWireOrNull(row.disputed_at),
    disputedBy: row.disputed_by,
    disputeReason: row.dispute_reason,
    late: await lateOf(call, row),
  }
}

/** The steps as the change log names them, each with its rule. */
const steps = {
  'collection.count': 'count',
  'collection.setBag': 'count',
  'collection.dispute': 'dispute',
  'collection.close': 'close',
  'collection.reopen': 'reopen',
} as const satisfies Record<string, Parameters<typeof refusalOf>[0]>
type StepCall<Body> = TenantCall & { params: { collectionId: string }; body: Body & { version: number } }
interface Steps {
  /** The content is stored already: only the answer of an earlier call got lost. */
  isDone: (row: CollectionRow) => boolean
  edit: (row: CollectionRow) => Edit | Promise<Edit>
  /** For the change log. */
  before?: (row: CollectionRow) => object
  after: object | ((edit: Edit) => object)
}

/** A step of a user: holds the collection, refuses it if another user was faster or the state does not allow it, writes and logs. */
async function take<Body>(
  call: StepCall<Body>,
  action: keyof typeof steps,
  { isDone, edit, ...logged }: Steps,
): Promise<CollectionDetail> {
  const { db, user, now, live, body } = call
  const id = call.params.collectionId
  if (!(await holdCollection(db, id))) throw new ProductError('CollectionNotFound')
  const row = await rowOf(call, id, true)
  if (isDone(row)) return detailOf(call, id)
  if (row.version !== body.version) return refuseOvertaken(call, 'collection', id, await detailOf(call, id))
  const refusal = refusalOf(steps[action], row.status)
  if (refusal) throw new ProductError(refusal)
  const edited = await edit(row)
  await writeCollection(db, row, edited)
  const after = typeof logged.after === 'function' ? logged.after(edited) : logged.after
  const changed = { before: logged.before?.(row), after: { posId: row.machine_id, ...after } }
  const subject = { subjectType: 'collection', subjectId: id, ...changed }
  await recordChange(db, { merchantId: row.merchant_id, at: now, user, action, ...subject })
  db.afterCommit(() => live.announce(row.merchant_id, 'collection', row.machine_id))
  return detailOf(call, id)
}

/** The figures of a collection that is closed now. */
async function frozenOf({ db }: Call, row: CollectionRow): Promise<Frozen> {
  const { audited, transmitted } = await piecesOf(db, row)
  return {
    previousAt: row.previous_at,
    audited: { total: row.audited, pieces: audited, isExact: row.is_audit_exact },
    transmitted: { total: row.transmitted, basis: row.transmitted_basis, ...transmitted },
  }
}

/** Refuses to close a difference without a dispute. */
function refuseDifference(difference: number | null, tolerance: number): void {
  if (!isWithin(difference, tolerance)) throw new ProductError('DifferenceTooLarge', { difference, tolerance })
}

const countedIn = ({ counted, status }: CollectionRow) => ({ pieces: counted ?? [], status })

export const cashCollectionHandlers: Handlers<typeof cashCollections> = {
  listCashCollections: async ({ db, query, user }) => {
    refuseReversed(query)
    const { rows, ...page } = await listCollections(db, query, seesInvisible(user))
    const totals = page.sums.map(({ currency, counted }) => ({ currency, values: { counted } }))
    return { ...page, items: rows.map(present), totals, inBoxes: await cashInBoxes(db) }
  },

  getCashCollection: (call) => detailOf(call, call.params.collectionId),

  countCashCollection: (call) => {
    const { body, db, now: at, user } = call
    const pieces = orderly(body.pieces)
    const total = totalOf(pieces)
    /** A refusal would reveal the difference, so a blind count beyond the tolerance stays counted. */
    const closes = ({ merchant_id, expected, settings_tolerance }: CollectionRow) =>
      body.close && (!countsBlind(db, merchant_id) || isWithin(differenceOf(total, expected), settings_tolerance))
    return take(call, 'collection.count', {
      isDone: (row) =>
        row.counted !== null &&
        samePieces(row.counted, pieces) &&
        (closes(row) ? row.status === 'closed' : row.status !== 'closed'),
      edit: async (row) => {
        const knownValues = new Set(denominationsOf(row.currency).map(({ value }) => value))
        if (pieces.some(({ value }) => !knownValues.has(value))) refuseField('pieces', 'choice')
        const tolerance = row.settings_tolerance
        const isClosed = closes(row)
        if (isClosed) refuseDifference(differenceOf(total, row.expected), tolerance)
        const close = isClosed ? { at, user, note: null, frozen: await frozenOf(call, row) } : undefined
        const sight = countSightOf(row.status, {
          isBlind: countsBlind(db, row.merchant_id),
          seesBoxes: seesBoxes(db, row.merchant_id),
        })
        const status = isClosed ? 'closed' : 'counted'
        return { status, count: { at, user, pieces, total, tolerance, sight }, ...(close && { close }) }
      },
      before: countedIn,
      after: (edit) => ({ pieces, status: edit.status, ...(edit.count?.sight && { sight: edit.count.sight }) }),
    })
  },

  setCashCollectionBag: (call) => {
    const { bagNumber } = call.body
    return take(call, 'collection.setBag', {
      isDone: (row) => row.bag_number === bagNumber,
      edit: () => ({ bagNumber }),
      before: (row) => ({ bagNumber: row.bag_number }),
      after: { bagNumber },
    })
  },

  disputeCashCollection: (call) => {
    const { reason } = call.body
    return take(call, 'collection.dispute', {
      isDone: (row) => row.status === 'disputed' && row.dispute_reason === reason,
      edit: () => ({ status: 'disputed', dispute: { at: call.now, user: call.user, reason } }),
      before: ({ status }) => ({ status }),
      after: { status: 'disputed', reason },
    })
  },

  closeCashCollection: (call) => {
    const note = call.body.note || null
    return take(call, 'collection.close', {
      isDone: (row) => row.status === 'closed' && row.note === note,
      edit: async (row) => {
        if (row.status === 'disputed' && note === null) refuseField('note', 'required')
        if (row.status !== 'disputed') refuseDifference(differenceOf(row.counted_total, row.expected), row.tolerance)
        return { status: 'closed', close: { at: call.now, user: call.user, note, frozen: await frozenOf(call, row) } }
      },
      before: ({ status }) => ({ status }),
      after: { status: 'closed', note },
    })
  },

  reopenCashCollection: (call) =>
    take(call, 'collection.reopen', {
      isDone: () => false,
      edit: () => ({ status: 'counted', close: null }),
      before: ({ status, note }) => ({ status, note }),
      after: { status: 'counted', reason: call.body.reason },
    }),

  getCashCollectionReceipt: async (call) => sendReceipt(call, await detailOf(call, call.params.collectionId)),
}
