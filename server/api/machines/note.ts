import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import { Note, type notes } from '#contract/machines/note.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { deleteNote, findNote, insertNote, listNotes, type NoteRecord } from '#database/machines/note.ts'
import { recordChange } from '#database/platform/change-log.ts'
import type { Handlers } from '#server/http/handler.ts'
import { type ShownName, withShownNames } from '#server/http/redact-names.ts'
import { machineOf } from '#server/http/refuse.ts'
import { wireOf } from '#server/http/wire.ts'

const presentNote = (note: ShownName<NoteRecord, 'created_by_name'>, userId: string): Note =>
  wireOf(Note, note, {
    posId: note.machine_id,
    creationDate: toWire(note.created_at),
    createdBy: note.created_by_name,
    isMine: note.created_by === userId,
  })

/** For the log, which records the author itself. */
const logged = ({ createdBy: _, ...note }: Note) => note

/** The existing note with this id, if the same call was repeated after its answer was lost. */
async function sameNote(db: TenantDb, written: NoteRecord): Promise<NoteRecord> {
  const note = await findNote(db, written.machine_id, written.id)
  if (note?.created_by !== written.created_by || note.note !== written.note) throw new ProductError('NoteIdTaken')
  return note
}

export const noteHandlers: Handlers<typeof notes> = {
  listNotes: async (call) => {
    const { db, params, query, user } = call
    const { rows, total, capped } = await listNotes(db, params.posId, query)
    const redacted = await withShownNames(call, rows, 'created_by', 'created_by_name')
    return { items: redacted.map((row) => presentNote(row, user.id)), total, capped }
  },

  createNote: async ({ db, params, body, user, now, live }) => {
    const machine = await machineOf(db, params.posId)
    const written = {
      merchant_id: machine.merchant_id,
      id: body.id ?? randomUUIDv7(),
      machine_id: machine.id,
      created_at: now,
      created_by: user.id,
      created_by_name: user.name,
      note: body.note,
    }
    const inserted = await insertNote(db, written)
    if (!inserted) return presentNote(await sameNote(db, written), user.id)
    const note = presentNote(inserted, user.id)
    const subject = { subjectType: 'note', subjectId: note.id }
    await recordChange(db, {
      merchantId: machine.merchant_id,
      at: now,
      user,
      action: 'note.create',
      ...subject,
      after: logged(note),
    })
    db.afterCommit(() => live.announce(machine.merchant_id, 'note', machine.id))
    return note
  },

  deleteNote: async ({ db, params, user, now, live }) => {
    const note = await findNote(db, params.posId, params.noteId)
    if (!note) throw new ProductError('NoteNotFound')
    if (note.created_by !== user.id) throw new ProductError('Forbidden')
    await deleteNote(db, note)
    const subject = { subjectType: 'note', subjectId: note.id, before: logged(presentNote(note, user.id)) }
    await recordChange(db, { merchantId: note.merchant_id, at: now, user, action: 'note.delete', ...subject })
    db.afterCommit(() => live.announce(note.merchant_id, 'note', note.machine_id))
    return undefined
  },
}
