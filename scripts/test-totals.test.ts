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
  expect(totalsOf(report, 1)).toEqual({ passed: 2, failed: 1, skipped: ['test 1'], again: [] })
})

test('a run names what passed only at the second try', () => {
  const late = { fullName: 'late', status: 'passed', failureMessages: ['AssertionError: too early'] }
  const twice = { fullName: 'twice', status: 'failed', failureMessages: ['AssertionError: no', 'AssertionError: no'] }
  const prompt = { fullName: 'prompt', status: 'passed', failureMessages: [] }
  const testResults = [{ name: 'a.test.ts', status: 'failed', assertionResults: [late, twice, prompt] }]
  expect(totalsOf({ success: false, testResults }, 1)).toMatchObject({ passed: 2, failed: 1, again: ['late'] })
})

test('a file that cannot be loaded is a failure', () => {
  expect(totalsOf({ success: false, testResults: [file('passed', 'passed'), file('failed')] }, 1).failed).toBe(1)
})

test('a run without a report, without tests, or with an error outside its tests is a failure', () => {
  expect(totalsOf(undefined, 1).failed).toBe(1)
  expect(totalsOf({ success: true, testResults: [] }, 0).failed).toBe(1)
  expect(totalsOf({ success: true, testResults: [file('passed', 'passed')] }, 1).failed).toBe(1)
})
