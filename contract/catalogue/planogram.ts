import { z } from 'zod'
import { SelectionName } from '../device-protocol.ts'
import { always, saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import { Flag, LineText, MinorUnits, oneOrMany, paged, pageOf, Search, Text } from '../frame/shapes.ts'
import { comparing } from '../rules/number.ts'
import { mostPrice } from '../vocabulary/catalogue/price.ts'
import { PlanogramType } from '../vocabulary/catalogue/product.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { Language } from '../vocabulary/world/languages.ts'
import { SelectionPieces } from './product-fields.ts'

/** Price tables by number, 1 to 8, with a price in minor units each. */
export const PricesByTable = z.partialRecord(
  z.enum(['1', '2', '3', '4', '5', '6', '7', '8']),
  MinorUnits.min(0).max(mostPrice),
)
export type PricesByTable = z.infer<typeof PricesByTable>

/** One selection of a planogram. `warningLevel`: at or below it the stock is low; `refillValue`: filled up to it. */
export const PlanogramLine = z
  .strictObject({
    selection: SelectionName,
    productId: ids.productId.nullable(),
    capacity: SelectionPieces.min(1),
    warningLevel: SelectionPieces,
    refillValue: SelectionPieces,
    prices: PricesByTable,
  })
  .check(
    comparing('warningLevel', 'smallerOrEqual', 'capacity'),
    comparing('refillValue', 'smallerOrEqual', 'capacity'),
  )
export type PlanogramLine = z.infer<typeof PlanogramLine>

/** At most so many selections, as machines report them. */
export const mostPlanogramLines = 500

/** No selection twice, ignoring case; the second one is at fault. */
const eachOnce = z.superRefine<unknown[]>((lines, context) => {
  const selections = new Set<unknown>()
  lines.forEach((line, at) => {
    const name = (line as { selection?: unknown } | null)?.selection
    const selection = typeof name === 'string' ? name.toLowerCase() : name
    if (selections.has(selection)) context.addIssue({ code: 'custom', ...saying('unique'), path: [at, 'selection'] })
    if (selection) selections.add(selection)
  })
}, always)

export const NewPlanogram = z.strictObject({
  name: LineText.trim().min(1).max(120),
  description: Text.trim().min(1).max(2000).nullable().default(null),
  planogramType: PlanogramType,
  lines: z.array(PlanogramLine).max(mostPlanogramLines).check(eachOnce).default([]),
})
export type NewPlanogram = z.output<typeof NewPlanogram>

export const Planogram = recordOf(NewPlanogram, {
  currency: Currency,
  selections: z.int(),
  products: z.int(),
  /** Machines of the reader's groups with it. */
  machines: z.int(),
})
export type Planogram = z.infer<typeof Planogram>

/** A planogram in a list. */
export const PlanogramRow = Planogram.omit({ lines: true })
export type PlanogramRow = z.infer<typeof PlanogramRow>

export const PlanogramFilters = z.strictObject({
  search: Search.optional(),
  planogramTypes: oneOrMany(PlanogramType),
  hasMachines: Flag.optional(),
  /** Planograms with this product. */
  productId: ids.productId.optional(),
})
export type PlanogramFilters = z.infer<typeof PlanogramFilters>

export const planogramColumns = {
  name: { kind: 'text', heading: 'planogram:field.name' },
  merchant: { kind: 'text', heading: 'planogram:column.merchant' },
  planogramType: { kind: 'word', heading: 'planogram:field.planogramType', of: 'productType' },
  description: { kind: 'text', heading: 'planogram:field.description' },
  selections: { kind: 'number', heading: 'planogram:column.selections' },
  products: { kind: 'number', heading: 'planogram:column.products' },
  machines: { kind: 'number', heading: 'planogram:column.machines' },
  createdAt: { kind: 'instant', heading: 'planogram:column.created' },
  id: { kind: 'plain', heading: 'planogram:column.id' },
} as const satisfies ListColumns

export const planogramOrds = ordsOf(planogramColumns, 'name')

/** At most so many of the machines that block a deletion are named; all are counted. */
export const mostPlanogramBlockers = 20

/** Facts of `PlanogramInUse`. Machines outside the reader's groups are only said to exist. */
export const PlanogramBlockers = z.strictObject({
  machines: z.int(),
  firstMachines: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  hasOthers: z.boolean(),
})
export type PlanogramBlockers = z.infer<typeof PlanogramBlockers>

/** What a machine says of a selection. */
const ReportedLine = z.strictObject({
  productId: z.uuid().nullable(),
  product: z.string().nullable(),
  capacity: z.int().nullable(),
  prices: PricesByTable,
})

export const planogramDifferences = ['onlyPlanned', 'onlyReported', 'product', 'capacity', 'price'] as const

/** A selection of a planogram beside what the machine reports of it. */
export const ComparedLine = z.strictObject({
  selection: z.string(),
  /** Null: the planogram lacks the selection. */
  planned: PlanogramLine.nullable(),
  /** Null: the machine has not reported the selection. */
  reported: ReportedLine.nullable(),
  differences: z.array(z.enum(planogramDifferences)),
})
export type ComparedLine = z.infer<typeof ComparedLine>

export const planograms = {
  listPlanograms: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/planograms',
    summary: 'List planograms',
    needs: 'planogram.read',
    feature: 'vending',
    topics: ['planogram', 'machine'],
    query: PlanogramFilters.extend(paged(planogramOrds)),
    ok: pageOf(PlanogramRow).extend(withOptionalTotals),
  }),
  getPlanogram: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/planograms/{planogramId}',
    summary: 'Get a planogram with its selections',
    needs: 'planogram.read',
    feature: 'vending',
    topics: ['planogram', 'machine'],
    ok: Planogram,
    fails: ['PlanogramNotFound'],
  }),
  createPlanogram: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/planograms',
    summary: 'Create a planogram; an error names the duplicate name',
    needs: 'planogram.write',
    feature: 'vending',
    body: NewPlanogram,
    ok: Planogram,
    status: 201,
    fails: ['MerchantNotSelected', 'PlanogramAlreadyExists', 'ProductNotFound'],
  }),
  updatePlanogram: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/planograms/{planogramId}',
    summary: 'Update a planogram with its selections',
    needs: 'planogram.write',
    feature: 'vending',
    body: editOf(NewPlanogram),
    ok: Planogram,
    fails: ['PlanogramNotFound', 'PlanogramAlreadyExists', 'ProductNotFound', 'EditConflict'],
  }),
  deletePlanogram: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/planograms/{planogramId}',
    summary: 'Delete a planogram that no machine uses',
    needs: 'planogram.write',
    feature: 'vending',
    fails: ['PlanogramNotFound', 'PlanogramInUse'],
  }),
  getPlanogramPdf: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/planograms/{planogramId}/pdf',
    summary: 'Get a planogram as PDF',
    needs: 'planogram.read',
    feature: 'vending',
    finds: ['planogramId'],
    /** The language of its words; the reader's own by default. */
    query: z.strictObject({ language: Language.optional() }),
    produces: 'application/pdf',
    fails: ['PlanogramNotFound'],
  }),
  /** The planogram that matches what a machine reports; it is not saved. */
  draftPlanogram: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/planogram/draft',
    summary: 'Draft a planogram from stock and prices of a point of sale',
    needs: 'planogram.read',
    feature: 'vending',
    finds: ['posId'],
    topics: ['stock'],
    ok: NewPlanogram,
    fails: ['MachineNotFound'],
  }),
  comparePlanogram: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/planograms/{planogramId}/pos/{posId}',
    summary: 'Compare a planogram with stock and prices of a point of sale',
    needs: 'planogram.read',
    feature: 'vending',
    finds: ['posId', 'planogramId'],
    topics: ['planogram', 'stock'],
    ok: z.strictObject({ currency: Currency, lines: z.array(ComparedLine) }),
    fails: ['PlanogramNotFound', 'MachineNotFound'],
  }),
}

/** The selections of a planogram are in its PDF. */
export const exportedPlanograms = {
  row: planograms.listPlanograms,
  filters: PlanogramFilters,
  ords: planogramOrds,
  columns: planogramColumns,
} as const satisfies ExportedList
