import { expect, test } from 'vitest'
import { type StagedCommand, stageOf } from './command-stage.ts'

const now = new Date('2026-11-21T08:00:00Z')
const due: StagedCommand = { status: 0, notBefore: now, startedAt: null, isReachable: true }

test.each([
  ['planned', { notBefore: new Date(now.getTime() + 1) }],
  ['planned', { notBefore: new Date(now.getTime() + 1), isReachable: false }],
  ['queued', {}],
  ['waits', { isReachable: false }],
  ['sent', { status: 1 }],
  ['unanswered', { status: 1, isReachable: false }],
  ['claimed', { status: 1, startedAt: now }],
  ['claimed', { status: 1, startedAt: now, isReachable: false }],
] as const)('it is %s', (stage, part) => expect(stageOf({ ...due, ...part }, now)).toBe(stage))

test('only a machine’s report marks a command as received; an ended command is ended', () => {
  for (const status of [2, 3, 4, 5] as const) expect(stageOf({ ...due, status }, now)).toBe('ended')
})
