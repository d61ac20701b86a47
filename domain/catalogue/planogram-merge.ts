import type { NewPlanogram, PlanogramLine } from '#contract/catalogue/planogram.ts'
import { type EditConflict, type Merge, mergeEdits } from '../frame/editing.ts'

/** A planogram as a form holds it: its fields, and selections in their order. */
export type Planned = Pick<NewPlanogram, 'name' | 'description' | 'planogramType'> & { lines: PlanogramLine[] }

const prefix = 'line '
/** The selection that a merged field is about; undefined for a field of the planogram itself. */
export const selectionOfField = (field: string): string | undefined =>
  field.startsWith(prefix) ? field.slice(prefix.length) : undefined

/** A planogram with a field for each selection, so that changes of different selections can be merged. */
const linesBySelection = ({ lines, ...fields }: Planned): Record<string, unknown> => ({
  ...fields,
  ...Object.fromEntries(lines.map((line) => [`${prefix}${line.selection}`, line])),
})

const orderOf = ({ lines }: Planned) => lines.map(({ selection }) => selection)

/** The order of one side, with selections of the other side after the selection that they follow there. */
function mergedOrder(base: string[], edited: string[], current: string[]): string[] {
  const common = (order: string[], other: string[]) => order.filter((selection) => other.includes(selection)).join('\n')
  const isMineMoved = common(edited, base) !== common(base, edited)
  const [order, other] = isMineMoved ? [[...edited], current] : [[...current], edited]
  other.forEach((selection, at) => {
    if (order.includes(selection)) return
    const before = other.slice(0, at).findLast((one) => order.includes(one))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, selection)
  })
  return order
}

/** Puts two changes of a planogram together, selection by selection. */
export function mergePlanograms(base: Planned, edited: Planned, current: Planned): Merge<Planned> {
  const { merged, ...result } = mergeEdits(linesBySelection(base), linesBySelection(edited), linesBySelection(current))
  const order = mergedOrder(orderOf(base), orderOf(edited), orderOf(current))
  const lines = order.flatMap((selection) => {
    const line = merged[`${prefix}${selection}`] as PlanogramLine | undefined
    return line ? [line] : []
  })
  const { name, description, planogramType } = merged as Planned
  return { ...result, merged: { name, description, planogramType, lines } }
}

/** Takes the other user's values. Selections that the other user removed are removed; missing selections are added at the end. */
export function takePlanogram(values: Planned, accepted: readonly EditConflict[]): Planned {
  const result: Planned = { ...values, lines: [...values.lines] }
  for (const { field, theirs } of accepted) {
    const selection = selectionOfField(field)
    if (selection === undefined) Object.assign(result, { [field]: theirs })
    else {
      const at = result.lines.findIndex((line) => line.selection === selection)
      const line = theirs ? [theirs as PlanogramLine] : []
      if (at >= 0) result.lines.splice(at, 1, ...line)
      else result.lines.push(...line)
    }
  }
  return result
}
