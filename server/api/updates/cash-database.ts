import { ProductError } from '#contract/errors.ts'
import { CashDatabase, type cashDatabaseFiles, NewCashDatabase } from '#contract/updates/cash-database.ts'
import type { UpdateUses } from '#contract/updates/firmware.ts'
import { type TenantDb, withinScope } from '#database/frame/tenant.ts'
import { recordChange } from '#database/platform/change-log.ts'
import {
  cashDatabaseList,
  commandsWithDatabase,
  holdDatabase,
  writeDatabaseFile,
} from '#database/updates/cash-database.ts'
import { databaseRulesUsing, namesOf } from '#database/updates/rules-using.ts'
import { editable } from '#server/http/editable.ts'
import type { Handlers } from '#server/http/handler.ts'
import { blobOfUpdate, uploadOf } from '#server/http/upload.ts'
import { wireOf } from '#server/http/wire.ts'
import { columnsOfUpload, fileOfRow } from '#server/updates/present-file.ts'

interface Found {
  merchant_id: string
  id: string
  file_id: string | null
}

/** What uses a database; undefined if nothing does. */
async function usesOf(db: TenantDb, { merchant_id, id, file_id }: Found): Promise<UpdateUses | undefined> {
  const commands = file_id === null ? 0 : await commandsWithDatabase(db, merchant_id, file_id)
  const rules = namesOf(await databaseRulesUsing(db, merchant_id, id))
  return commands + rules.length > 0 ? { commands, rules } : undefined
}

export const cashDatabaseRecord = editable({
  noun: 'cashDatabase',
  rows: cashDatabaseList,
  fields: NewCashDatabase,
  present: (row) => wireOf(CashDatabase, row, { file: fileOfRow(row) }),
  duplicates: { cash_databases_by_release: ['DatabaseVersionAlreadyRegistered', 'release'] },
  blockedBy: usesOf,
  clear: async ({ db, blobs }, { file_id }) => {
    if (file_id !== null) db.afterCommit(() => void blobs.remove(blobOfUpdate(file_id)))
  },
})

export const cashDatabaseFileHandlers: Handlers<typeof cashDatabaseFiles> = {
  uploadCashDatabaseFile: async (narrow) => {
    const call = { ...narrow, db: withinScope(narrow.db, narrow.user.scope) }
    const { db, params, request, user, now, blobs, live } = call
    const upload = uploadOf(request)
    const key = await holdDatabase(db, params.cashDatabaseId)
    if (!key) throw new ProductError('CashDatabaseNotFound')
    const before = await cashDatabaseRecord.of(db, key.id)
    const uses = await usesOf(db, before)
    if (uses) throw new ProductError('CashDatabaseInUse', { ...uses })
    await writeDatabaseFile(db, key, columnsOfUpload(upload, now))
    const after = await cashDatabaseRecord.get(call, call.params.cashDatabaseId)
    await recordChange(db, {
      merchantId: key.merchant_id,
      at: now,
      user,
      action: 'cashDatabase.upload',
      subjectType: 'cashDatabase',
      subjectId: key.id,
      before: fileOfRow(before),
      after: after.file,
    })
    db.afterCommit(() => {
      live.announce(key.merchant_id, 'cashDatabase')
      if (before.file_id) void blobs.remove(blobOfUpdate(before.file_id))
    })
    return after
  },
}
