import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { endpoint } from '../frame/endpoint.ts'
import { Text } from '../frame/shapes.ts'
import { ProductParameter } from './product.ts'

/** At most so many rows in one file, and so many bytes. */
export const mostImportRows = 10_000
export const largestImport = 5 * 1024 * 1024

/** A CSV or XLSX file in base64. The columns are those of the products' export, found by their headings in any of the six languages. */
const ImportFile = z.strictObject({
  name: Text.min(1).max(255),
  data: Text.max(Math.ceil((largestImport * 4) / 3) + 4)
    // A pattern for the whole text would exceed the stack.
    .refine((text) => !/[^A-Za-z0-9+/=]/.test(text), saying('format')),
})

/** The value of a product's field. */
const FieldValue = z.union([z.string(), z.number(), z.null(), z.array(z.string()), z.array(ProductParameter)])

/** What an import does with a row: a product with the row's code is updated, otherwise one is created. */
export const ImportRow = z.strictObject({
  /** The row in the file, from 1; the headings are row 1. */
  row: z.int(),
  outcome: z.enum(['create', 'update', 'same', 'refused']),
  code: z.string(),
  name: z.string(),
  /** Fields that change, with the value before and after. */
  changes: z.array(z.strictObject({ field: z.string(), before: FieldValue, after: FieldValue })),
  /** Faults by field; the rule's key has a sentence in every language. */
  faults: z.array(
    z.strictObject({
      field: z.string(),
      rule: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
})
export type ImportRow = z.infer<typeof ImportRow>

export const ImportPreview = z.strictObject({
  created: z.int(),
  updated: z.int(),
  same: z.int(),
  refused: z.int(),
  /** Headings that no field has; they are ignored. */
  unknownColumns: z.array(z.string()),
  /** At most 500 rows: first refused, then changed, then equal rows. */
  rows: z.array(ImportRow).max(500),
  /** Identifies this preview's content: an import names it, so that only what was shown is written. */
  digest: z.string(),
})
export type ImportPreview = z.infer<typeof ImportPreview>

export const productImports = {
  previewProductImport: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/products/import/preview',
    summary: 'Check a file of products and show what an import would change',
    needs: 'product.write',
    feature: 'vending',
    body: ImportFile,
    ok: ImportPreview,
    status: 200,
    fails: ['MerchantNotSelected', 'UnsupportedMediaType', 'ImportUnreadable', 'ImportTooLong'],
    timeOut: 'large',
    longestBody: 7_200_000,
  }),
  importProducts: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/products/import',
    summary: 'Import a file of products: all rows that the preview accepted, or nothing',
    needs: 'product.write',
    feature: 'vending',
    body: ImportFile.extend({ digest: Text.max(100) }),
    ok: ImportPreview,
    status: 200,
    fails: ['MerchantNotSelected', 'UnsupportedMediaType', 'ImportUnreadable', 'ImportTooLong', 'ImportChanged'],
    timeOut: 'large',
    longestBody: 7_200_000,
  }),
}
