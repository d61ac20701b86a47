import { expect, test } from 'vitest'
import { readIds, readMatching } from './useMachineSelection.ts'

const one = '019a0000-0000-7000-8000-000000000001'
const two = '019a0000-0000-7000-8000-000000000002'

test('machines of an address are repeated names or a comma-separated list', () => {
  expect(readIds([one, two])).toEqual([one, two])
  expect(readIds([`${one},${two}`])).toEqual([one, two])
})

test('each machine counts once, and an invalid id is ignored', () => {
  expect(readIds([one, one, '', '<script>', '1; drop table machines'])).toEqual([one])
})

test('an address describes machines by their filters, with exceptions', () => {
  const search = { merchant: 'm', matching: '12', states: ['blocked', 'silent'], search: 'atrium', except: one }
  expect(readMatching(search)).toEqual({
    filters: { states: ['blocked', 'silent'], search: 'atrium' },
    except: [one],
  })
  expect(readMatching({ states: 'blocked' })).toBeUndefined()
})

test('an invalid filter chooses no machine, never all machines', () => {
  for (const filter of [{ states: 'angry' }, { search: 'a' }, { ids: '<script>' }, { fullCashBox: 'perhaps' }])
    expect(readMatching({ matching: '12', ...filter })).toBeUndefined()
})
