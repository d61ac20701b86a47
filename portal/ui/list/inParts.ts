import { mostSelected } from '#contract/frame/selection.ts'

/** An act on any number of records, with at most a selection's ids per call. */
export async function inParts(ids: readonly string[], act: (ids: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += mostSelected) await act(ids.slice(from, from + mostSelected))
}
