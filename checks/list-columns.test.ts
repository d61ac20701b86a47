import { expect, test } from 'vitest'
import { exportLists } from '#contract/export/export-lists.ts'
import { factsInFile, type ListColumns, shownFactOf } from '#contract/frame/list-columns.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { readLanguage } from '#server/words/language-files.ts'
import { sources } from './sources.ts'

const files = sources()

test('screens take the columns of their lists from the contract', () => {
  const screens = files.filter(({ path }) => path.startsWith('portal/features/') && !path.includes('/kit/'))
  const lists = screens.filter(({ text }) => text.includes('<ListScreen'))
  expect(lists.length).toBeGreaterThan(50)
  // A column of its own would have a heading of its own.
  const byHand = screens.filter(({ imports }) =>
    imports.some(({ file, names }) => file === 'portal/ui/list/types.ts' && names.includes('Column')),
  )
  expect(byHand.map(({ path }) => path)).toEqual([])
})

test('a column of several facts has one heading on the screen, and the file one for each', () => {
  const columns = {
    place: { facts: { city: { kind: 'text', heading: 'a:city' }, zip: { kind: 'text', heading: 'a:zip' } } },
    states: { heading: 'a:states', facts: { up: { kind: 'number', heading: 'a:up' } } },
  } as const satisfies ListColumns
  expect(shownFactOf(columns.place)).toMatchObject({ kind: 'text', heading: 'a:city' })
  expect(shownFactOf(columns.states)).toMatchObject({ kind: 'number', heading: 'a:states' })
  expect(factsInFile(columns).map(([id, facts]) => [id, Object.keys(facts)])).toEqual([
    ['place', ['city', 'zip']],
    ['states', ['up']],
  ])
})

test('a file has neither buttons nor what only the screen shows', () => {
  const columns: ListColumns = {
    name: { kind: 'text', heading: 'a:name' },
    people: { kind: 'number', heading: 'a:people', only: 'screen' },
    acts: { kind: 'own', heading: 'a:acts' },
    id: { kind: 'plain', heading: 'a:id', only: 'file' },
  }
  expect(factsInFile(columns).map(([id]) => id)).toEqual(['name', 'id'])
})

test.each(languages)('the file adds units to headings in %s: no sentence has one of its own', (language) => {
  const words = readLanguage(language) as Record<string, unknown>
  const sentenceOf = (heading: string) => {
    const [feature = '', key = ''] = heading.split(':')
    return key.split('.').reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], words[feature])
  }
  const headings = Object.values(exportLists).flatMap(({ columns }) =>
    Object.values(columns as ListColumns).map((column) => shownFactOf(column).heading),
  )
  // A form and an import read the same words.
  const isOfForm = (heading: string) => heading === 'product:field.vat'
  const sentences = headings.filter((heading) => !isOfForm(heading)).map(sentenceOf)
  expect(sentences.every((sentence) => typeof sentence === 'string')).toBe(true)
  expect(sentences.filter((sentence) => /\((%|min|bytes?|octets|EUR)\)$/i.test(String(sentence)))).toEqual([])
})
