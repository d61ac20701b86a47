import type { NewVisit, VisitLine, VisitPlan, VisitSelection } from '#contract/stock/visit.ts'
import { type Excess, excessOf } from '#domain/stock/bounds.ts'

/** A selection as the technician leaves it. */
export interface Line extends VisitSelection {
  loaded: number
  waste: number
  counted: number | null
  /** Confirmed: the numbers of this line are true. */
  isDone: boolean
}

/** The lines of a visit: as planned and not confirmed, or those of a kept visit. */
export function linesOf({ selections }: VisitPlan, storedLines?: readonly VisitLine[]): Line[] {
  const before = new Map(storedLines?.map((line) => [line.selection, line]))
  const plannedSelections = new Set(selections.map(({ selection }) => selection))
  // The planogram lost them meanwhile; the user sees what is refused.
  const lost = (storedLines ?? [])
    .filter(({ selection }) => !plannedSelections.has(selection))
    .map(
      (line): Line => ({
        ...line,
        product: null,
        productId: null,
        level: null,
        capacity: null,
        inVan: null,
        isDone: true,
      }),
    )
  const lines = selections.map((one): Line => {
    const line = before.get(one.selection)
    if (line) return { ...one, ...line, planned: line.planned, isDone: true }
    return { ...one, loaded: one.planned, waste: 0, counted: null, isDone: false }
  })
  return [...lost, ...lines]
}

/** What is left in a selection after the visit; null: unknown. */
export function levelAfter({ level, counted, waste, loaded }: Line): number | null {
  const count = counted ?? level
  return count === null ? null : Math.max(0, count - waste) + loaded
}

/** The first impossible number of a line that was touched. */
export const excessIn = (line: Line): Excess | null => (line.isDone ? excessOf(line, line) : null)

/** Lines with pieces to load that are not confirmed. */
export const unconfirmed = (lines: readonly Line[]): Line[] =>
  lines.filter(({ isDone, planned }) => !isDone && planned > 0)

/** Lines as they are sent: only what was confirmed happened; what was planned is sent with it. */
export const sentLines = (lines: readonly Line[]): NewVisit['lines'] =>
  lines
    .filter(({ isDone, planned }) => isDone || planned > 0)
    .map(({ selection, planned, loaded, waste, counted, isDone }) => ({
      selection,
      planned,
      loaded: isDone ? loaded : 0,
      waste: isDone ? waste : 0,
      counted: isDone ? counted : null,
    }))
