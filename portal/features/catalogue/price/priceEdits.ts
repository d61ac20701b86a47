import { mostPriceEdits, type PriceConflict, type PriceEdit, type PriceRow } from '#contract/catalogue/price.ts'
import type { CellValue, RowEdit, RowOutcome } from '#portal/ui/grid/types.ts'
import { priceIn } from './machinePrice.ts'
import type { PriceUpdate } from './usePriceUpdate.tsx'

const prefix = 'table'
/** The grid's column of a price table. */
export const columnOf = (table: number) => `${prefix}${table}`
const tableOf = (column: string) => Number(column.slice(prefix.length))

export const wantedOf = (row: PriceRow, table: number): number | null => priceIn(row, table)?.wanted ?? null

/** The row with the saved target prices. */
export function withWanted(row: PriceRow, targets: ReadonlyMap<number, number | null>): PriceRow {
  const tables = new Set(row.prices.map(({ priceTable }) => priceTable))
  const added = [...targets]
    .filter(([table]) => !tables.has(table))
    .map(([priceTable, price]) => ({
      priceTable,
      wanted: price,
      wantedAt: null,
      sent: null,
      reported: null,
      audited: null,
      charged: null,
      sync: 'pending' as const,
      loss: null,
      planned: [],
    }))
  const changed = row.prices.map((one) =>
    targets.has(one.priceTable) ? { ...one, wanted: targets.get(one.priceTable) ?? null } : one,
  )
  return { ...row, prices: [...changed, ...added].sort((a, b) => a.priceTable - b.priceTable) }
}

/** The grid's changes in the format of the call: each with the target price that the user saw. */
export const editsOf = ({ row, values }: RowEdit<PriceRow>): PriceEdit[] =>
  Object.entries(values).map(([column, value]) => ({
    selection: row.selection,
    priceTable: tableOf(column),
    before: wantedOf(row, tableOf(column)),
    price: value as number | null,
  }))

/** The result of each row. A row with a conflict has its other prices saved. */
export function outcomesOf(
  edits: readonly RowEdit<PriceRow>[],
  conflicts: readonly PriceConflict[],
): RowOutcome<PriceRow>[] {
  const bySelection = Map.groupBy(conflicts, ({ selection }) => selection)
  return edits.map(({ row, values }) => {
    const targets = new Map(Object.entries(values).map(([column, value]) => [tableOf(column), value as CellValue]))
    const rowConflicts = bySelection.get(row.selection) ?? []
    for (const { priceTable, current } of rowConflicts) targets.set(priceTable, current)
    const current = withWanted(row, targets as Map<number, number | null>)
    if (rowConflicts.length === 0) return { kind: 'saved', row: current }
    const last = rowConflicts.reduce((a, b) => ((b.changedAt ?? '') > (a.changedAt ?? '') ? b : a))
    return { kind: 'conflict', current, by: last.changedBy ?? undefined, at: last.changedAt ?? undefined }
  })
}

/** Saves the grid's changes, in as few calls as their number allows. */
export async function savePrices(
  update: PriceUpdate,
  params: { merchantId: string; posId: string },
  rows: readonly RowEdit<PriceRow>[],
): Promise<RowOutcome<PriceRow>[]> {
  const edits = rows.flatMap(editsOf)
  const currency = rows[0]?.row.currency
  if (!currency) return []
  const conflicts: PriceConflict[] = []
  for (let from = 0; from < edits.length; from += mostPriceEdits) {
    const some = edits.slice(from, from + mostPriceEdits)
    conflicts.push(...(await update(params, some, currency)).conflicts)
  }
  return outcomesOf(rows, conflicts)
}
