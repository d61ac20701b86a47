import { toWire } from '#contract/frame/instant.ts'
import type { UpdateFile } from '#contract/updates/update-file.ts'
import type { FileColumns } from '#database/updates/firmware.ts'
import type { Upload } from '../http/upload.ts'

/** The file of a row, or null before its upload. */
export const fileOfRow = (row: { [C in keyof FileColumns]: FileColumns[C] | null }): UpdateFile | null =>
  row.file_id === null || row.file_uploaded_at === null
    ? null
    : {
        id: row.file_id,
        name: row.file_name ?? '',
        bytes: row.file_bytes ?? 0,
        sha256: row.file_sha256 ?? '',
        uploadedAt: toWire(row.file_uploaded_at),
      }

/** The columns of an uploaded file. */
export const columnsOfUpload = ({ id, name, bytes, sha256 }: Upload, now: Date): FileColumns => ({
  file_id: id,
  file_name: name,
  file_bytes: bytes,
  file_sha256: sha256,
  file_uploaded_at: now,
})
