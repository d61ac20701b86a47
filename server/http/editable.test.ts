import { expect, test } from 'vitest'
import { NewSapCode, SapCode } from '#contract/merchants/sap-code.ts'
import { sapCodeList } from '#database/merchants/sap-code.ts'
import { editable } from './editable.ts'
import { wireOf } from './wire.ts'

test('a record that lacks one of its fields does not compile: an edit of it would clear the field', () => {
  const declared = { noun: 'sapCode', rows: sapCodeList, fields: NewSapCode } as const
  const whole = editable({ ...declared, present: (code) => wireOf(SapCode, code) })
  expect(whole.handlers).toHaveProperty('updateSapCode')
  // @ts-expect-error It lacks the description.
  editable({ ...declared, present: (code) => wireOf(SapCode.omit({ description: true }), code) })
})
