import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { roleMay } from '#contract/access.ts'
import { ProductError } from '#contract/errors.ts'
import { toWireOrNull } from '#contract/frame/instant.ts'
import { mostViews, SavedView, type savedViews, type ViewChange } from '#contract/platform/saved-view.ts'
import { readTableState } from '#contract/platform/table-state.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { lastChanges, recordChange } from '#database/platform/change-log.ts'
import {
  countPrivateViews,
  countSharedViews,
  deletePrivateView,
  deleteSharedView,
  findPrivateView,
  findSharedView,
  insertPrivateView,
  insertSharedView,
  listPrivateViews,
  listSharedViews,
  moveView,
  updatePrivateView,
  updateSharedView,
  type ViewContent,
  type ViewRecord,
} from '#database/platform/saved-view.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { type ShownName, seesInvisible, withShownNames } from '#server/http/redact-names.ts'
import { wireOf } from '#server/http/wire.ts'

const subjectType = 'view'

/** Views of older versions are read as leniently as a table's state. */
function presentView(view: ShownName<ViewRecord, 'created_by_name'>, isShared: boolean, userId: string): SavedView {
  const { filter, sortOptions, headers } = readTableState({
    filter: view.filter,
    sortOptions: view.sort_options,
    headers: view.headers,
  })
  return wireOf(SavedView, view, {
    isShared,
    isMine: view.created_by === userId,
    createdBy: view.created_by_name,
    filter,
    sortOptions,
    headers: view.headers === null ? null : headers,
  })
}

const contentOf = ({ name, filter, sortOptions, headers }: Omit<ViewChange, 'version'>): ViewContent => ({
  name,
  filter,
  sort_options: sortOptions,
  headers,
})

const byName = (one: SavedView, other: SavedView) => one.name.localeCompare(other.name, 'en', { sensitivity: 'base' })

type On = TenantCall & { params: { merchantId: string } }

/** A view for its reader. */
async function presentForReader({ db, user }: On, view: ViewRecord, isShared: boolean): Promise<SavedView> {
  const isMine = view.created_by === user.id
  const [redacted = view] = await withShownNames({ db, user }, isMine ? [] : [view], 'created_by', 'created_by_name')
  return presentView(redacted, isShared, user.id)
}

/** The view of a path, and whether it is shared. Another user's private view answers as if it did not exist. */
async function viewOf({ db, doors, user, params }: On, viewId: string) {
  const privateView = await findPrivateView(doors, user.id, params.merchantId, viewId)
  const view = privateView ?? (await findSharedView(db, viewId))
  if (!view) throw new ProductError('ViewNotFound')
  return { view, isShared: !privateView, isMine: view.created_by === user.id }
}

async function refuseTooMany({ db, doors, user }: TenantCall, merchantId: string, isShared: boolean) {
  const viewCount = isShared ? countSharedViews(db, merchantId) : countPrivateViews(doors, user.id, merchantId)
  if ((await viewCount) >= mostViews) throw new ProductError('TooManyViews')
}

const refuseTaken = (written: unknown) => {
  if (written === 'taken') throw new ProductError('ViewNameTaken')
}

/** Refuses a change based on an older version, with the current view. A private view has a single editor. */
async function refuseOvertaken(call: On, viewId: string): Promise<never> {
  const { view, isShared } = await viewOf(call, viewId)
  const changes = isShared ? await lastChanges(call.db, subjectType, [view.id], seesInvisible(call.user)) : undefined
  const changed = changes?.get(view.id)
  throw new ProductError('EditConflict', {
    current: await presentForReader(call, view, isShared),
    changedAt: toWireOrNull(changed?.at ?? null),
    changedBy: changed?.by ?? null,
  })
}

const loggedOf = ({ version: _, ...view }: SavedView) => view

/** A shared view belongs to the merchant, whose log records the change. */
const logShared = (
  { db, user, now }: On,
  action: string,
  { before, after }: { before?: SavedView; after?: SavedView },
) => {
  const { merchantId, id } = (after ?? before) as SavedView
  const change = { before: before && loggedOf(before), after: after && loggedOf(after) }
  return recordChange(db, { merchantId, at: now, user, action, subjectType, subjectId: id, ...change })
}

export const savedViewHandlers: Handlers<typeof savedViews> = {
  listViews: async (call) => {
    const { db, doors, user, params, query } = call
    const [privateViews, shared] = await Promise.all([
      listPrivateViews(doors, user.id, params.merchantId),
      listSharedViews(db),
    ])
    const redacted = await withShownNames(call, shared, 'created_by', 'created_by_name')
    return [
      ...privateViews.map((view) => presentView(view, false, user.id)),
      ...redacted.map((view) => presentView(view, true, user.id)),
    ]
      .filter(({ tableId }) => query.tableId === undefined || tableId === query.tableId)
      .sort(byName)
  },

  createView: async (call) => {
    const { db, doors, user, params, body, now } = call
    if (body.isShared && params.merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
    await refuseTooMany(call, params.merchantId, body.isShared)
    const view = {
      ...contentOf(body),
      merchant_id: params.merchantId,
      id: randomUUIDv7(),
      table_id: body.tableId,
      created_by: user.id,
      created_by_name: user.name,
      version: 1,
      created_at: now,
    }
    const saved = presentView(view, body.isShared, user.id)
    refuseTaken(body.isShared ? await insertSharedView(db, view) : await insertPrivateView(doors, view))
    if (body.isShared) await logShared(call, 'view.create', { after: saved })
    return saved
  },

  updateView: async (call) => {
    const { db, doors, user, params, body, now } = call
    const { view, isShared, isMine } = await viewOf(call, params.viewId)
    // Unsharing makes a view private to its owner, so only the owner may do it.
    if (!isMine && !(body.isShared && roleMay(user.role, 'view.manage'))) throw new ProductError('Forbidden')
    const before = presentView(view, isShared, user.id)
    const content = contentOf(body)
    // The same content is stored already: a repeated save, or no change.
    if (isShared === body.isShared && isDeepStrictEqual(content, contentOf(before)))
      return presentForReader(call, view, isShared)
    if (body.version !== view.version) return refuseOvertaken(call, view.id)
    const write = async () => {
      if (isShared === body.isShared)
        return isShared ? updateSharedView(db, view, content) : updatePrivateView(doors, view, content)
      if (body.isShared && view.merchant_id === allMerchants) throw new ProductError('MerchantNotSelected')
      await refuseTooMany(call, view.merchant_id, body.isShared)
      return moveView(doors, { ...view, created_at: now }, content, body.isShared ? 'shared' : 'private')
    }
    const outcome = await write()
    refuseTaken(outcome)
    if (outcome === 'overtaken') return refuseOvertaken(call, view.id)
    const changed = { ...view, ...content, version: view.version + 1 }
    const after = presentView(changed, body.isShared, user.id)
    if (isShared || body.isShared) await logShared(call, 'view.update', { before, after })
    return presentForReader(call, changed, body.isShared)
  },

  deleteView: async (call) => {
    const { db, doors, user, params } = call
    const { view, isShared, isMine } = await viewOf(call, params.viewId)
    if (!isMine && !roleMay(user.role, 'view.manage')) throw new ProductError('Forbidden')
    if (!isShared) await deletePrivateView(doors, view)
    else {
      await deleteSharedView(db, view)
      await logShared(call, 'view.delete', { before: presentView(view, true, user.id) })
    }
    return undefined
  },
}
