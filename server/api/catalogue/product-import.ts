import { createHash } from 'node:crypto'
import { NewProduct } from '#contract/catalogue/product-fields.ts'
import {
  type ImportPreview,
  type ImportRow,
  mostImportRows,
  type productImports,
} from '#contract/catalogue/product-import.ts'
import { ProductError } from '#contract/errors.ts'
import { broken } from '#contract/frame/broken.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { adoptCodes } from '#database/catalogue/product-code.ts'
import { codeKeys, insertProducts, productsByCode, updateProducts } from '#database/catalogue/product-import.ts'
import { fieldsOf } from '#database/frame/records.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import { columnsIn, type ProductField, productOf, rowsIn, type SheetRow } from '#domain/catalogue/product-sheet.ts'
import { changedFields } from '#domain/frame/editing.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { readUploadedTable } from '#server/import/table-reader.ts'
import { storedProduct } from './product.ts'
import { knownHeadings, sheetWords } from './product-words.ts'

const mostShown = 500

/** What an import does with a row. */
interface Planned {
  row: ImportRow
  id: string | undefined
  version: number | undefined
  before: NewProduct | undefined
  after: NewProduct | undefined
}

interface Plan {
  rows: Planned[]
  unknownColumns: string[]
}

type Asked = TenantCall & { params: { merchantId: string }; body: { data: string } }

/** Reads the file and compares it with the merchant's products, in a fixed number of statements. */
async function planOf({ db, params, body }: Asked, hold: boolean): Promise<Plan> {
  const { merchantId } = params
  if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
  const { rows, isCsv } = await readUploadedTable(Buffer.from(body.data, 'base64'), {
    mostRows: mostImportRows,
    headings: knownHeadings,
  })
  const currency = await currencyOf(db, merchantId)
  const [headings = [], ...cells] = rows
  const columns = columnsIn(headings, sheetWords, currency)
  if (!columns.fields.has('code')) throw new ProductError('ImportUnreadable')
  const sheet = rowsIn(cells, columns, { words: sheetWords, currency, isCsv })
  const keys = await codeKeys(
    db,
    sheet.map(({ code }) => code),
  )
  const stored = await productsByCode(db, merchantId, [...new Set(keys)], hold)
  const firstRows = new Map<string, number>()
  const planned = sheet.map((row, at) => {
    const key = keys[at] ?? ''
    const first = key === '' ? undefined : firstRows.get(key)
    if (first === undefined) firstRows.set(key, row.row)
    return plannedRow(row, first, stored.get(key))
  })
  return { rows: planned, unknownColumns: columns.unknown }
}

async function currencyOf(db: TenantDb, merchantId: string): Promise<Currency> {
  const merchant = await db.from('merchants').where('id', '=', merchantId).select('currency').executeTakeFirstOrThrow()
  return merchant.currency as Currency
}

type Stored = Awaited<ReturnType<typeof productsByCode>> extends Map<string, infer Row> ? Row : never

function plannedRow(sheet: SheetRow, firstRow: number | undefined, stored: Stored | undefined): Planned {
  const before = stored && fieldsOf<NewProduct>(stored, NewProduct)
  const { product, faults } = productOf(sheet, before)
  if (firstRow !== undefined) faults.unshift({ field: 'code', rule: broken('repeated', { otherRow: firstRow }) })
  const after = product && storedProduct(product)
  const changed = before && after ? (changedFields(after, before) as ProductField[]) : []
  const outcome = faults.length > 0 || !after ? 'refused' : !before ? 'create' : changed.length > 0 ? 'update' : 'same'
  return {
    row: {
      row: sheet.row,
      outcome,
      code: sheet.code,
      name: String((after ?? sheet.fields).name ?? before?.name ?? ''),
      changes: changed.map((field) => ({
        field,
        before: (before as NewProduct)[field],
        after: (after as NewProduct)[field],
      })),
      faults: faults.map(({ field, rule }) => ({ field, rule: rule.key, values: plainValues(rule.values) })),
    },
    id: stored?.id,
    version: stored?.version,
    before,
    after: outcome === 'refused' ? undefined : after,
  }
}

const plainValues = (values: Record<string, unknown> = {}) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  )

const order = ['refused', 'update', 'create', 'same'] as const satisfies ImportRow['outcome'][]

function presented({ rows, unknownColumns }: Plan): ImportPreview {
  const of = Map.groupBy(rows, ({ row }) => row.outcome)
  const count = (outcome: ImportRow['outcome']) => of.get(outcome)?.length ?? 0
  const facts = rows.map(({ row, id, version, after }) => [row.row, row.outcome, id, version, after])
  return {
    created: count('create'),
    updated: count('update'),
    same: count('same'),
    refused: count('refused'),
    unknownColumns,
    rows: order.flatMap((outcome) => (of.get(outcome) ?? []).map(({ row }) => row)).slice(0, mostShown),
    digest: createHash('sha256').update(JSON.stringify(facts)).digest('base64url'),
  }
}

async function write(call: Asked, { rows }: Plan): Promise<void> {
  const { db, params, user, now, live } = call
  const { merchantId } = params
  const created = rows.filter(({ row }) => row.outcome === 'create')
  const updated = rows.filter(({ row }) => row.outcome === 'update')
  const ids = await insertProducts(
    db,
    merchantId,
    NewProduct,
    created.map(({ after }) => after as NewProduct),
    now,
  )
  await updateProducts(
    db,
    merchantId,
    NewProduct,
    updated.map(({ id, after }) => ({ ...(after as NewProduct), id: id as string })),
    now,
  )
  const recoded = updated.filter(({ before, after }) => before?.code !== after?.code).map(({ id }) => id as string)
  await adoptCodes(db, merchantId, [...ids, ...recoded])
  const logged = { merchantId, at: now, user, action: 'product.import', subjectType: 'product' }
  await recordChanges(db, [
    ...created.map(({ after }, at) => ({ ...logged, subjectId: ids[at] as string, after })),
    ...updated.map(({ id, before, after }) => ({ ...logged, subjectId: id as string, before, after })),
  ])
  if (created.length + updated.length > 0) db.afterCommit(() => live.announce(merchantId, 'product'))
}

const isDuplicate = (error: unknown) => (error as { code?: string }).code === '23505'

/** Imports products from files: a preview, then all of its rows or none. */
export const productImportHandlers: Handlers<typeof productImports> = {
  previewProductImport: async (call) => presented(await planOf(call, false)),

  importProducts: async (call) => {
    const plan = await planOf(call, true)
    const preview = presented(plan)
    if (preview.digest !== call.body.digest) throw new ProductError('ImportChanged')
    // Another user has created one of the products since the file was compared.
    await write(call, plan).catch((error: unknown) => {
      throw isDuplicate(error) ? new ProductError('ImportChanged') : error
    })
    return preview
  },
}
