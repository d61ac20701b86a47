import { z } from 'zod'
import { deviceLimits } from '../device-protocol.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Instant, MinorUnits, Text } from '../frame/shapes.ts'
import { auditFileFaults, auditFileOutcomes, CrcVerdict, IntervalKind, machineClues } from '../vocabulary/audit.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { AuditWarning, UnreadLine } from './audit-content.ts'

/** At most so many files in one call, and so many bytes of all of them. */
export const mostAuditFiles = 100
export const largestAuditFiles = 20 * 1024 * 1024
/** Base64 needs four letters for three bytes. */
const coded = (bytes: number) => Math.ceil((bytes * 4) / 3) + 4
const mostNamed = 20

/** A file of another system, in base64. */
const AuditFile = z.strictObject({
  name: Text.min(1).max(255),
  data: z.base64().max(coded(deviceLimits.auditBytes)),
  /** The machine's serial; without it the machine is found by what the file says. */
  serial: Text.min(1).max(40).optional(),
})
const AuditFiles = z.strictObject({ files: z.array(AuditFile).min(1).max(mostAuditFiles) })

/** What the portal understands of a file. Totals are minor units of `currency`. */
export const AuditFileRow = z.strictObject({
  name: z.string(),
  outcome: z.enum(auditFileOutcomes),
  fault: z.enum(auditFileFaults).nullable(),
  machine: z.strictObject({ posId: z.uuid(), name: z.string(), serial: z.string() }).nullable(),
  foundBy: z.enum(machineClues).nullable(),
  /** What the file calls its machine. */
  names: z.array(z.string()),
  /** Null where no machine is known, or the time cannot be used. */
  readAt: Instant.nullable(),
  /** Whether the file has a usable time; the others are dated when they arrive. */
  isDated: z.boolean(),
  /** How the reading relates to the previous one. */
  kind: IntervalKind.nullable(),
  crc: CrcVerdict.nullable(),
  currency: Currency.nullable(),
  salesTotal: MinorUnits.nullable(),
  vendsTotal: z.int().nullable(),
  selections: z.int(),
  /** Lines that were kept and not understood; the first of them. */
  unread: z.strictObject({ lines: z.array(UnreadLine).max(mostNamed), total: z.int() }),
  /** The first remarks of the reader, and their number. */
  warnings: z.array(AuditWarning).max(mostNamed),
  warningsTotal: z.int(),
})
export type AuditFileRow = z.infer<typeof AuditFileRow>

const ReadFiles = z.strictObject({ files: z.array(AuditFileRow) })

const uploads = {
  method: 'POST',
  needs: 'audit.upload',
  body: AuditFiles,
  ok: ReadFiles,
  status: 200,
  timeOut: 'large',
  fails: ['MerchantNotSelected'],
  /** The files in base64, and their names. */
  longestBody: coded(largestAuditFiles) + mostAuditFiles * 1000,
} as const
const path = '/merchants/{merchantId}/audit-files' as const

export const auditFiles = {
  previewAuditFiles: endpoint({
    ...uploads,
    path: `${path}/preview`,
    summary: 'Show what is understood of audit files, and of which machines they are; nothing is stored',
  }),
  storeAuditFiles: endpoint({
    ...uploads,
    path,
    summary: 'Save audit files of other systems as readings of their machines; the same bytes count once',
  }),
}
