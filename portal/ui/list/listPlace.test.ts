import { expect, test } from 'vitest'
import type { alarms } from '#contract/alarms/alarm.ts'
import type { machines } from '#contract/machines/machine.ts'
import { listPlace } from './listPlace.ts'

test('a link to a list names its filters in the address format', () => {
  expect(listPlace<typeof alarms.listAlarms>('/alarms', { criticities: [4], period: 'today' })).toEqual({
    to: '/alarms',
    search: { criticities: ['4'], period: 'today' },
  })
  expect(listPlace<typeof machines.listMachines>('/devices/list', { soldOut: true, search: undefined })).toEqual({
    to: '/devices/list',
    search: { soldOut: 'true' },
  })
})

test('a link to a list contains only filters and values of its endpoint', () => {
  // @ts-expect-error -- no list of alarms has this filter
  listPlace<typeof alarms.listAlarms>('/alarms', { soldOut: true })
  // @ts-expect-error -- no machine has this state
  expect(listPlace<typeof machines.listMachines>('/devices/list', { states: ['lost'] }).search).toEqual({
    states: ['lost'],
  })
})
