import { expect, test } from 'vitest'
import { screens } from '#portal/screens.ts'
import { sources } from './sources.ts'

/** Parts of the frame that speak as soon as a screen shows, and from which words. */
const parts: Record<string, string> = {
  'portal/ui/list/ListScreen.tsx': 'list',
  'portal/ui/list/useBulkConfirm.tsx': 'editing',
}

const bySource = new Map(sources().map((source) => [source.path, source]))

/** Every file that a file imports, and those import, and so on. */
function reached(from: string): Set<string> {
  const found = new Set<string>()
  const queue = [from]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    found.add(path)
    for (const { file, isType } of bySource.get(path)?.imports ?? []) if (file && !isType) queue.push(file)
  }
  return found
}

/** Where each screen's row says that its code is. */
const fileOf = (load: string) => /features\/[\w./-]+\.tsx/.exec(load)?.[0]

/** Words of the frame that a screen does not name. */
const missing = (files: Set<string>, words: readonly string[]) =>
  Object.entries(parts)
    .filter(([part, word]) => files.has(part) && !words.includes(word))
    .map(([, word]) => word)

test('every screen names the words of its frame, so that they load before it shows', () => {
  const faults = screens.map(({ path, load, words }) => {
    const files = reached(`portal/${fileOf(String(load))}`)
    expect(files.size, path).toBeGreaterThan(3)
    return { path, missing: missing(files, words) }
  })
  expect(faults.filter((fault) => fault.missing.length > 0)).toEqual([])
})

test('the check sees what is missing', () => {
  const files = reached('portal/features/alarms/alarm/AlarmListScreen.tsx')
  expect(missing(files, ['alarm'])).toEqual(['list', 'editing'])
  expect(missing(files, ['alarm', 'list', 'editing'])).toEqual([])
})
