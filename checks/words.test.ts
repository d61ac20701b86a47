import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { readLanguages } from './language.ts'
import { root } from './sources.ts'
import { imperatives, refusedTerms, termsIn, turnsIn } from './words.ts'
import { sentencesIn, turnFaults } from './written-words.ts'

const refused = refusedTerms(readFileSync(join(root, 'language/terms.md'), 'utf8'))
const written = readLanguages()

/** Languages that were read through with terms.md in hand. */
const heldLanguages = ['en', 'it', 'de', 'es', 'pt', 'fr']

/** Folders and pages whose comments, test titles and prose are in plain words. */
const plainFolders = [
  'agent',
  'bench',
  'checks',
  'contract',
  'database',
  'demo',
  'docs',
  'domain',
  'e2e',
  'faults',
  'portal',
  'scripts',
  'server',
  'simulator',
  'testkit',
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
]

const sentencesOf = (language: string) =>
  [...(written.get(language) ?? [])].flatMap(([feature, sentences]) =>
    [...sentences].map(([key, sentence]) => ({ place: `${feature}:${key}`, sentence })),
  )

test('English sentences use no banned turn', () => {
  const sentences = sentencesOf('en')
  expect(sentences.length).toBeGreaterThan(3000)
  const faults = sentences.flatMap(({ place, sentence }) =>
    turnsIn(sentence).map(({ instead }) => `${place} “${sentence}”: ${instead}`),
  )
  expect(faults).toEqual([])
})

test('summaries of calls are imperative and use no banned turn', () => {
  const summaries = Object.entries(endpoints).map(([name, { summary }]) => ({ name, summary }))
  expect(summaries.length).toBeGreaterThan(140)
  const faults = summaries.filter(
    ({ summary }) =>
      !imperatives.has(summary.split(' ')[0] ?? '') || turnsIn(summary).length > 0 || summary.endsWith('.'),
  )
  expect(faults).toEqual([])
})

test.each(heldLanguages)('%s uses the terms of language/terms.md', (language) => {
  // What users type to find a screen is in their words, not in ours.
  const said = sentencesOf(language).filter(({ place }) => !place.startsWith('palette:finds.'))
  const faults = said.flatMap(({ place, sentence }) =>
    termsIn(language, sentence, refused.get(language) ?? []).map((term) => `${place} “${sentence}”: ${term}`),
  )
  expect(faults).toEqual([])
})

test.each(plainFolders)('%s uses no banned turn in comments, test titles and prose', (folder) => {
  expect(turnFaults(folder)).toEqual([])
})

test('the check reads comments, test titles and prose, but no code', () => {
  const textOf = (path: string, content: string) =>
    sentencesIn(path, content).flatMap(({ text }) => (text.trim() === '' ? [] : [text.trim()]))
  const code = "const told = 1 // one\n/**\n * two\n */\ntest.each([1])('three', () => {})\nopen('http://four')"
  expect(textOf('a.ts', code)).toEqual(['one', '*', '* two', '*/', 'three'])
  expect(textOf('a.sql', 'select 1 -- one')).toEqual(['one'])
  expect(textOf('a.md', 'one `told` two\n```\ntold\n```\nthree')).toEqual(['one  two', 'three'])
})

test('terms.md refuses words of the languages that it names', () => {
  for (const language of refused.keys()) expect([...written.keys()]).toContain(language)
  expect(refused.size).toBeGreaterThan(5)
  for (const terms of refused.values()) expect(terms.length).toBeGreaterThan(5)
})

test('the check sees a banned turn and a refused term', () => {
  expect(turnsIn('What the machine is told').map(({ instead }) => instead)).toEqual(['sent, shown, reported, notified'])
  expect(turnsIn('The machine receives the command.')).toEqual([])
  expect(termsIn('de', 'Summe der Wahlen', ['Wahl', 'Wahlen'])).toEqual(['Wahlen'])
  expect(termsIn('de', 'Auswahl', ['Wahl'])).toEqual([])
  expect(termsIn('en', 'Criticity of the alarm', ['criticit*'])).toEqual(['criticit*'])
  expect(termsIn('en', 'Contact person', ['person'])).toEqual([])
})
