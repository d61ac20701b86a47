import { expect, test } from 'vitest'
import { NewClient } from '#contract/merchants/client-edit.ts'
import { NewSapCode } from '#contract/merchants/sap-code.ts'
import { bodyOf, fieldRule, formSchema, valuesOf } from './recordValues.ts'

test('a new record has every field of its schema, null where it may be', () => {
  expect(valuesOf(NewSapCode)).toEqual({ code: '', description: '' })
  expect(valuesOf(NewClient, { country: 'IT' })).toMatchObject({ code: '', country: 'IT', city: null, phone: null })
})

test('of a record only the fields of its schema are kept', () => {
  expect(valuesOf(NewSapCode, { id: '1', code: 'A', description: 'B', version: 3 })).toEqual({
    code: 'A',
    description: 'B',
  })
})

test('a field is required unless it may be null or has a default', () => {
  expect(fieldRule(NewClient, 'code')).toMatchObject({ isRequired: true, isNullable: false, maxLength: 50 })
  expect(fieldRule(NewClient, 'city')).toMatchObject({ isRequired: false, isNullable: true, maxLength: 100 })
  expect(fieldRule(NewSapCode, 'description')).toMatchObject({ isRequired: false, isNullable: false })
  expect(() => fieldRule(NewClient, 'colour')).toThrow('no field colour')
})

test('a choice with a default starts with it', () => {
  expect(valuesOf(NewClient)).toMatchObject({ commissionKind: 'none' })
})

test('an empty text is sent as null where the schema allows it', () => {
  const values = { ...valuesOf(NewClient, { code: 'A', name: 'B', country: 'IT' }), city: '', name: '' }
  expect(bodyOf(NewClient, values)).toMatchObject({ city: null, name: '' })
  expect(
    formSchema(NewClient)
      .safeParse(values)
      .error?.issues.map(({ path }) => path[0]),
  ).toEqual(['name'])
})
