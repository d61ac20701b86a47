import { beforeEach, expect, test, vi } from 'vitest'
import { cleanUp } from '#portal/app/session/onLogout.ts'
import { type Recent, recentFirst, recents, rememberRecent } from './paletteRecents.ts'

const recent = (id: string): Recent => ({ id, label: id, group: 'screens', place: { to: `/${id}` } })
const storage = new Map<string, string>()
beforeEach(() => {
  storage.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
})
const ids = () => recents().map(({ id }) => id)

test('the latest entry is first and unique, among a maximum of five', () => {
  for (const id of ['a', 'b', 'c', 'a', 'd', 'e', 'f']) rememberRecent(recent(id))
  expect(ids()).toEqual(['f', 'e', 'd', 'a', 'c'])
})

test('recently opened entries are first among the results, the others keep their order', () => {
  const entries = ['x', 'y', 'b', 'a'].map((id) => ({ id }))
  expect(recentFirst(entries, [recent('a'), recent('b')]).map(({ id }) => id)).toEqual(['a', 'b', 'x', 'y'])
})

test.each(['', '{', 'null', '{"a":1}', '[1,null,{"id":3}]'])(
  'a store that contains %s has no recent entries',
  (text) => {
    storage.set('gettone.recent', text)
    expect(recents()).toEqual([])
  },
)

test('without browser storage there are no recent entries and no errors', () => {
  vi.stubGlobal('sessionStorage', undefined)
  rememberRecent(recent('a'))
  expect(recents()).toEqual([])
})

test("the next user on this computer does not see the last user's entries", async () => {
  rememberRecent(recent('a'))
  await cleanUp('signedOut')
  expect(recents()).toEqual([])
})
