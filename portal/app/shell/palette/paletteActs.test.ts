import { expect, test } from 'vitest'
import { actAsked } from './paletteActs.ts'

const verbs = [
  ['restart', 'Restart'],
  ['readAudit', 'Read audit'],
] as const

test('a verb names the action, and the words after it the machine', () => {
  expect(actAsked('restart canteen north', verbs)).toEqual({ acts: ['restart'], search: 'canteen north' })
  expect(actAsked('Read audit canteen', verbs)).toEqual({ acts: ['readAudit'], search: 'canteen' })
  expect(actAsked('rest', verbs)).toEqual({ acts: ['restart'], search: '' })
})

test('without a verb the whole text names the machine', () => {
  expect(actAsked('Canteen', verbs)).toEqual({ acts: undefined, search: 'canteen' })
  expect(actAsked('re canteen', verbs)).toEqual({ acts: undefined, search: 're canteen' })
})
