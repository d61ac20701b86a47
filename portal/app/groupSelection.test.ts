import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { machines } from '#contract/machines/machine.ts'
import { users } from '#contract/people/user.ts'
import { call, keyOf, queryOf } from './api.ts'
import { lookAtGroups } from './groupSelection.ts'
import { cleanUp } from './session/onLogout.ts'

const params = { merchantId: 'm1' }
const sent: (string | null)[] = []
beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    sent.push(new Headers(headers).get('gettone-groups'))
    return new Response('{}', { status: 200 })
  })
})
afterEach(() => {
  lookAtGroups([])
  vi.unstubAllGlobals()
})

test('calls on many machines send the selected groups, in one order; calls on one record do not', async () => {
  await call(machines.countMachines, { params })
  lookAtGroups(['b', 'a'])
  await call(machines.countMachines, { params })
  await call(machines.getMachine, { params: { ...params, posId: 'p1' } })
  await call(users.getMe)
  expect(sent).toEqual([null, 'a,b', null, null])
})

test('an answer for other groups has its own key and is fetched separately', async () => {
  const whole = keyOf(machines.countMachines, { params })
  lookAtGroups(['a'])
  expect(keyOf(machines.countMachines, { params })).not.toEqual(whole)
  expect(keyOf(machines.countMachines, { params, isWhole: true })).toEqual(whole)
  const query = queryOf(machines.countMachines, { params })
  lookAtGroups([])
  await new QueryClient().fetchQuery(query)
  expect(sent).toEqual(['a'])
})

test('sign-out clears the selected groups', () => {
  const whole = keyOf(machines.countMachines, { params })
  lookAtGroups(['a'])
  cleanUp('signedOut')
  expect(keyOf(machines.countMachines, { params })).toEqual(whole)
})
