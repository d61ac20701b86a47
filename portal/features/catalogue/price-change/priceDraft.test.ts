import { expect, test } from 'vitest'
import { emptyDraft, faultOf, isScoped, orderOf, type PriceDraft, ruleOf } from './priceDraft.ts'

const draft = (part: Partial<PriceDraft>): PriceDraft => ({ ...emptyDraft, tables: [1], ...part })
const machines = { ids: ['01990000-0000-7000-8000-000000000001'] }

test('lowering by an amount or a percentage is a negative change', () => {
  expect(ruleOf(draft({ kind: 'add', direction: 'lower', amount: 10 }))).toEqual({ kind: 'add', amount: -10 })
  expect(ruleOf(draft({ kind: 'percent', direction: 'lower', percent: 2.5, rounding: 'up5' }))).toEqual({
    kind: 'percent',
    percent: -2.5,
    rounding: 'up5',
  })
})

test('a rule without its number, or with zero, is incomplete but not invalid', () => {
  for (const part of [{ kind: 'set' as const }, { kind: 'add' as const, amount: 0 }, { kind: 'percent' as const }]) {
    expect(ruleOf(draft(part))).toBeUndefined()
    expect(faultOf(draft(part))).toBeUndefined()
  }
})

test('text, a sign in the number and a percentage beyond its limits are invalid', () => {
  expect(faultOf(draft({ kind: 'set', price: 'one' }))).toBe('number')
  expect(faultOf(draft({ kind: 'add', amount: -5 }))).toBe('number')
  expect(faultOf(draft({ kind: 'percent', percent: 5000 }))).toBeTruthy()
  expect(faultOf(draft({ kind: 'percent', percent: 95, direction: 'lower' }))).toBeTruthy()
})

test('an order has only the choice of its scope', () => {
  const part = { kind: 'set' as const, price: 120, productText: ' coffee ', selections: ['12'] }
  expect(orderOf(draft({ ...part, scope: 'products' }), machines)).toMatchObject({
    productText: 'coffee',
    selections: [],
  })
  expect(orderOf(draft({ ...part, scope: 'selections' }), machines)).toMatchObject({
    productText: null,
    selections: ['12'],
  })
  expect(isScoped(draft({ scope: 'products' }))).toBe(false)
  expect(orderOf(draft({ ...part, tables: [] }), machines)).toBeUndefined()
})

test('nothing is assumed: without a chosen scope and price list there is no order', () => {
  const set = { kind: 'set' as const, price: 120 }
  expect(orderOf({ ...emptyDraft, ...set }, machines)).toBeUndefined()
  expect(orderOf({ ...emptyDraft, ...set, scope: 'all' }, machines)).toBeUndefined()
  expect(orderOf({ ...emptyDraft, ...set, tables: [1] }, machines)).toBeUndefined()
  expect(orderOf(draft({ ...set, scope: 'all' }), machines)).toMatchObject({ scope: 'all', priceTables: [1] })
})
