import { expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { periodPresets } from '#contract/frame/period.ts'
import { alarmCategories, alarmSources } from '#contract/vocabulary/alarm.ts'
import { auditOrigins, auditPorts } from '#contract/vocabulary/audit.ts'
import { networkTypes } from '#contract/vocabulary/device.ts'
import { commandTypes } from '#contract/vocabulary/remote-command.ts'
import { endCustomer, roles } from '#contract/vocabulary/roles.ts'
import { mediaSources, mediaTypes, priceTables, transactionTypes } from '#contract/vocabulary/transaction.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { menuGroups, screens } from '#portal/screens.ts'
import * as looks from '#portal/ui/value/looks.ts'
import { readWords } from '#testkit/words.ts'

type Words = { [key: string]: string | Words }
const read = readWords<Words>
const keysOf = (words: Words, above = ''): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [above + key] : keysOf(value, `${above}${key}.`),
  )
/** Plural forms differ between languages; the sentence's key does not. */
const sentences = (words: Words) =>
  [...new Set(keysOf(words).map((key) => key.replace(/_(one|many|other)$/, '')))].sort()
const at = (words: Words, path: string) =>
  path
    .split('.')
    .reduce<string | Words | undefined>((node, key) => (typeof node === 'object' ? node[key] : undefined), words)

const files = ['shell', 'ui', 'errors', 'vocabulary']
const english = Object.fromEntries(files.map((file) => [file, read('en', file)])) as Record<string, Words>

test.each(languages.flatMap((language) => files.map((file) => [language, file] as const)))(
  '%s has every sentence of %s',
  (language, file) => {
    const words = read(language, file)
    expect(sentences(words)).toEqual(sentences(english[file] as Words))
    for (const key of keysOf(words)) expect(String(at(words, key)).trim(), key).not.toBe('')
  },
)

test.each(languages)('every plural of %s has the forms of its language', (language) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  for (const file of files) {
    const keys = keysOf(read(language, file))
    const plurals = keys.filter((key) => key.endsWith('_other')).map((key) => key.slice(0, -6))
    for (const plural of plurals)
      expect(keys.filter((key) => forms.some((form) => key === `${plural}_${form}`))).toHaveLength(forms.length)
  }
})

test('every error has a sentence', () => {
  for (const code of [...Object.keys(errors), 'Unreachable', 'TimedOut'])
    expect(at(english.errors as Words, code), code).toBeTypeOf('string')
})

test('every state has a word', () => {
  for (const table of Object.values(looks))
    for (const { word } of Object.values(table)) {
      const [file, key] = word.split(':') as [string, string]
      expect(at(english[file] as Words, key), word).toBeTypeOf('string')
    }
})

test('every code of the vocabulary has a word', () => {
  const codes = {
    alarmCategory: alarmCategories,
    alarmSource: alarmSources,
    auditOrigin: Object.keys(auditOrigins),
    auditPort: auditPorts,
    networkType: networkTypes,
    commandType: Object.keys(commandTypes),
    transactionType: Object.keys(transactionTypes),
    mediaType: Object.keys(mediaTypes),
    mediaSource: Object.keys(mediaSources),
    priceTable: Object.keys(priceTables),
  }
  for (const [noun, names] of Object.entries(codes))
    for (const name of names)
      expect(at(english.vocabulary as Words, `${noun}.${name}`), `${noun}.${name}`).toBeTypeOf('string')
})

test('every screen, group of the menu, role and preset has a name', () => {
  const named = [
    ...screens.map(({ label }) => `screens.${label}`),
    ...menuGroups.map(({ name }) => `menu.groups.${name}`),
    ...[...roles, endCustomer].map((role) => `roles.${role}`),
  ]
  for (const key of named) expect(at(english.shell as Words, key), key).toBeTypeOf('string')
  for (const preset of periodPresets) expect(at(english.ui as Words, `period.${preset}`), preset).toBeTypeOf('string')
})
