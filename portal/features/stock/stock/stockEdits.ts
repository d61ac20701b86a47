import type { StockRow } from '#contract/stock/stock.ts'
import { type StockEdit, stockMovements, type stockRefusals } from '#contract/stock/stock-movement.ts'
import { call } from '#portal/app/api.ts'
import type { RowEdit, RowOutcome } from '#portal/ui/grid/types.ts'

const fields = ['count', 'waste', 'refill'] as const

/** A row of the grid as the call takes it; a cell that was emptied again says nothing. */
export const editOf = ({ row, values }: RowEdit<StockRow>): StockEdit => ({
  selection: row.selection,
  before: row.level,
  ...Object.fromEntries(
    fields.flatMap((field) => (typeof values[field] === 'number' ? [[field, values[field] as number]] : [])),
  ),
})

type Reasons = Record<(typeof stockRefusals)[number], string>
type BookingResult = Awaited<ReturnType<typeof bookStock>>
const bookStock = (params: { merchantId: string; posId: string }, edits: StockEdit[]) =>
  call(stockMovements.bookStock, { params, body: { edits } })

/** The result of each row; a level that changed since it was counted is a conflict. */
export function outcomesOf(
  edits: readonly RowEdit<StockRow>[],
  { levels, conflicts, refused }: Pick<BookingResult, 'levels' | 'conflicts' | 'refused'>,
  reasons: Reasons,
): RowOutcome<StockRow>[] {
  return edits.map(({ row, values }) => {
    const isOwn = ({ selection }: { selection: string }) => selection === row.selection
    const no = refused.find(isOwn)
    if (no) {
      const column = fields.findLast((field) => typeof values[field] === 'number') ?? 'refill'
      return { kind: 'refused', column, sentence: reasons[no.reason] }
    }
    const conflict = conflicts.find(isOwn)
    if (conflict)
      return { kind: 'conflict', current: { ...row, level: conflict.current }, by: undefined, at: undefined }
    return { kind: 'saved', row: { ...row, level: levels.find(isOwn)?.level ?? row.level } }
  })
}

export const saveStock = async (
  params: { merchantId: string; posId: string },
  edits: readonly RowEdit<StockRow>[],
  reasons: Reasons,
): Promise<RowOutcome<StockRow>[]> => outcomesOf(edits, await bookStock(params, edits.map(editOf)), reasons)
