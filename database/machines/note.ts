import { sql } from 'kysely'
import type { NoteFilters, noteOrds } from '#contract/machines/note.ts'
import { when } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

type Ord = (typeof noteOrds)[number]

/** A query on the notes of a machine that match the filters. */
export const notesOf = (db: TenantDb, machineId: string, { search, createdBy }: NoteFilters = {}) =>
  db
    .from('notes')
    .where('notes.machine_id', '=', machineId)
    .where(holds(sql`notes.note`, search))
    .where(when(createdBy, (user) => sql<boolean>`notes.created_by = ${user}`))

/** The newest first by default. */
export const noteOrdering = orderOf<Ord>({
  by: { creationDate: sql`notes.created_at`, note: sql`lower(notes.note)` },
  first: 'creationDate',
  falling: 'all',
  full: ['creationDate'],
  ties: (direction) => sql`notes.id ${direction}`,
})

export const listNotes = (db: TenantDb, machineId: string, query: NoteFilters & Page & Sorted<Ord>) =>
  pageOf(db, query, {
    matching: () => notesOf(db, machineId, query),
    order: noteOrdering(query),
    select: (notes) => notes.selectAll('notes'),
  })

export const findNote = (db: TenantDb, machineId: string, id: string) =>
  notesOf(db, machineId).where('notes.id', '=', id).selectAll('notes').executeTakeFirst()

export type NoteRecord = Awaited<ReturnType<typeof findNote>> & object

/** Stores a note, unless one with its id exists. */
export const insertNote = (db: TenantDb, note: NoteRecord) =>
  db.query
    .insertInto('notes')
    .values(note)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const deleteNote = (db: TenantDb, note: { merchant_id: string; id: string }) =>
  db.query.deleteFrom('notes').where('merchant_id', '=', note.merchant_id).where('id', '=', note.id).execute()
