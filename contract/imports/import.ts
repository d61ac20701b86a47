import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { Instant, oneOrMany, paged, pageOf, Text } from '../frame/shapes.ts'
import { importKindNames } from './import-kinds.ts'

/** At most so many rows in one file, and so many bytes. */
export const mostImportedRows = 100_000
export const largestImportedFile = 20 * 1024 * 1024
/** An import can be undone for so many days. */
export const undoDays = 30

export const ImportKindName = z.enum(importKindNames)

/** More columns than any list has. */
const mostColumns = 200

/** A CSV or XLSX file in base64; the first row has the headings. */
const ImportedFile = z.strictObject({
  name: Text.min(1).max(255),
  data: Text.max(Math.ceil((largestImportedFile * 4) / 3) + 4)
    // A pattern for the whole text would exceed the stack.
    .refine((text) => !/[^A-Za-z0-9+/=]/.test(text), saying('format')),
})

/** The column of each field, from 0. */
const ImportMapping = z.record(
  Text.max(40),
  z
    .int()
    .min(0)
    .max(mostColumns - 1),
)
export type ImportMapping = z.infer<typeof ImportMapping>

export const importOutcomes = ['create', 'update', 'same', 'refused'] as const

/** A value of the file or of a record as it is shown: other records by name, lists as a text. */
const ShownValue = z.union([z.string(), z.number(), z.null()])

/** What an import does with a row. */
export const ImportedRow = z.strictObject({
  /** The row in the file, from 1; the headings are row 1. */
  row: z.int(),
  outcome: z.enum(importOutcomes),
  name: z.string(),
  changes: z.array(z.strictObject({ field: z.string(), before: ShownValue, after: ShownValue })),
  /** The rule's key has a sentence in every language; `cell` is what the file says. */
  faults: z.array(
    z.strictObject({
      field: z.string(),
      cell: z.string().nullable(),
      rule: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
})
export type ImportedRow = z.infer<typeof ImportedRow>

export const ImportPreviewed = z.strictObject({
  /** The columns of the file, with some of their cells. */
  columns: z.array(z.strictObject({ heading: z.string(), samples: z.array(z.string()) })),
  /** As asked, or as the headings say. */
  mapping: ImportMapping,
  /** Fields that the file needs a column for; nothing is compared before. */
  missing: z.array(z.string()),
  created: z.int(),
  updated: z.int(),
  same: z.int(),
  refused: z.int(),
  /** At most 500 rows: first refused, then changed, then equal rows. */
  rows: z.array(ImportedRow).max(500),
  /** Identifies this preview's content: an import names it, so that only what was shown is written. */
  digest: z.string(),
})
export type ImportPreviewed = z.infer<typeof ImportPreviewed>

/** A file that was imported. */
export const Import = z.strictObject({
  id: z.uuid(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  kind: ImportKindName,
  fileName: z.string(),
  at: Instant,
  /** Null for users who are hidden from the reader. */
  by: z.string().nullable(),
  created: z.int(),
  updated: z.int(),
  same: z.int(),
  refused: z.int(),
  undoneAt: Instant.nullable(),
  undoneBy: z.string().nullable(),
  /** Until when it can be undone; null: it cannot. */
  undoUntil: Instant.nullable(),
})
export type Import = z.infer<typeof Import>

export const ImportFilters = z.strictObject({ kinds: oneOrMany(ImportKindName) })
export type ImportFilters = z.infer<typeof ImportFilters>

export const importColumns = {
  at: { kind: 'instant', heading: 'import:column.at' },
  kind: { kind: 'own', sort: false, heading: 'import:column.kind' },
  fileName: { kind: 'text', sort: false, heading: 'import:column.fileName' },
  merchant: { kind: 'text', sort: false, heading: 'import:column.merchant' },
  created: { kind: 'number', sort: false, heading: 'import:count.created' },
  updated: { kind: 'number', sort: false, heading: 'import:count.updated' },
  same: { kind: 'number', sort: false, heading: 'import:count.same' },
  refused: { kind: 'number', sort: false, heading: 'import:count.refused' },
  by: { kind: 'text', sort: false, heading: 'import:column.by' },
  state: { kind: 'own', sort: false, heading: 'import:column.state' },
  undo: { kind: 'own', sort: false, heading: 'import:column.undo' },
} as const satisfies ListColumns

export const importOrds = ordsOf(importColumns, 'at')

const path = '/merchants/{merchantId}/imports' as const
const writes = { method: 'POST', needs: 'import.create', timeOut: 'large' } as const
const unread = ['UnsupportedMediaType', 'ImportUnreadable', 'ImportTooLong'] as const
/** The file in base64, and the rest of the body. */
const longestBody = Math.ceil((largestImportedFile * 4) / 3) + 100_000

export const imports = {
  listImports: endpoint({
    method: 'GET',
    path,
    summary: 'List imported files of the kinds that you may import',
    needs: 'import.create',
    topics: ['import'],
    query: ImportFilters.extend(paged(importOrds)),
    ok: pageOf(Import),
  }),
  previewImport: endpoint({
    ...writes,
    path: `${path}/preview`,
    summary: 'Check a file and show what an import would change; nothing is written',
    body: z.strictObject({ kind: ImportKindName, file: ImportedFile, mapping: ImportMapping.optional() }),
    ok: ImportPreviewed,
    status: 200,
    fails: ['MerchantNotSelected', 'Forbidden', 'FeatureNotEnabled', ...unread],
    longestBody,
  }),
  createImport: endpoint({
    ...writes,
    path,
    summary: 'Import a file: all rows that the preview accepted, or nothing',
    body: z.strictObject({
      kind: ImportKindName,
      file: ImportedFile,
      mapping: ImportMapping,
      digest: Text.max(100),
    }),
    ok: Import,
    status: 201,
    fails: ['MerchantNotSelected', 'Forbidden', 'FeatureNotEnabled', 'ImportChanged', ...unread],
    longestBody,
  }),
  undoImport: endpoint({
    ...writes,
    path: `${path}/{importId}/undo`,
    summary: 'Undo an import as a whole; refused if a row has been changed or used since',
    finds: ['importId'],
    ok: Import,
    status: 200,
    fails: [
      'ImportNotFound',
      'Forbidden',
      'FeatureNotEnabled',
      'ImportUndone',
      'ImportRowsChanged',
      'ImportRowsUsed',
      'UndoTooLate',
    ],
  }),
}
