import { expect, test } from 'vitest'
import { readLanguages } from './language.ts'
import {
  countsWithoutPlural,
  hasArticleBefore,
  hasOtherPercent,
  isClientForCustomer,
  isFormalSpanish,
  percentGap,
} from './word-style.ts'

const written = readLanguages()
const sentencesOf = (language: string) =>
  [...(written.get(language) ?? [])].flatMap(([feature, sentences]) =>
    [...sentences].map(([key, sentence]) => ({ place: `${feature}:${key}`, key, feature, sentence })),
  )
const faultsIn = (language: string, isFault: (sentence: string) => boolean) =>
  sentencesOf(language)
    .filter(({ sentence }) => isFault(sentence))
    .map(({ place, sentence }) => `${place} “${sentence}”`)

test.each([...written.keys()])('percent signs have one distance to their number in %s', (language) => {
  expect(faultsIn(language, (sentence) => hasOtherPercent(language, sentence))).toEqual([])
})

test('a count before its noun has plural forms', () => {
  expect(
    [...(written.get('en') ?? [])].flatMap(([feature, sentences]) =>
      countsWithoutPlural(sentences).map((key) => `${feature}:${key}`),
    ),
  ).toEqual([])
})

test('no Italian article precedes a placeholder', () => {
  expect(faultsIn('it', hasArticleBefore)).toEqual([])
})

test('Spanish addresses the reader as “tú” throughout', () => {
  expect(faultsIn('es', isFormalSpanish)).toEqual([])
})

test('German calls the buyer at a machine “Endkunde”, and “Kunde” only the client', () => {
  const german = new Map(sentencesOf('de').map(({ place, sentence }) => [place, sentence]))
  const faults = sentencesOf('en').filter(({ place, sentence }) =>
    isClientForCustomer(sentence, german.get(place) ?? ''),
  )
  expect(faults.map(({ place }) => `${place} “${german.get(place)}”`)).toEqual([])
})

test('the checks see their faults', () => {
  expect([percentGap('en'), percentGap('de')]).toEqual(['', '\u00a0'])
  expect([hasOtherPercent('en', '{{n}} %'), hasOtherPercent('de', '80%'), hasOtherPercent('it', '% di')]).toEqual([
    true,
    true,
    false,
  ])
  const sentences = new Map([
    ['a', 'Start {{number}} machines'],
    ['b_one', '{{number}} machine'],
    ['c_other', '{{number}} machines'],
    ['d', 'At most {{most}} machines, the first {{number}} rows'],
    ['e', 'Machines: {{number}}'],
  ])
  expect(countsWithoutPlural(sentences)).toEqual(['a'])
  expect([hasArticleBefore('pieno all’{{n}}%'), hasArticleBefore('dal giorno {{d}}')]).toEqual([true, false])
  expect([isFormalSpanish('Vacío. Cree un producto.'), isFormalSpanish('Crea un producto.')]).toEqual([true, false])
  expect([isClientForCustomer('A customer', 'Ein Kunde'), isClientForCustomer('A customer', 'Ein Endkunde')]).toEqual([
    true,
    false,
  ])
})
