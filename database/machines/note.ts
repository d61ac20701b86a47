import { sql } from 'kysely'
import type { NoteFilters } from '#contract/machines/note.ts'
import { countUpTo, offsetOf, type Page } from '../frame/paging.ts'
import type { TenantDb } from '../frame/tenant.ts'
import { holds } from '../frame/text-search.ts'

/** A query on the notes of a machine that match the filters. */
export const notesOf = (db: TenantDb, machineId: string, { search, createdBy }: NoteFilters = {}) =>
  db
    .from('notes')
    .where('notes.machine_id', '=', machineId)
    .where(holds(sql`notes.note`, search))
    .$if(createdBy !== undefined, (query) => query.where('notes.created_by', '=', createdBy as string))

export async function listNotes(
  db: TenantDb,
  machineId: string,
  page: Page & NoteFilters & { ordType?: 'ASC' | 'DESC' | undefined },
) {
  const counted = await countUpTo(db, notesOf(db, machineId, page))
  const direction = page.ordType === 'ASC' ? 'asc' : 'desc'
  const rows = await notesOf(db, machineId, page)
    .selectAll('notes')
    .orderBy('notes.created_at', direction)
    .orderBy('notes.id', direction)
    .limit(page.size)
    .offset(offsetOf(page))
    .execute()
  return { ...counted, rows }
}

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
