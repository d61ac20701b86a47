import { expect, test } from 'vitest'
import { canonical, changesBetween, countChanges, syncOf } from './configuration.ts'

test('parameters of both sides are listed by name with their state', () => {
  const changes = changesBetween(
    { 'a.kept': '1', 'b.gone': 'on', 'd.other': '1' },
    { 'd.other': '1.0', 'c.new': 'x', 'a.kept': '1' },
  )
  expect(changes).toEqual([
    { name: 'a.kept', change: 'same', before: '1', after: '1' },
    { name: 'b.gone', change: 'removed', before: 'on', after: null },
    { name: 'c.new', change: 'added', before: null, after: 'x' },
    { name: 'd.other', change: 'changed', before: '1', after: '1.0' },
  ])
  expect(countChanges(changes)).toEqual({ added: 1, removed: 1, changed: 1 })
})

test('a name that every object inherits is a parameter like any other', () => {
  expect(changesBetween({}, { constructor: 'x' } as Record<string, string>)).toEqual([
    { name: 'constructor', change: 'added', before: null, after: 'x' },
  ])
})

test('the empty text is a value', () => {
  expect(changesBetween({ a: '' }, {})).toEqual([{ name: 'a', change: 'removed', before: '', after: null }])
})

test('the order of parameters does not make another configuration', () => {
  expect(canonical({ a: '1', b: 'x' })).toBe(canonical({ b: 'x', a: '1' }))
  expect(canonical({ a: 'b' })).not.toBe(canonical({ b: 'a' }))
})

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute))
const desired = { 'sale.maximumCredit': '2000', 'display.brightness': '70' }

test('nothing wanted is neither in sync nor pending', () => {
  expect(syncOf({ desired: {}, version: 1, sentVersion: null, appliedAt: null, reported: null })).toMatchObject({
    sync: 'none',
  })
})

test('in sync only when the machine reports every target value, whatever else it has', () => {
  const reported = { parameters: { ...desired, other: 'on' }, at: at(5) }
  expect(syncOf({ desired, version: 2, sentVersion: null, appliedAt: null, reported }).sync).toBe('sync')
})

test('saved changes that are not applied are pending from the portal', () => {
  const reported = { parameters: { ...desired, 'display.brightness': '50' }, at: at(5) }
  const pending = { sync: 'pending', editedOn: 'portal', differing: ['display.brightness'] }
  expect(syncOf({ desired, version: 2, sentVersion: null, appliedAt: null, reported })).toEqual(pending)
  // Applied, and not read since.
  expect(syncOf({ desired, version: 2, sentVersion: 2, appliedAt: at(6), reported })).toEqual(pending)
  // An older version was applied.
  expect(syncOf({ desired, version: 2, sentVersion: 1, appliedAt: at(1), reported })).toEqual(pending)
  expect(syncOf({ desired, version: 2, sentVersion: 2, appliedAt: at(1), reported: null })).toMatchObject({
    editedOn: 'portal',
    differing: ['display.brightness', 'sale.maximumCredit'],
  })
})

test('a difference after the target was applied was edited on the device', () => {
  const reported = { parameters: { ...desired, 'display.brightness': '50' }, at: at(5) }
  expect(syncOf({ desired, version: 2, sentVersion: 2, appliedAt: at(1), reported })).toEqual({
    sync: 'pending',
    editedOn: 'device',
    differing: ['display.brightness'],
  })
})
