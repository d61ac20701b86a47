import {
  type ComparedLine,
  mostPlanogramLines,
  type NewPlanogram,
  type PlanogramLine,
  type PricesByTable,
} from '#contract/catalogue/planogram.ts'
import { mostPrice } from '#contract/vocabulary/catalogue/price.ts'
import { nameAmong } from '../frame/selection-name.ts'
import { bySelection, warningLevelOf } from '../stock/stock.ts'

/** A selection as a machine reports it. `product` is the mapped product's name, or the machine's own. Null: not reported. */
export interface ReportedSelection {
  selection: string
  productId: string | null
  product: string | null
  level: number | null
  capacity: number | null
  warningLevel: number | null
  prices: PricesByTable
}

const inOrder = <T extends { selection: string }>(lines: readonly T[]): T[] =>
  lines.toSorted((one, other) => bySelection(one.selection, other.selection))

/** The most pieces of a selection in a planogram. */
const mostPieces = 10_000
/** Capacity of a selection whose machine reports none, such as a spiral of ten. */
const usualCapacity = 10

function draftLine({ selection, productId, level, capacity, warningLevel, prices }: ReportedSelection): PlanogramLine {
  const most = Math.min(Math.max(capacity ?? Math.max(usualCapacity, level ?? 0), 1), mostPieces)
  const warning = warningLevelOf({ capacity: most, warningLevel }) ?? 0
  const sold = Object.entries(prices).filter(([, price]) => price !== undefined && price >= 0 && price <= mostPrice)
  return {
    selection,
    productId,
    capacity: most,
    warningLevel: Math.max(0, warning),
    refillValue: most,
    prices: Object.fromEntries(sold),
  }
}

/** The planogram that matches what a machine reports: its selections in the machine's order, full. */
export const draftOf = (
  machine: Pick<NewPlanogram, 'name' | 'planogramType'>,
  reported: readonly ReportedSelection[],
): NewPlanogram => ({
  name: machine.name,
  description: null,
  planogramType: machine.planogramType,
  lines: inOrder(reported).slice(0, mostPlanogramLines).map(draftLine),
})

/**
 * In what a machine's report differs from a planned selection. A product that the merchant does not know always differs. What the machine does
 * not report is no difference, and neither is a price that is not planned.
 */
function differencesOf(planned: PlanogramLine, reported: ReportedSelection): ComparedLine['differences'] {
  const { productId, product, capacity, prices } = reported
  const tables = Object.keys(planned.prices) as (keyof PricesByTable)[]
  const isPriceOther = tables.some((table) => prices[table] !== undefined && prices[table] !== planned.prices[table])
  return [
    ...(product !== null && (productId === null || productId !== planned.productId) ? (['product'] as const) : []),
    ...(capacity !== null && capacity !== planned.capacity ? (['capacity'] as const) : []),
    ...(isPriceOther ? (['price'] as const) : []),
  ]
}

/** A planogram beside what a machine reports: selections that differ first, each part in the machine's order. */
export function compareLines(
  planned: readonly PlanogramLine[],
  reported: readonly ReportedSelection[],
): ComparedLine[] {
  const bySelectionName = new Map(reported.map((one) => [one.selection, one]))
  const exact = new Set(planned.map(({ selection }) => selection))
  const reportedAs = new Map(
    planned.map(({ selection }) => {
      const name = nameAmong(selection, bySelectionName)
      return [selection, name === selection || !exact.has(name ?? '') ? name : undefined]
    }),
  )
  const names = new Set(reportedAs.values())
  const lines = [
    ...planned.map((line): ComparedLine => {
      const reportedLine = bySelectionName.get(reportedAs.get(line.selection) ?? '')
      const product = reportedLine && {
        productId: reportedLine.productId,
        product: reportedLine.product,
        capacity: reportedLine.capacity,
        prices: reportedLine.prices,
      }
      return {
        selection: line.selection,
        planned: line,
        reported: product ?? null,
        differences: reportedLine ? differencesOf(line, reportedLine) : ['onlyPlanned'],
      }
    }),
    ...reported
      .filter(({ selection }) => !names.has(selection))
      .map(
        ({ selection, productId, product, capacity, prices }): ComparedLine => ({
          selection,
          planned: null,
          reported: { productId, product, capacity, prices },
          differences: ['onlyReported'],
        }),
      ),
  ]
  const sorted = inOrder(lines)
  return [
    ...sorted.filter(({ differences }) => differences.length > 0),
    ...sorted.filter(({ differences }) => differences.length === 0),
  ]
}
