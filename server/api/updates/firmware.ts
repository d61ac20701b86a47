import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { Firmware, type firmwares, NewFirmware, ReleaseNotes, type UpdateUses } from '#contract/updates/firmware.ts'
import { fieldsOf } from '#database/frame/records.ts'
import type { SystemDb } from '#database/frame/tenant.ts'
import { recordProviderChange } from '#database/platform/provider-log.ts'
import {
  commandsWithFile,
  type FirmwareRecord,
  findFirmware,
  insertFirmware,
  listFirmwares,
  removeFirmware,
  withFirmware,
  writeFirmware,
  writeFirmwareFile,
} from '#database/updates/firmware.ts'
import { firmwareRulesUsing } from '#database/updates/rules-using.ts'
import { changedFields } from '#domain/frame/editing.ts'
import type { Handlers, UserCall } from '#server/http/handler.ts'
import { blobOfUpdate, uploadOf } from '#server/http/upload.ts'
import { wireOf } from '#server/http/wire.ts'
import { columnsOfUpload, fileOfRow } from '#server/updates/present-file.ts'

const presentFirmware = (row: FirmwareRecord): Firmware =>
  wireOf(Firmware, row, { notes: ReleaseNotes.parse(row.notes), file: fileOfRow(row) })

/** What uses a firmware; undefined if nothing does. */
async function usesOf(db: SystemDb, { id, file_id }: FirmwareRecord): Promise<UpdateUses | undefined> {
  const commands = file_id === null ? 0 : await commandsWithFile(db, file_id)
  const rules = await firmwareRulesUsing(db, id)
  return commands + rules.length > 0 ? { commands, rules } : undefined
}

async function refuseInUse(db: SystemDb, firmware: FirmwareRecord): Promise<void> {
  const uses = await usesOf(db, firmware)
  if (uses) throw new ProductError('FirmwareInUseException', { ...uses })
}

type LoggedAction =
  | { action: 'firmware.create' }
  | { action: 'firmware.update' }
  | { action: 'firmware.delete' }
  | { action: 'firmware.upload' }

const logOf =
  ({ user, now }: UserCall) =>
  (db: SystemDb, id: string, change: LoggedAction & { before?: unknown; after?: unknown }) =>
    recordProviderChange(db, { at: now, user, subjectType: 'firmware', subjectId: id, ...change })

const there = <T>(row: T | undefined): T => {
  if (row === undefined) throw new ProductError('FirmwareNotFound')
  return row
}

export const firmwareHandlers: Handlers<typeof firmwares> = {
  listFirmwares: async ({ doors, query }) => {
    const { rows, ...counted } = await listFirmwares(doors, query)
    return { items: rows.map(presentFirmware), ...counted }
  },

  getFirmware: async ({ doors, params }) => presentFirmware(there(await findFirmware(doors, params.firmwareId))),

  createFirmware: async (call) => {
    const { doors, body, now } = call
    const id = randomUUIDv7()
    const made = await insertFirmware(doors, id, body, now, (db) =>
      logOf(call)(db, id, { action: 'firmware.create', after: body }),
    )
    if (!made) throw new ProductError('FirmwareAlreadyExists', { field: 'release' })
    return presentFirmware(made)
  },

  updateFirmware: async (call) => {
    const { doors, params, body } = call
    const { version, ...after } = body
    const written = await withFirmware(doors, params.firmwareId, async (db, firmware) => {
      const before = fieldsOf<NewFirmware>(firmware, NewFirmware)
      const changed = changedFields(after, before)
      if (changed.length === 0) return firmware
      if (version !== firmware.version)
        throw new ProductError('EditConflict', { current: presentFirmware(firmware), changedAt: null, changedBy: null })
      // Machines on their way to it verify the version that they were given.
      if (changed.some((field) => field === 'release' || field === 'peripheral')) await refuseInUse(db, firmware)
      const row = await writeFirmware(db, firmware.id, after)
      if (!row) throw new ProductError('FirmwareAlreadyExists', { field: 'release' })
      await logOf(call)(db, firmware.id, { action: 'firmware.update', before, after })
      return row
    })
    return presentFirmware(there(written))
  },

  deleteFirmware: async (call) => {
    const removed = there(
      await withFirmware(call.doors, call.params.firmwareId, async (db, firmware) => {
        await refuseInUse(db, firmware)
        await removeFirmware(db, firmware.id)
        await logOf(call)(db, firmware.id, { action: 'firmware.delete', before: fieldsOf(firmware, NewFirmware) })
        return firmware
      }),
    )
    if (removed.file_id) await call.blobs.remove(blobOfUpdate(removed.file_id))
    return undefined
  },

  uploadFirmwareFile: async (call) => {
    const { doors, params, request, now, blobs } = call
    const upload = uploadOf(request)
    const { before, row } = there(
      await withFirmware(doors, params.firmwareId, async (db, firmware) => {
        await refuseInUse(db, firmware)
        const row = await writeFirmwareFile(db, firmware.id, columnsOfUpload(upload, now))
        await logOf(call)(db, firmware.id, {
          action: 'firmware.upload',
          before: fileOfRow(firmware),
          after: fileOfRow(row),
        })
        return { before: firmware, row }
      }),
    )
    if (before.file_id) await blobs.remove(blobOfUpdate(before.file_id))
    return presentFirmware(row)
  },
}
