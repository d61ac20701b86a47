import { expect, test } from 'vitest'
import { dirtinessOf } from './dirtiness.ts'

test('a value that grows with the dirt warns and is critical from its thresholds on', () => {
  const soiling = { warning: 60, critical: 85, valuesIncrease: true }
  expect([0, 59.9, 60, 84.9, 85, 100].map((value) => dirtinessOf(value, soiling))).toEqual([
    'ok',
    'ok',
    'warning',
    'warning',
    'critical',
    'critical',
  ])
})

test('a value that falls with the dirt warns and is critical from its thresholds down', () => {
  const light = { warning: 70, critical: 50, valuesIncrease: false }
  expect([100, 70.1, 70, 50.1, 50, 0].map((value) => dirtinessOf(value, light))).toEqual([
    'ok',
    'ok',
    'warning',
    'warning',
    'critical',
    'critical',
  ])
})

test('a sensor without thresholds is not judged', () => {
  expect(dirtinessOf(100, null)).toBe('unknown')
})
