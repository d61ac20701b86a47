import { expect, test } from 'vitest'
import { actionOfText } from './paletteActs.ts'

const verbs = [
  ['restart', 'Restart'],
  ['readAudit', 'Read audit'],
  ['refund', 'Refund last vend of'],
] as const

test('a verb names the action, and the words after it the machine', () => {
  expect(actionOfText('restart canteen north', verbs)).toEqual({ acts: ['restart'], search: 'canteen north' })
  expect(actionOfText('Read audit canteen', verbs)).toEqual({ acts: ['readAudit'], search: 'canteen' })
  expect(actionOfText('rest', verbs)).toEqual({ acts: ['restart'], search: '' })
})

test('a verb of several words may be shortened', () => {
  expect(actionOfText('Refund last vend of canteen north', verbs)).toEqual({
    acts: ['refund'],
    search: 'canteen north',
  })
  expect(actionOfText('refund canteen', verbs)).toEqual({ acts: ['refund'], search: 'canteen' })
})

test('without a verb the whole text names the machine', () => {
  expect(actionOfText('Canteen', verbs)).toEqual({ acts: undefined, search: 'canteen' })
  expect(actionOfText('re canteen', verbs)).toEqual({ acts: undefined, search: 're canteen' })
})
