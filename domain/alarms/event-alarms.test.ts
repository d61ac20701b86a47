import { expect, test } from 'vitest'
import { type AlarmEvent, alarmsAfter, ends, type OpenAlarm } from './event-alarms.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute))
const event = (code: string, minute: number, more: Partial<AlarmEvent> = {}): AlarmEvent => ({
  code,
  active: true,
  at: at(minute),
  message: null,
  detail: null,
  ...more,
})
const open = (code: string, minute: number): OpenAlarm => ({ id: code, code, count: 1, lastAt: at(minute) })
const after = (alarms: OpenAlarm[], events: AlarmEvent[], endedLater: () => Date | null = () => null) => {
  let id = 0
  return alarmsAfter(alarms, events, { newId: () => `new ${++id}`, endedLater })
}

test('an event opens an alarm with the meaning of its code', () => {
  expect(after([], [event('EAD', 1)])).toMatchObject([
    {
      isNew: true,
      code: 'EAD',
      source: 'coin',
      category: 'jam',
      criticity: 4,
      status: 'active',
      count: 1,
      createdAt: at(1),
    },
  ])
})

test('a repeated event joins the open alarm', () => {
  expect(after([open('EAD', 1)], [event('ead', 5), event('EAD', 3, { message: 'again' })])).toMatchObject([
    { id: 'EAD', isNew: false, count: 3, lastAt: at(5), repairedAt: null, message: 'again' },
  ])
})

test('an event that ends repairs its alarm, and the next one opens another', () => {
  expect(after([open('EAD', 1)], [event('EAD', 2, { active: false }), event('EAD', 3)])).toMatchObject([
    { id: 'EAD', status: 'repaired', repairedAt: at(2) },
    { id: 'new 1', status: 'active', createdAt: at(3) },
  ])
})

test('a code that clears another repairs its alarm and opens none', () => {
  expect(after([open('EGS', 1)], [event('EGT', 2)])).toMatchObject([{ id: 'EGS', status: 'repaired' }])
  expect(after([], [event('EGT', 2)])).toEqual([])
})

test('an end that is older than the last occurrence ends nothing', () => {
  expect(after([open('EAD', 5)], [event('EAD', 2, { active: false })])).toEqual([])
})

test('an event that arrives after its own end is stored as repaired', () => {
  expect(after([], [event('EAD', 1)], () => at(4))).toMatchObject([
    { isNew: true, status: 'repaired', repairedAt: at(4) },
  ])
})

test('a refill of one selection leaves the others sold out', () => {
  expect(ends({ code: 'OA1C_12', active: true }, 'ELB_12')).toBe(true)
  expect(ends({ code: 'OA1C_12', active: true }, 'ELB_13')).toBe(false)
  expect(ends({ code: 'OA1C', active: true }, 'ELB_13')).toBe(true)
})

test('a maker’s own code is kept unchanged: an error is a warning, all else a notification', () => {
  expect(after([], [event('EAQQ', 1), event('X_7', 1)])).toMatchObject([
    { code: 'EAQQ', source: 'coin', criticity: 2, status: 'active' },
    { code: 'X_7', source: 'other', criticity: 0, status: 'notification' },
  ])
})
