import { ProductError } from '#contract/errors.ts'

/** Rows as a call names them: by their ids, or as all that match but a few, with how many those were. */
export type Selection<Filters> = { ids: string[] } | { matching: Filters; count: number; except?: string[] | undefined }

/** What was selected; `isWhole` is false when a named row is not in the scope. */
export interface Chosen {
  ids: string[]
  isWhole: boolean
}

/**
 * The ids of a selection. What matches a filter is counted again: when it is not what the person saw and confirmed, it is
 * refused as `SelectionChanged` with the number of now.
 */
export async function chosenOf<Filters>(
  selection: Selection<Filters>,
  find: {
    named: (ids: readonly string[]) => Promise<string[]>
    /** At most `most` ids of what matches without the excepted, and how many there are. */
    matched: (except: readonly string[], most: number) => Promise<{ ids: string[]; total: number }>
  },
): Promise<Chosen> {
  if ('ids' in selection) {
    const wanted = [...new Set(selection.ids)]
    const ids = await find.named(wanted)
    return { ids, isWhole: ids.length === wanted.length }
  }
  const { ids, total } = await find.matched(selection.except ?? [], selection.count)
  if (total !== selection.count || ids.length !== total) throw new ProductError('SelectionChanged', { count: total })
  return { ids, isWhole: true }
}
