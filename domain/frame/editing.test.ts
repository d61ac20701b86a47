import { expect, test } from 'vitest'
import { changedFields, isOvertaken, mergeEdits, refusedNames } from './editing.ts'

const base = { name: 'Atrium', address: null as string | null, groupId: 'a' }

test('a change by only one side needs no decision', () => {
  const merge = mergeEdits(base, { ...base, name: 'Lobby' }, { ...base, address: 'Via Roma 1' })
  expect(merge).toEqual({
    merged: { name: 'Lobby', address: 'Via Roma 1', groupId: 'a' },
    conflicts: [],
    theirs: ['address'],
  })
})

test('a field that both have changed to the same is no conflict', () => {
  const merge = mergeEdits(base, { ...base, name: 'Lobby' }, { ...base, name: 'Lobby', groupId: 'b' })
  expect(merge).toEqual({ merged: { ...base, name: 'Lobby', groupId: 'b' }, conflicts: [], theirs: ['groupId'] })
})

test('a field that both changed differently needs a decision, with both values shown', () => {
  const merge = mergeEdits(base, { ...base, name: 'Lobby' }, { ...base, name: 'Hall' })
  expect(merge.conflicts).toEqual([{ field: 'name', theirs: 'Hall', mine: 'Lobby' }])
  expect(merge.merged.name).toBe('Lobby')
})

test('an edit of an older version is overtaken, unless its content is stored already', () => {
  const record = { version: 2, name: 'Lobby', address: null }
  expect(isOvertaken({ version: 2, name: 'Hall' }, record)).toBe(false)
  expect(isOvertaken({ version: 1, name: 'Hall' }, record)).toBe(true)
  expect(isOvertaken({ version: 1, name: 'Lobby' }, record)).toBe(false)
  expect(isOvertaken({ version: 1, name: 'Lobby', address: 'Via Roma 1' }, record)).toBe(true)
})

test('fields an edit does not name are not its changes', () => {
  expect(changedFields({ name: undefined, address: 'Via Roma 1' }, base)).toEqual(['address'])
  expect(changedFields({ tags: ['a'] }, { tags: ['a'] })).toEqual([])
})

const renaming = (id: string, before: string, after: string, merchantId = 'm') => ({ id, merchantId, before, after })
const nobody = () => false

test('names may be exchanged and moved along', () => {
  expect(refusedNames([renaming('1', 'A', 'B'), renaming('2', 'B', 'A')], nobody)).toEqual(new Set())
  const along = [renaming('1', 'A', 'B'), renaming('2', 'B', 'C'), renaming('3', 'C', 'D')]
  expect(refusedNames(along, nobody)).toEqual(new Set())
})

test('the first of two renamings to one name wins; a refused renaming keeps its old name reserved', () => {
  expect(refusedNames([renaming('1', 'A', 'X'), renaming('2', 'B', 'X')], nobody)).toEqual(new Set(['2']))
  const blocked = [renaming('1', 'A', 'B'), renaming('2', 'B', 'X')]
  expect(refusedNames(blocked, (_, name) => name === 'X')).toEqual(new Set(['1', '2']))
})

test('another merchant may use the name', () => {
  expect(refusedNames([renaming('1', 'A', 'X'), renaming('2', 'B', 'X', 'n')], nobody)).toEqual(new Set())
})
