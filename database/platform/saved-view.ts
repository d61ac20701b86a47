import { type Kysely, sql, type UpdateResult } from 'kysely'
import type { DB } from '../frame/schema.gen.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** A stored view, private or shared. */
export interface ViewRecord {
  merchant_id: string
  id: string
  table_id: string
  name: string
  filter: unknown
  sort_options: unknown
  headers: unknown
  created_by: string
  created_by_name: string
  version: number
}
type NewRecord = ViewRecord & { created_at: Date }
/** The editable fields of a view. */
export type ViewContent = Pick<ViewRecord, 'name' | 'filter' | 'sort_options' | 'headers'>

const columns = [
  'merchant_id',
  'id',
  'table_id',
  'name',
  'filter',
  'sort_options',
  'headers',
  'created_by_name',
  'version',
] as const
const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
const written = ({ name, filter, sort_options, headers }: ViewContent) => ({
  name,
  filter: JSON.stringify(filter),
  sort_options: json(sort_options),
  headers: json(headers),
})

/** A view is changed from the version that was read; `overtaken` if another user has changed or deleted it since. */
const changedTo = (view: ViewRecord, content: ViewContent) => ({ ...written(content), version: view.version + 1 })
const unlessOvertaken = ({ numUpdatedRows }: UpdateResult) => (numUpdatedRows > 0n ? undefined : ('overtaken' as const))

/** The result of the write, or `taken` if the table has a view of this name. */
const unlessTaken = <T>(write: Promise<T>): Promise<T | 'taken'> =>
  write.catch((error: { code?: string }) => {
    if (error.code === '23505') return 'taken' as const
    throw error
  })

const privateIn = (db: Kysely<DB>, userId: string, merchantId: string) =>
  db.selectFrom('private_views').where('user_id', '=', userId).where('merchant_id', '=', merchantId)

/** A user's own views at one merchant, which may be the placeholder of all merchants. */
export const listPrivateViews = (doors: Doors, userId: string, merchantId: string): Promise<ViewRecord[]> =>
  doors.withSystem(
    'private views',
    (db) => privateIn(db, userId, merchantId).select(columns).select('user_id as created_by').execute(),
    'single statement',
  )

export const findPrivateView = (
  doors: Doors,
  userId: string,
  merchantId: string,
  id: string,
): Promise<ViewRecord | undefined> =>
  doors.withSystem(
    'private views',
    (db) =>
      privateIn(db, userId, merchantId)
        .where('id', '=', id)
        .select(columns)
        .select('user_id as created_by')
        .executeTakeFirst(),
    'single statement',
  )

const addPrivate = (db: Kysely<DB>, { created_by, ...view }: NewRecord) =>
  db
    .insertInto('private_views')
    .values({ ...view, ...written(view), user_id: created_by })
    .execute()

export const insertPrivateView = (doors: Doors, view: NewRecord) =>
  unlessTaken(doors.withSystem('private views', (db) => addPrivate(db, view)))

export const updatePrivateView = (doors: Doors, view: ViewRecord, content: ViewContent) =>
  unlessTaken(
    doors.withSystem('private views', (db) =>
      db
        .updateTable('private_views')
        .set(changedTo(view, content))
        .where('user_id', '=', view.created_by)
        .where('merchant_id', '=', view.merchant_id)
        .where('id', '=', view.id)
        .where('version', '=', view.version)
        .executeTakeFirstOrThrow()
        .then(unlessOvertaken),
    ),
  )

const removePrivate = (db: Kysely<DB>, view: ViewRecord) =>
  db
    .deleteFrom('private_views')
    .where('user_id', '=', view.created_by)
    .where('merchant_id', '=', view.merchant_id)
    .where('id', '=', view.id)

export const deletePrivateView = (doors: Doors, view: ViewRecord) =>
  doors.withSystem('private views', (db) => removePrivate(db, view).execute(), 'single statement')

/** The shared views of the scope's merchants. */
export const listSharedViews = (db: TenantDb): Promise<ViewRecord[]> =>
  db
    .from('shared_views')
    .select(columns.map((column) => `shared_views.${column}` as const))
    .select('shared_views.created_by')
    .execute()

export const findSharedView = (db: TenantDb, id: string): Promise<ViewRecord | undefined> =>
  db
    .from('shared_views')
    .where('shared_views.id', '=', id)
    .select(columns.map((column) => `shared_views.${column}` as const))
    .select('shared_views.created_by')
    .executeTakeFirst()

const addShared = (db: Kysely<DB>, view: NewRecord) =>
  db
    .insertInto('shared_views')
    .values({ ...view, ...written(view) })
    .execute()

export const insertSharedView = (db: TenantDb, view: NewRecord) => unlessTaken(addShared(db.query, view))

export const updateSharedView = (db: TenantDb, view: ViewRecord, content: ViewContent) =>
  unlessTaken(
    db.query
      .updateTable('shared_views')
      .set(changedTo(view, content))
      .where('merchant_id', '=', view.merchant_id)
      .where('id', '=', view.id)
      .where('version', '=', view.version)
      .where(db.narrow('shared_views'))
      .executeTakeFirstOrThrow()
      .then(unlessOvertaken),
  )

const removeShared = (db: Kysely<DB>, { merchant_id, id }: ViewRecord) =>
  db.deleteFrom('shared_views').where('merchant_id', '=', merchant_id).where('id', '=', id)

export const deleteSharedView = (db: TenantDb, view: ViewRecord) => removeShared(db.query, view).execute()

/** Moves a view from its owner's table to its merchant's, or back, with this content. */
export const moveView = (doors: Doors, view: NewRecord, content: ViewContent, to: 'shared' | 'private') =>
  unlessTaken(
    doors.withSystem('share view', async (db) => {
      const gone =
        to === 'shared'
          ? removePrivate(db, view).where('version', '=', view.version)
          : removeShared(db, view).where('version', '=', view.version)
      const { numDeletedRows } = await gone.executeTakeFirstOrThrow()
      if (numDeletedRows === 0n) return 'overtaken'
      const moved = { ...view, ...content, version: view.version + 1 }
      await (to === 'shared' ? addShared(db, moved) : addPrivate(db, moved))
      return undefined
    }),
  )

/** The number of a user's views at a merchant. */
export const countPrivateViews = (doors: Doors, userId: string, merchantId: string): Promise<number> =>
  doors.withSystem(
    'private views',
    async (db) => {
      const row = await privateIn(db, userId, merchantId)
        .select(sql<number>`count(*)::int`.as('n'))
        .executeTakeFirstOrThrow()
      return row.n
    },
    'single statement',
  )

/** The number of a merchant's shared views. */
export async function countSharedViews(db: TenantDb, merchantId: string): Promise<number> {
  const row = await db
    .from('shared_views')
    .where('shared_views.merchant_id', '=', merchantId)
    .select(sql<number>`count(*)::int`.as('n'))
    .executeTakeFirstOrThrow()
  return row.n
}
