import { expect, test } from 'vitest'
import { groups } from '#contract/group.ts'
import { machines } from '#contract/machine.ts'
import { transactions } from '#contract/transaction.ts'
import { users } from '#contract/user.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { keyOf } from './api.ts'
import { touches } from './live.ts'
import { eventsIn } from './liveStream.ts'

const hint = { merchantId: 'm1', topics: ['transaction' as const], posIds: ['p1'] }

test('a sale touches the transactions of its merchant and of all distributors, and of no other', () => {
  const list = (merchantId: string) =>
    keyOf(transactions.listTransactions, { params: { merchantId }, query: { page: 1 } })
  expect([list('m1'), list(allMerchants), list('m2')].map((key) => touches(hint, key))).toEqual([true, true, false])
})

test('what a merchant may use touches the list of one’s merchants', () => {
  const mine = keyOf(users.listMyMerchants)
  expect(touches({ merchantId: 'm1', topics: ['merchant'], posIds: [] }, mine)).toBe(true)
  expect(touches(hint, mine)).toBe(false)
})

test('a sale touches the page of its machine and of no other; a hint that names none touches all', () => {
  const page = (posId: string) => keyOf(machines.getMachine, { params: { merchantId: 'm1', posId } })
  expect([page('p1'), page('p2')].map((key) => touches(hint, key))).toEqual([true, false])
  expect(touches({ ...hint, posIds: [] }, page('p2'))).toBe(true)
})

test('a machine that left the reader’s groups, whose hint names no machine, touches lists of machines and its own page', () => {
  const moved = { merchantId: 'm1', topics: ['group' as const], posIds: [] }
  const asked = [
    keyOf(machines.listMachines, { params: { merchantId: 'm1' } }),
    keyOf(machines.countMachines, { params: { merchantId: 'm1' } }),
    keyOf(machines.getMachine, { params: { merchantId: 'm1', posId: 'p1' } }),
    keyOf(groups.pageGroups, { params: { merchantId: 'm1' } }),
    keyOf(transactions.listTransactions, { params: { merchantId: 'm1' } }),
  ]
  expect(asked.map((key) => touches(moved, key))).toEqual([true, true, true, true, false])
})

test('what no hint speaks of is left alone', () => {
  expect(touches(hint, keyOf(users.getMe))).toBe(false)
})

test('events are cut at blank lines, comments are heartbeats, and a half event waits for its rest', () => {
  expect(eventsIn(': beat\n\ndata: {"a":1}\n\nevent: hint\r\ndata: x\r\n\r\ndata: {"b"')).toEqual({
    events: ['{"a":1}', 'x'],
    rest: 'data: {"b"',
  })
})
