import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

export interface SettledFile {
  name: string
  path: string
  stats: Stats
}

/** Letters of a name that are kept, of at most three bytes each: with the time and an ending the new name has fewer than 255 bytes. */
const longestKept = 70

/** The name of a file that is moved: the time before it, and the end of a long name. */
export const movedName = (name: string, at: Date): string =>
  `${at.toISOString().replaceAll(':', '-')}-${name.slice(-longestKept)}`

/** Files of a folder that another program writes: each scan finds the files whose size and time are those of the scan before, sorted by name. */
export function openSettledFiles(folder: string, names: RegExp, failed: (error: unknown) => void): () => SettledFile[] {
  let before = new Map<string, string>()
  return () => {
    const seen = new Map<string, string>()
    const settled: SettledFile[] = []
    for (const name of readdirSync(folder)
      .filter((each) => names.test(each))
      .toSorted())
      try {
        const path = join(folder, name)
        const stats = lstatSync(path)
        if (!stats.isFile()) continue
        const state = `${stats.size} ${stats.mtimeMs}`
        seen.set(name, state)
        if (before.get(name) === state) settled.push({ name, path, stats })
      } catch (error) {
        failed(error)
      }
    before = seen
    return settled
  }
}
