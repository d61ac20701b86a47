import { expect, test } from 'vitest'
import { CommandOrder } from '#contract/commands/remote-command.ts'
import { commandFeatures } from '#contract/vocabulary/remote-command.ts'
import { usualCommands } from './usualCommands.ts'

test('a merchant with every feature has five usual commands, audit and restart first', () => {
  expect(usualCommands(() => true)).toEqual([1, 4, 2, 18, 17])
})

test('a merchant without features still has five usual commands', () => {
  expect(usualCommands((type) => !commandFeatures[type])).toEqual([1, 4, 2, 8, 3])
})

test('a usual command needs no parameters', () => {
  for (const isBare of [true, false])
    for (const type of usualCommands((one) => !isBare || !commandFeatures[one]))
      expect(CommandOrder.safeParse({ type, parameters: {} }).success).toBe(true)
})
