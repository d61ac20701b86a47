import { z } from 'zod'
import { Version } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import { LineText } from '../frame/shapes.ts'
import { SortOptions, TableFilter, TableHeaders, TableId } from './table-state.ts'

/** Maximum views of one user at one merchant, and maximum shared views of a merchant. */
export const mostViews = 200

/** A named view of a table: its filters, its sort order and, unless null, its columns. */
export const SavedView = z.strictObject({
  id: z.uuid(),
  /** The merchant under which it was saved; "all merchants" has private views of its own. */
  merchantId: z.uuid(),
  tableId: TableId,
  name: z.string(),
  /** Visible to all users of the merchant. */
  isShared: z.boolean(),
  /** Saved by the caller. */
  isMine: z.boolean(),
  /** Null if the reader may not see the name. */
  createdBy: z.string().nullable(),
  version: Version,
  filter: TableFilter,
  sortOptions: SortOptions.nullable(),
  headers: TableHeaders.nullable(),
})
export type SavedView = z.infer<typeof SavedView>

export const ViewName = LineText.trim().min(1).max(60)

const content = {
  name: ViewName,
  isShared: z.boolean(),
  filter: TableFilter,
  sortOptions: SortOptions.nullable(),
  headers: TableHeaders.nullable(),
}

export const ViewChange = z.strictObject({ version: Version, ...content })
export type ViewChange = z.infer<typeof ViewChange>

export const NewView = z.strictObject({ tableId: TableId, ...content })
export type NewView = z.infer<typeof NewView>

export const savedViews = {
  listViews: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/views',
    summary: 'List your saved views and the views shared at the merchant, by name',
    needs: 'view.read',
    query: z.strictObject({ tableId: TableId.optional() }),
    ok: z.array(SavedView),
  }),
  createView: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/views',
    summary: 'Save a view; sharing requires a merchant',
    needs: 'view.write',
    body: NewView,
    ok: SavedView,
    status: 201,
    fails: ['MerchantNotSelected', 'ViewNameTaken', 'TooManyViews'],
  }),
  updateView: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/views/{viewId}',
    summary: 'Update a view: its name, content or sharing; only its owner can unshare it',
    needs: 'view.write',
    body: ViewChange,
    ok: SavedView,
    fails: ['ViewNotFound', 'MerchantNotSelected', 'ViewNameTaken', 'TooManyViews', 'EditConflict', 'Forbidden'],
  }),
  deleteView: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/views/{viewId}',
    summary: 'Delete a view',
    needs: 'view.write',
    fails: ['ViewNotFound', 'Forbidden'],
  }),
}
