import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, paged, pageOf, Search, Text } from '../frame/shapes.ts'

export const Note = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  posId: z.uuid(),
  creationDate: Instant,
  /** Null where the name is kept from the reader. */
  createdBy: z.string().nullable(),
  note: z.string(),
  /** Written by the caller; only the author may delete a note. */
  isMine: z.boolean(),
})
export type Note = z.infer<typeof Note>

/** The client generates `id` (UUIDv7), so that a call repeated after a lost answer does not double the note. */
export const NewNote = z.strictObject({ id: z.uuidv7().optional(), note: Text.trim().min(1).max(2000) })

/** `createdBy` is the author's id. */
export const NoteFilters = z.strictObject({ search: Search.optional(), createdBy: ids.userId.optional() })
export type NoteFilters = z.output<typeof NoteFilters>

export const noteColumns = {
  note: { kind: 'text', heading: 'note:column.note' },
  createdBy: { sort: false, facts: { by: { kind: 'person', heading: 'note:column.createdBy' } } },
  creationDate: { facts: { at: { kind: 'instant', heading: 'note:column.creationDate' } } },
  delete: { kind: 'own', heading: 'note:column.delete' },
} as const satisfies ListColumns

export const noteOrds = ordsOf(noteColumns, 'creationDate')

export const notes = {
  listNotes: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/notes',
    summary: 'List notes of a point of sale, newest first',
    needs: 'note.read',
    topics: ['note'],
    query: NoteFilters.extend(paged(noteOrds)),
    ok: pageOf(Note),
    fails: ['MachineNotFound'],
  }),
  createNote: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/pos/{posId}/notes',
    summary: 'Create a note of a point of sale',
    needs: 'note.write',
    body: NewNote,
    ok: Note,
    status: 201,
    fails: ['MachineNotFound', 'NoteIdTaken'],
  }),
  deleteNote: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/pos/{posId}/notes/{noteId}',
    summary: 'Delete one of your notes',
    needs: 'note.write',
    fails: ['MachineNotFound', 'NoteNotFound', 'Forbidden'],
  }),
}

/** The list as a file. */
export const exportedNotes = {
  row: notes.listNotes,
  filters: NoteFilters,
  ords: noteOrds,
  columns: noteColumns,
} as const satisfies ExportedList
