import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/frame/endpoint.ts'
import { callOf } from '../key-app/contract.ts'
import { dataOf } from './contract-data.ts'

const call = endpoint({
  method: 'GET',
  path: '/things/{thingId}',
  params: { thingId: z.uuid() },
  summary: 'Get a thing',
  needs: 'anyone',
  ok: z.strictObject({ id: z.uuid() }),
})

test('the customers’ app gets method and path of calls, without schemas', () => {
  expect(dataOf({ getThing: call }, callOf)).toEqual({
    getThing: { method: 'GET', path: '/things/{thingId}', needs: 'anyone' },
  })
})

test('plain tables stay, schemas and functions are left out', () => {
  expect(dataOf({ EUR: { digits: 2, marks: ['.', ','], symbol: null } }, callOf)).toEqual({
    EUR: { digits: 2, marks: ['.', ','], symbol: null },
  })
  expect(dataOf(['it', 'en'], callOf)).toEqual(['it', 'en'])
  expect(dataOf(z.string(), callOf)).toBeUndefined()
  expect(dataOf(() => 1, callOf)).toBeUndefined()
  expect(dataOf({ a: 1, schema: z.string() }, callOf)).toBeUndefined()
})
