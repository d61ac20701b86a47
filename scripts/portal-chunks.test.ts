import { expect, test } from 'vitest'
import { importsOf } from './portal-chunks.ts'

test('what a screen imports is followed to its end, round circles, and not into what comes later', () => {
  const modules: Record<string, readonly string[]> = {
    screen: ['list', 'words'],
    list: ['table'],
    table: ['list'],
    later: ['map'],
  }
  const found = importsOf('screen', {
    getModuleInfo: (id) => (modules[id] ? { importedIds: modules[id] } : null),
  })
  expect([...found].sort()).toEqual(['list', 'screen', 'table', 'words'])
})
