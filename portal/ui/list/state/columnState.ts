import { columnWidths, type TableHeader } from '#contract/platform/table-state.ts'

/** The properties of a column used here. */
export interface ColumnRule {
  id: string
  isHidden?: boolean
  isFixed?: boolean
  width?: number
}

/** In pixels: the default width of a column beside columns with a set width. */
export const usualWidth = 150

/**
 * All columns in order: the saved ones, including those absent under this merchant or view, and each new column
 * after its predecessor in the list.
 */
export function arrange(columns: readonly ColumnRule[], saved: readonly TableHeader[]): TableHeader[] {
  const all = [...saved]
  const placeOf = (id: string) => all.findIndex((header) => header.id === id)
  for (const [index, { id }] of columns.entries()) {
    if (placeOf(id) >= 0) continue
    const before = columns.slice(0, index).findLast((column) => placeOf(column.id) >= 0)
    all.splice(before ? placeOf(before.id) + 1 : 0, 0, { id, isShown: null, width: null })
  }
  return all
}

export const isShownIn = (header: TableHeader | undefined, { isFixed, isHidden }: ColumnRule) =>
  Boolean(isFixed) || (header?.isShown ?? !isHidden)

/** Shows or hides a column; the list's default is not stored as a choice. */
export const toggled = (all: readonly TableHeader[], column: ColumnRule): TableHeader[] =>
  all.map((header) => {
    if (header.id !== column.id) return header
    const isShown = !isShownIn(header, column)
    return { ...header, isShown: isShown === !column.isHidden ? null : isShown }
  })

/** Moves a column before another, or to the end. */
export function moved(all: readonly TableHeader[], id: string, before: string | undefined): TableHeader[] {
  const it = all.find((header) => header.id === id)
  const others = all.filter((header) => header.id !== id)
  if (!it || id === before) return [...all]
  const at = before === undefined ? -1 : others.findIndex((header) => header.id === before)
  return at < 0 ? [...others, it] : others.toSpliced(at, 0, it)
}

export const boundWidth = (width: number) =>
  Math.round(Math.min(columnWidths.most, Math.max(columnWidths.least, width)))

/**
 * Sets widths of columns in pixels. Once one column has a width, all visible columns get one, so that dragging moves
 * no neighbour.
 */
export const resized = (all: readonly TableHeader[], widths: ReadonlyMap<string, number>): TableHeader[] =>
  all.map((header) => {
    const width = widths.get(header.id)
    return width === undefined ? header : { ...header, width: boundWidth(width) }
  })

/** The widths of the shown columns in pixels; undefined while the table sizes them by content. */
export function widthsOf(
  visibleColumns: readonly ColumnRule[],
  all: readonly TableHeader[],
): ReadonlyMap<string, number> | undefined {
  const saved = new Map(all.map(({ id, width }) => [id, width]))
  if (!visibleColumns.some(({ id }) => saved.get(id))) return undefined
  return new Map(visibleColumns.map(({ id, width }) => [id, saved.get(id) ?? width ?? usualWidth]))
}

/** The choice to save; undefined if it equals the list's default. */
export function headersToSave(columns: readonly ColumnRule[], all: readonly TableHeader[]): TableHeader[] {
  const ids = new Set(columns.map(({ id }) => id))
  const order = all.filter(({ id }) => ids.has(id)).map(({ id }) => id)
  const isUntouched = all.every(({ isShown, width }) => isShown === null && width === null)
  return isUntouched && order.join() === columns.map(({ id }) => id).join() ? [] : [...all]
}

/** Whether two choices show the same columns in the same order, with any widths. */
export function isSameChoice(
  columns: readonly ColumnRule[],
  one: readonly TableHeader[],
  other: readonly TableHeader[],
): boolean {
  const visibleIds = (saved: readonly TableHeader[]) =>
    arrange(columns, saved)
      .filter((header) => columns.some((column) => column.id === header.id && isShownIn(header, column)))
      .map(({ id }) => id)
      .join()
  return visibleIds(one) === visibleIds(other)
}
