import { z } from 'zod'

export const exportFormats = ['csv', 'xlsx'] as const
export const ExportFormat = z.enum(exportFormats)
export type ExportFormat = z.infer<typeof ExportFormat>

/** `waiting` for a worker, `running` in one; the other three have ended. */
export const exportStatuses = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export const ExportStatus = z.enum(exportStatuses)
export type ExportStatus = z.infer<typeof ExportStatus>

/** The content type of a file. */
export const exportTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>
