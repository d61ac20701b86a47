import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { machines } from '#contract/machines/machine.ts'
import { users } from '#contract/people/user.ts'
import { call, keyOf, queryOf } from './api.ts'
import { lookAtGroups } from './groupLens.ts'
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

test('calls on many machines say which groups are looked at, in one order; calls on one thing do not', async () => {
  await call(machines.countMachines, { params })
  lookAtGroups(['b', 'a'])
  await call(machines.countMachines, { params })
  await call(machines.getMachine, { params: { ...params, posId: 'p1' } })
  await call(users.getMe)
  expect(sent).toEqual([null, 'a,b', null, null])
})

test('what was answered for other groups is another answer, and is asked again as its own', async () => {
  const whole = keyOf(machines.countMachines, { params })
  lookAtGroups(['a'])
  expect(keyOf(machines.countMachines, { params })).not.toEqual(whole)
  expect(keyOf(machines.countMachines, { params, isWhole: true })).toEqual(whole)
  const query = queryOf(machines.countMachines, { params })
  lookAtGroups([])
  await new QueryClient().fetchQuery(query)
  expect(sent).toEqual(['a'])
})

test('the next person on this computer looks at all groups', () => {
  const whole = keyOf(machines.countMachines, { params })
  lookAtGroups(['a'])
  cleanUp()
  expect(keyOf(machines.countMachines, { params })).toEqual(whole)
})
