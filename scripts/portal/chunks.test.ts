import { expect, test } from 'vitest'
import { importsOf } from './chunks.ts'

test('all imports of a screen are followed, also in cycles, but not its lazy imports', () => {
  const modules: Record<string, readonly string[]> = {
    screen: ['list', 'words'],
    list: ['table'],
    table: ['list'],
    later: ['map'],
  }
  const imports = importsOf('screen', {
    getModuleInfo: (id) => (modules[id] ? { importedIds: modules[id] } : null),
  })
  expect([...imports].sort()).toEqual(['list', 'screen', 'table', 'words'])
})

test('of a library that is imported as a whole, no module is followed: a screen uses few of them', () => {
  const barrel = '/product/node_modules/@mantine/core/esm/index.mjs'
  const modules: Record<string, readonly string[]> = {
    screen: ['card', barrel],
    card: [],
    [barrel]: ['select', 'tree'],
  }
  const imports = importsOf('screen', { getModuleInfo: (id) => (modules[id] ? { importedIds: modules[id] } : null) })
  expect([...imports].sort()).toEqual([barrel, 'card', 'screen'])
})
