import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type CommandChange,
  type CommandState,
  cancel,
  claim,
  expire,
  pauseAfter,
  report,
  send,
  silenceAfterGoMs,
} from './command-lifecycle.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 21) + seconds * 1000)
const scheduled: CommandState = {
  status: 0,
  result: null,
  attempts: 0,
  maximumAttempts: 3,
  notBefore: at(100),
  expiresAt: at(1000),
  nextAttemptAt: at(100),
  startedAt: null,
  claimId: null,
}
const after = (command: CommandState, change: CommandChange | null): CommandState => ({ ...command, ...change })
const running = after(scheduled, send(scheduled, at(100)))
const begun = after(running, claim(running, 'first', at(101)).change)
const received = after(begun, report(begun, 'success', null, at(102)) as CommandChange)
const cancelled = after(running, cancel(running))
const expired = after(running, expire(running, at(1000)))
const spent = after(running, { attempts: 3, nextAttemptAt: at(200) })
const exceeded = after(spent, expire(spent, at(200)))
const givenUp = after(begun, expire(begun, new Date(at(101).getTime() + silenceAfterGoMs)))
const ended = { received, cancelled, expired, exceeded, givenUp }

test.each([
  ['received', 2, 0, received],
  ['cancelled', 3, -3, cancelled],
  ['expired', 3, -2, expired],
  ['without an answer to its last attempt', 3, -1, exceeded],
  ['begun and never reported', 3, -2, givenUp],
])('a command that is %s has status %i and result %i', (_, status, result, command) => {
  expect(command).toMatchObject({ status, result })
})

describe('sending', () => {
  test('marks it as running and waits longer each time', () => {
    expect(running).toMatchObject({ status: 1, attempts: 1, sentAt: at(100), nextAttemptAt: at(110) })
    expect(send(running, at(110))).toMatchObject({ attempts: 2, nextAttemptAt: at(130) })
    expect([1, 2, 3, 7, 100].map((attempts) => pauseAfter(attempts) / 1000)).toEqual([10, 20, 40, 600, 600])
  })
  test.each([
    ['before its time', scheduled, at(99)],
    ['after its time', scheduled, at(1000)],
    ['in the pause', running, at(109)],
    ['once too often', spent, at(300)],
    ['when the machine has begun', begun, at(500)],
    ['when it has ended', cancelled, at(500)],
  ])('not %s', (_, command, now) => expect(send(command, now)).toBeNull())
  test('a machine that requests its commands gets them at any time between, without using an attempt', () => {
    expect(send(scheduled, at(100), { isAsked: true })).toEqual({
      status: 1,
      sentAt: at(100),
      nextAttemptAt: at(110),
    })
    expect(send(spent, at(101), { isAsked: true })).toEqual({
      status: 1,
      sentAt: at(101),
      nextAttemptAt: at(200),
    })
    expect(send(scheduled, at(99), { isAsked: true })).toBeNull()
  })
})

describe('a claim', () => {
  test.each([
    ['of a running one', running, at(200), true],
    ['of one that it has from elsewhere', scheduled, at(200), true],
    ['before its time', scheduled, at(99), false],
    ['at its expiry', running, at(1000), false],
    ['of a cancelled one', cancelled, at(200), false],
    ['of an expired one', expired, at(1001), false],
    ['of a received one', received, at(200), false],
    ['by another claim than the confirmed one', begun, at(200), false],
  ])('%s: go is %4$s', (_, command, now, go) => expect(claim(command, 'second', now).go).toBe(go))
  test('a repeated claim gets the same answer until the command has ended', () => {
    expect(claim(begun, 'first', at(5000))).toEqual({ go: true, change: null })
    expect(claim(received, 'first', at(200)).go).toBe(false)
  })
  test('at the expiry ends the command', () => {
    expect(claim(running, 'first', at(1000)).change).toMatchObject({ status: 3, result: -2 })
  })
})

describe('a report', () => {
  test.each([
    ['success', 2, 0],
    ['warning', 4, 3],
    ['error', 5, 2],
    ['unsupported', 3, 1],
  ] as const)('%s gives status %i and result %i', (outcome, status, result) => {
    expect(report(begun, outcome, 'said so', at(200))).toEqual({
      status,
      result,
      resultInfo: 'said so',
      executedAt: at(200),
    })
  })
  test.each([
    ['nobody granted to go', running],
    ['was cancelled', cancelled],
    ['expired before it began', expired],
  ])('of a command that %s is refused', (_, command) => {
    expect(report(command, 'success', null, at(200))).toBe('refused')
  })
  test('a repeated report changes nothing', () => expect(report(received, 'error', null, at(200))).toBe('repeated'))
  test('a report counts even after the command was given up', () => {
    expect(report(givenUp, 'success', null, at(9000))).toMatchObject({ status: 2, result: 0 })
  })
})

test.each(Object.entries({ begun, ...ended }))('a command that is %s cannot be cancelled', (_, command) => {
  expect(cancel(command)).toBeNull()
})
test('a scheduled one and a running one can', () => {
  expect([cancel(scheduled), cancel(running)]).toMatchObject([{ result: -3 }, { result: -3 }])
})
test.each(Object.entries(ended))('time does nothing to a command that is %s', (_, command) => {
  expect(expire(command, at(1e9))).toBeNull()
})
test('a command that has begun outlives its expiry for a while', () => expect(expire(begun, at(1001))).toBeNull())

const step = fc.oneof(
  fc.record({ act: fc.constantFrom('send', 'expire', 'cancel', 'success', 'error') }),
  fc.record({ act: fc.constant('claim'), by: fc.constantFrom('one', 'other') }),
)

test('in any order of events one claim at most is confirmed, and an ended command stays unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.integer({ min: 0, max: 4000 })), { maxLength: 25 }), (steps) => {
      let command = scheduled
      let now = 90
      const granted = new Set<string>()
      const finals = new Set<string>()
      for (const [event, pause] of steps) {
        now += pause / 10
        if (event.act === 'claim' && 'by' in event) {
          const { go, change } = claim(command, event.by, at(now))
          if (go) granted.add(event.by)
          command = after(command, change)
        } else if (event.act === 'send') command = after(command, send(command, at(now)))
        else if (event.act === 'expire') command = after(command, expire(command, at(now)))
        else if (event.act === 'cancel') command = after(command, cancel(command))
        else {
          const change = report(command, event.act as 'success' | 'error', null, at(now))
          if (typeof change === 'object') command = after(command, change)
        }
        if (command.status > 1) finals.add(`${command.status}/${command.result}`)
        expect([2, 4, 5].includes(command.status)).toBe(command.result !== null && [0, 2, 3].includes(command.result))
        if ([2, 4, 5].includes(command.status)) expect(granted.size).toBe(1)
      }
      expect(granted.size).toBeLessThanOrEqual(1)
      finals.delete('3/-2')
      expect(finals.size).toBeLessThanOrEqual(1)
    }),
  )
})
