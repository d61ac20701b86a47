import { expect, test } from 'vitest'
import type { Round } from '#contract/stock/round.ts'
import type { RoundPicking } from '#contract/warehouse/picking.ts'
import { withKept, withPicked } from './overlay.ts'
import type { KeptStep } from './steps.ts'

const stop = (id: string, status = 'open') => ({ id, posId: `pos ${id}`, status, skipReason: null, skipNote: null })
const round = (status: Round['status'], ...stopList: object[]) =>
  ({ id: 'r', status, stopsDone: 0, stopsSkipped: 0, stopList }) as unknown as Round
const step = (kind: KeptStep['kind'], more: object = {}) =>
  ({ kind, id: kind, roundId: 'r', refused: null, body: {}, ...more }) as unknown as KeptStep
const visit = (stopId: string, more: object = {}) => step('visit', { body: { stopId }, ...more })
const skip = (stopId: string, more: object = {}) =>
  step('skip', { stopId, body: { reason: 'closed', note: 'Holiday' }, ...more })
const refused = { refused: { code: 'RoundClosed', fields: {}, facts: {} } }

test('a round shows what is kept of it, and counts it', () => {
  const seen = withKept(round('planned', stop('a'), stop('b'), stop('c')), [step('start'), visit('a'), skip('b')])
  expect(seen.round).toMatchObject({
    status: 'underway',
    stopsDone: 1,
    stopsSkipped: 1,
    stopList: [
      { status: 'done' },
      { status: 'skipped', skipReason: 'closed', skipNote: 'Holiday' },
      { status: 'open' },
    ],
  })
  expect([...seen.keptStopIds]).toEqual(['a', 'b'])
  expect(seen.isTurnKept).toBe(true)
})

test('a kept end skips the open stops', () => {
  const seen = withKept(round('underway', stop('a'), stop('b')), [visit('a'), step('finish')])
  expect(seen.round.status).toBe('done')
  expect(seen.round.stopList[1]).toMatchObject({ status: 'skipped', skipReason: 'roundFinished' })
  expect([...seen.keptStopIds]).toEqual(['a'])
})

test('what the server has comes before what is kept', () => {
  const stored = round('cancelled', stop('a', 'done'), stop('b'))
  const seen = withKept(stored, [step('start'), visit('a'), step('finish')])
  expect(seen).toEqual({ round: stored, keptStopIds: new Set(), isTurnKept: false })
})

test('a refused step changes nothing, but a refused visit has happened', () => {
  const seen = withKept(round('planned', stop('a'), stop('b')), [
    step('start', refused),
    skip('a', refused),
    visit('b', refused),
  ])
  expect(seen.round).toMatchObject({ status: 'planned', stopList: [{ status: 'open' }, { status: 'done' }] })
})

test('steps of another round change nothing', () => {
  const stored = round('planned', stop('a'))
  expect(withKept(stored, [step('start', { roundId: 'other' }), visit('z', { roundId: 'other' })]).round).toEqual(
    stored,
  )
})

test('picked pieces are in the van, and have left the warehouse', () => {
  const answer = { lines: [{ productId: 'p', inVan: 1, toPick: 7, has: 20 }] } as unknown as RoundPicking
  const pick = (stockPlaceId: string, pieces: number, more: object = {}) =>
    step('pick', { body: { stockPlaceId, lines: [{ productId: 'p', pieces }] }, ...more })
  const steps = [pick('here', 5), pick('elsewhere', 1), pick('here', 9, refused), pick('here', 9, { roundId: 'other' })]
  const seen = withPicked(answer, { steps, roundId: 'r', stockPlaceId: 'here' })
  expect(seen.lines).toMatchObject([{ inVan: 7, toPick: 1, has: 15 }])
})
