import { createElement } from 'react'
import { expect, test } from 'vitest'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { readWords } from '#testkit/words.ts'
import * as looks from './looks.ts'
import { type Appearance, StatusBadge } from './StatusBadge.tsx'

const tables = Object.entries(looks as Record<string, Record<string, Appearance>>)

const sentenceOf = (language: string, word: string) => {
  const [feature = '', key = ''] = word.split(':')
  return key
    .split('.')
    .reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], readWords<unknown>(language, feature))
}

test.each(tables)(
  'every value of %s has its own combination of colour and mark, and a word in six languages',
  (_, table) => {
    const values = Object.entries(table)
    expect(values.length).toBeGreaterThan(1)
    const missing = values.flatMap(([value, { word }]) =>
      languages
        .filter((language) => {
          const sentence = sentenceOf(language, word)
          return typeof sentence !== 'string' || sentence.trim() === ''
        })
        .map((language) => `${value} in ${language}`),
    )
    expect(missing).toEqual([])
    // Two states differ not only in their words.
    const appearances = values.map(([, { tone, mark }]) => `${tone} ${mark}`)
    expect(appearances).toEqual([...new Set(appearances)])
  },
)

test('a badge takes only the values of its vocabulary, and an incomplete table does not compile', () => {
  createElement(StatusBadge<keyof typeof looks.connectionLooks>, { of: looks.connectionLooks, value: 1 })
  // @ts-expect-error -- there is no such connection
  createElement(StatusBadge<keyof typeof looks.connectionLooks>, { of: looks.connectionLooks, value: 7 })
  const { 0: _, ...partial } = looks.connectionLooks
  // @ts-expect-error -- offline has no look
  createElement(StatusBadge<keyof typeof looks.connectionLooks>, { of: partial, value: 1 })
  expect(Object.keys(partial)).toHaveLength(2)
})
