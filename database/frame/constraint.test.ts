import { expect, test } from 'vitest'
import { constraintOf } from './constraint.ts'

test.each([
  ['groups_merchant_id_name_key', 'groups_merchant_id_name_key'],
  ['groups_merchant_id_name_key_102008', 'groups_merchant_id_name_key'],
  ['transactions_2026_11_pkey', 'transactions_2026_11_pkey'],
  ['sales_of_2026', 'sales_of_2026'],
])('the name of constraint %s is %s', (constraint, name) => {
  expect(constraintOf(Object.assign(new Error(), { constraint }))).toBe(name)
})

test('a coordinator passes on a violation without the name of its constraint, which is in the text', () => {
  const message = 'insert or update on table "notes_102738" violates foreign key constraint "notes_machine_102738"'
  expect(constraintOf(Object.assign(new Error(message), { code: '23503' }))).toBe('notes_machine')
  expect(constraintOf(Object.assign(new Error(message), { code: '0A000' }))).toBeUndefined()
})

test.each([null, undefined, 'text', new Error(), { constraint: 5 }])('%s speaks of no constraint', (error) => {
  expect(constraintOf(error)).toBeUndefined()
})
