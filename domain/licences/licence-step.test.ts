import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import {
  type LicenceStatus,
  licenceStatuses,
  licenceTypes,
  type UnassignCase,
  unassignCases,
} from '#contract/vocabulary/licence.ts'
import {
  type LicenceFacts,
  type LicenceStep,
  licenceSteps,
  licenceTable,
  possibleSteps,
  stepOf,
} from './licence-step.ts'

const now = new Date('2026-05-04T10:00:00Z')
const facts = (status: LicenceStatus, more: Partial<LicenceFacts> = {}): LicenceFacts => ({
  status,
  type: 'cashlogy',
  isSent: status > 0,
  isConfirmed: status > 1,
  endsAt: null,
  unassignCase: null,
  ...more,
})
const all = Object.values(licenceStatuses) as LicenceStatus[]

/** The requirement, written apart from the table: where each step leads from each status, or why not. */
const expected = {
  //          pending                sent                   confirmed      activated      deactivated    unassigned             expired
  send: [1, 1, 'LicenceConfirmed', 'LicenceConfirmed', 'off', 'notYet', 'over'],
  confirm: ['noLink', 2, 'noLink', 'noLink', 'noLink', 'noLink', 'noLink'],
  issueKey: ['notYet', 'notYet', 2, 2, 'off', 'notYet', 'over'],
  activate: ['notYet', 'notYet', 3, 3, 'off', 'notYet', 'over'],
  beat: ['notYet', 'notYet', 'notYet', 3, 'off', 'notYet', 'over'],
  move: [0, 0, 2, 2, 'off', 0, 'over'],
  unassign: ['kept', 5, 5, 5, 5, 'kept', 5],
  deactivate: ['notYet', 'notYet', 4, 4, 'off', 'notYet', 'over'],
  reactivate: ['notYet', 'notYet', 'LicenceNotDeactivated', 'LicenceNotDeactivated', 2, 'notYet', 2],
  expire: [6, 6, 6, 6, 6, 'notYet', 'over'],
  remove: [0, 'LicenceInUse', 'LicenceInUse', 'LicenceInUse', 'LicenceInUse', 'LicenceInUse', 'LicenceInUse'],
} as const satisfies Record<LicenceStep, readonly (number | string)[]>
const codes: Readonly<Record<string, string>> = {
  notYet: 'LicenseNotAssignedYetException',
  off: 'LicenseDeactivatedException',
  over: 'LicenseExpiredException',
  noLink: 'TokenNotFoundException',
  kept: 'LicenseNotUnassigned',
}

describe.each(all)('from status %i', (status) => {
  test.each(licenceSteps)('%s leads to the required status, or is refused with its code', (step) => {
    const outcome = expected[step][status] as number | string
    const unassignCase = step === 'unassign' ? ('defectivePos' as const) : undefined
    const confirmed = facts(status, { isConfirmed: true, isSent: status > 0 })
    expect(stepOf(confirmed, step, now, unassignCase)).toEqual(
      typeof outcome === 'number' ? { to: outcome } : { refused: codes[outcome] ?? outcome },
    )
  })
})

test('every code of the table is a code of the product', () => {
  const used = all.flatMap((status) => Object.values(licenceTable[status]).filter((one) => typeof one === 'string'))
  expect(used.filter((code) => !(code in errors))).toEqual([])
})

test('a licence past its last day runs nowhere, also before the worker has ended it', () => {
  for (const step of ['send', 'issueKey', 'activate', 'beat', 'move'] as const)
    for (const status of [0, 1, 2, 3] as const)
      expect(stepOf(facts(status, { endsAt: now }), step, now)).toHaveProperty('refused')
  expect(stepOf(facts(3, { endsAt: now }), 'beat', now)).toEqual({ refused: 'LicenseExpiredException' })
  expect(stepOf(facts(1, { endsAt: now }), 'confirm', now)).toEqual({ refused: 'TokenNotFoundException' })
  expect(stepOf(facts(3, { endsAt: new Date(now.getTime() + 1) }), 'beat', now)).toEqual({ to: 3 })
})

test('an expired licence is reactivated only with a later end, and confirmed again if it never was', () => {
  expect(stepOf(facts(6, { endsAt: now }), 'reactivate', now)).toEqual({ refused: 'LicenseExpiredException' })
  const later = new Date(now.getTime() + 1)
  expect(stepOf(facts(6, { endsAt: later }), 'reactivate', now)).toEqual({ to: 2 })
  expect(stepOf(facts(6, { endsAt: later, isConfirmed: false }), 'reactivate', now)).toEqual({ to: 0 })
})

test('an unassigned licence starts again at another machine, except after its end', () => {
  const after = (unassignCase: UnassignCase) => stepOf(facts(5, { unassignCase }), 'move', now)
  expect(after('defectivePos')).toEqual({ to: 0 })
  expect(after('customerChange')).toEqual({ to: 0 })
  expect(after('demoEnd')).toEqual({ refused: 'LicenseExpiredException' })
  expect(after('licenceEnd')).toEqual({ refused: 'LicenseExpiredException' })
})

test('an unassignment needs its case, and the end of a demo is that of a demo licence', () => {
  const allowed = licenceTypes.map((type) => [
    type,
    unassignCases.filter((one) => 'to' in stepOf(facts(3, { type }), 'unassign', now, one)),
  ])
  expect(Object.fromEntries(allowed)).toEqual({
    none: ['defectivePos', 'customerChange', 'licenceEnd'],
    cashlogy: ['defectivePos', 'customerChange', 'licenceEnd'],
    cashlogyDemo: ['defectivePos', 'customerChange', 'demoEnd'],
  })
  expect(stepOf(facts(3), 'unassign', now)).toEqual({ refused: 'LicenseNotUnassigned' })
})

test('a licence that was sent once is never deleted', () => {
  expect(stepOf(facts(0), 'remove', now)).toEqual({ to: 0 })
  expect(stepOf(facts(0, { isSent: true }), 'remove', now)).toEqual({ refused: 'LicenceInUse' })
})

test('whatever happens to a licence, a connector runs only after a confirmation and an activation since', () => {
  const step = fc.record({ step: fc.constantFrom(...licenceSteps), unassignCase: fc.constantFrom(...unassignCases) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.constantFrom(...licenceTypes), (steps, type) => {
      let licence = facts(0, { type })
      const since = new Set<string>()
      for (const { step: one, unassignCase } of steps) {
        const outcome = stepOf(licence, one, now, unassignCase)
        if (one === 'beat' && 'to' in outcome) {
          expect(since.has('confirm')).toBe(true)
          expect(since.has('activate')).toBe(true)
        }
        if (!('to' in outcome)) continue
        if (['move', 'unassign', 'deactivate', 'issueKey', 'expire'].includes(one)) since.delete('activate')
        if (outcome.to === 0) since.delete('confirm')
        since.add(one)
        licence = {
          ...licence,
          status: outcome.to,
          isSent: licence.isSent || one === 'send',
          isConfirmed: one === 'confirm' || (outcome.to !== 0 && licence.isConfirmed),
          unassignCase: one === 'unassign' ? unassignCase : outcome.to === 0 ? null : licence.unassignCase,
        }
      }
    }),
  )
})

test('buttons are shown for possible steps', () => {
  expect(possibleSteps(facts(3), now)).toEqual([
    'issueKey',
    'activate',
    'beat',
    'move',
    'unassign',
    'deactivate',
    'expire',
  ])
})
