/** Minutes of an update without enough past updates. */
export const defaultUpdateMinutes = 30
/** So many past updates are enough. */
const enough = 3
/** Three of four updates are done in their usual time. */
const share = 0.75

/**
 * The usual minutes of an update, from its command to the machine's report of the new version: by past updates with the same file, or, where
 * they are too few, by those of the same kind.
 */
export function usualMinutesOf(ofFile: readonly number[], ofKind: readonly number[]): number {
  const past = ofFile.length >= enough ? ofFile : ofKind
  if (past.length < enough) return defaultUpdateMinutes
  const sorted = past.toSorted((one, other) => one - other)
  return Math.ceil(sorted[Math.ceil(sorted.length * share) - 1] as number)
}
