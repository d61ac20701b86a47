import { expect, test } from 'vitest'
import { anyKnown, anyOf, oneOf, whether } from './filters.ts'

test('values are their own labels, codes are labelled by their names', () => {
  expect(anyOf('types', 'Type', ['a', 'b'], (value) => value.toUpperCase())).toEqual({
    key: 'types',
    kind: 'multi',
    name: 'Type',
    values: ['a', 'b'],
    options: [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ],
  })
  expect(oneOf('state', 'State', { offline: 0, online: 1 }, (name) => `is ${name}`).options).toEqual([
    { value: '0', label: 'is offline' },
    { value: '1', label: 'is online' },
  ])
  expect(oneOf('days', 'Days', [7, 30], (days) => `${days + 1}`).options).toEqual([
    { value: '7', label: '8' },
    { value: '30', label: '31' },
  ])
})

test('a yes/no filter has the options yes and no', () => {
  expect(whether('hot', 'Hot', 'Hot', 'Cold').options).toEqual([
    { value: 'true', label: 'Hot' },
    { value: 'false', label: 'Cold' },
  ])
})

test('an empty set of known values has no options', () => {
  expect(anyKnown('groupIds', 'Group')).toEqual([])
  expect(anyKnown('groupIds', 'Group', [{ value: '1', label: 'Roma' }])).toHaveLength(1)
})
