import { expect, test } from 'vitest'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { codesOfGuide, kindOf, languagesFor, masterAlarms } from './troubleshooting.ts'

test('every code that can raise an alarm is listed once, and no code that only clears another', () => {
  const codes = masterAlarms.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).toEqual(expect.arrayContaining(['ENE', 'EDJ', 'OBC', 'P:NODATA', 'P:CASHBOX']))
  expect(codes).not.toContain('OFB')
  expect(codes).not.toContain('EGT')
})

test('an alarm’s kind follows from its code, with any selection and source', () => {
  expect(kindOf('ejc_12')).toEqual({ code: 'EJC', source: 'snack', category: 'jam', criticity: 2 })
  expect(kindOf('P:HOT')).toEqual({ code: 'P:HOT', source: 'portal', category: 'fault', criticity: 4 })
  expect(kindOf('X_7')).toEqual({ code: 'X_7', source: 'other', category: 'fault', criticity: 0 })
})

test('a code without its own text uses the text of a code with the same meaning for the same part', () => {
  expect(codesOfGuide('OBB')).toEqual(['OBB', 'EGS'])
  expect(codesOfGuide('EK2M_1')).toEqual(['EK2M', 'EKM'])
  expect(codesOfGuide('EFL')).toEqual(['EFL', 'OCG'])
  // The power supply of the bill validator is not that of the machine.
  expect(codesOfGuide('ENJ')).toEqual(['ENJ'])
  expect(codesOfGuide('X_7')).toEqual(['X_7'])
})

test('a missing language falls back to English, then to the deployment’s own', () => {
  expect(languagesFor('pt', 'it').slice(0, 3)).toEqual(['pt', 'en', 'it'])
  expect(languagesFor('en', undefined)[0]).toBe('en')
  expect(languagesFor('en', undefined).toSorted()).toEqual(languages.toSorted())
})
