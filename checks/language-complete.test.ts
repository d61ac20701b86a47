import { expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { flatten, isSaid, languageFaults, readLanguages, usedKeys } from './language.ts'
import { isTest, parseText, sources } from './sources.ts'

const written = readLanguages()
const master = written.get('en') ?? new Map()

test('every language has every feature', () => {
  expect(master.size).toBeGreaterThan(3)
  expect([...written.keys()].sort()).toEqual([...languages].sort())
  for (const [language, features] of written) {
    expect([...features.keys()].sort(), `features in language/${language}`).toEqual([...master.keys()].sort())
  }
})

test('every language says what English says, with the plurals and the variables it needs', () => {
  const faults: string[] = []
  for (const [language, features] of written) {
    for (const [feature, sentences] of features)
      faults.push(...languageFaults(language, feature, master.get(feature) ?? new Map(), sentences))
  }
  expect(faults).toEqual([])
})

test('every sentence that the code asks for is written', () => {
  const used = sources()
    .filter(({ path }) => /^(portal|server)\//.test(path) && !isTest(path))
    .flatMap((source) => usedKeys(source, new Set(master.keys())))
  expect(used.length).toBeGreaterThan(50)
  expect(
    used
      .filter((one) => !isSaid(one, master))
      .map(({ key, place, features }) => `${place} ${features.join('|')} ${key}`),
  ).toEqual([])
})

test('every error that the product answers with has its sentence', () => {
  const sentences = master.get('errors')
  expect(Object.keys(errors).filter((code) => !sentences?.has(code))).toEqual([])
})

const faultsOf = (language: string, english: unknown, translated: unknown) =>
  languageFaults(language, 'alarms', flatten(english), flatten(translated)).map((fault) => fault.split('.json: ')[1])

test('the check sees what is missing, left over, empty, or still in English', () => {
  const english = { a: { b: 'Jam' }, c: 'Cut', d: 'The machine has not been heard of' }
  expect(faultsOf('it', english, { a: { b: '' }, d: 'The machine has not been heard of', e: 'Via' })).toEqual([
    'c is missing',
    'a.b is empty',
    'd is still in English',
    'e is not in English',
  ])
})

test('the check knows the plurals of each language', () => {
  const english = { n_one: '{{count}} sale', n_other: '{{count}} sales' }
  expect(faultsOf('de', english, { n_one: 'ein Verkauf', n_other: '{{count}} Verkäufe' })).toEqual([])
  expect(faultsOf('it', english, { n_one: '{{count}} vendita', n_other: '{{count}} vendite' })).toEqual([
    'n lacks the plural many',
  ])
  expect(
    faultsOf('de', english, {
      n_one: '{{count}} Verkauf',
      n_many: '{{count}} Verkäufe',
      n_other: '{{count}} Verkäufe',
    }),
  ).toEqual(['n has the plural many, which de does not know'])
})

test('the check compares the variables', () => {
  expect(faultsOf('it', { a: 'Hello {{name}}' }, { a: 'Ciao {{nome}}' })).toEqual([
    'a differs from English in {{name, {{nome',
  ])
})

const keysIn = (text: string) =>
  usedKeys(parseText('portal/a.tsx', text), new Set(['x', 'y', 'z', 'mail'])).map(
    ({ features, key }) => `${features.join('|')} ${key}`,
  )

test('the check finds keys of sentences in the code', () => {
  expect(
    keysIn("function A() { const { t } = useTranslation('alarms'); return <p>{t('a.b')} {t(isOpen ? 'c' : 'd')}</p> }"),
  ).toEqual(['alarms a.b', 'alarms c', 'alarms d'])
  expect(
    keysIn("function A() { const { t: e } = useTranslation(['x', 'y']); return e(`status.${s}`) + e('z:q') }"),
  ).toEqual(['x|y status.*', 'z q'])
  expect(
    keysIn(
      "const words = wordsIn(language, 'mail'); words('subject'); other('x'); const f = (t) => t('k', { ns: 'ui' })",
    ),
  ).toEqual(['mail subject', 'ui k'])
  expect(keysIn("const a = <ListScreen words='group' />")).toEqual([
    'group title',
    'group empty.title',
    'group empty.text',
  ])
  expect(keysIn("const a = <ListScreen words='user' title={t('other')} empty={none} />")).toEqual([' other'])
  const english = new Map([['alarms', flatten({ status: { open: 'Open' }, n_one: 'one', n_other: 'more' })]])
  const said = (key: string, features = ['alarms']) => isSaid({ key, features, place: '' }, english)
  expect([said('status.*'), said('n'), said('status.open', []), said('status'), said('open')]).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})
