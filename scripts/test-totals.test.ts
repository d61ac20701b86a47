import { expect, test } from 'vitest'
import { totalsOf } from './test-totals.ts'

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((test, index) => ({ fullName: `test ${index}`, status: test })),
})

test('a run counts what passed and what failed, and names what was skipped', () => {
  const report = {
    success: false,
    testResults: [file('passed', 'passed', 'skipped'), file('failed', 'failed', 'passed')],
  }
  expect(totalsOf(report, 1)).toMatchObject({ passed: 2, failed: 1, skipped: ['test 1'] })
})

test('a run names its ten slowest files, the slowest first', () => {
  const testResults = Array.from({ length: 12 }, (_, n) => ({
    ...file('passed', 'passed'),
    name: `${n}.test.ts`,
    startTime: 0,
    endTime: n * 1000,
  }))
  const { slowest } = totalsOf({ success: true, testResults }, 0)
  expect(slowest).toHaveLength(10)
  expect(slowest[0]).toEqual({ name: '11.test.ts', seconds: 11 })
})

test('a file that cannot be loaded is a failure', () => {
  expect(totalsOf({ success: false, testResults: [file('passed', 'passed'), file('failed')] }, 1).failed).toBe(1)
})

test('a run without a report, without tests, or with an error outside its tests is a failure', () => {
  expect(totalsOf(undefined, 1).failed).toBe(1)
  expect(totalsOf({ success: true, testResults: [] }, 0).failed).toBe(1)
  expect(totalsOf({ success: true, testResults: [file('passed', 'passed')] }, 1).failed).toBe(1)
})
