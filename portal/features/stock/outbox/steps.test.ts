import { describe, expect, test } from 'vitest'
import { isHeldUp, type KeptStep, nextStep } from './steps.ts'

const refusal = { code: 'StopAlreadyVisited', fields: {}, facts: {} }
const kept = { merchantId: 'm', userId: 'u', keptAt: 0, refused: null }
const start = (roundId = 'r') => ({ ...kept, kind: 'start', id: `start ${roundId}`, roundId, roundName: 'R' }) as const
const finish = (roundId = 'r') =>
  ({ ...kept, kind: 'finish', id: `finish ${roundId}`, roundId, roundName: 'R' }) as const
const visit = (posId: string, roundId: string | null | undefined = 'r') =>
  ({ ...kept, kind: 'visit', id: `visit ${posId}`, roundId, posId, posName: posId, body: {} }) as unknown as KeptStep
const skip = (posId: string) =>
  ({
    ...kept,
    kind: 'skip',
    id: `skip ${posId}`,
    roundId: 'r',
    stopId: 's',
    posId,
    posName: posId,
    body: {},
  }) as unknown as KeptStep
const pick = { ...kept, kind: 'pick', id: 'pick', roundId: 'r', roundName: 'R', body: {} } as unknown as KeptStep
const refused = (step: KeptStep): KeptStep => ({ ...step, refused: refusal })

/** The ids in the order in which they are sent, when some of them fail for now. */
function sent(steps: readonly KeptStep[], failing: readonly string[] = []): string[] {
  const failed = new Set<string>()
  const order: string[] = []
  let left = steps
  for (let step = nextStep(left, failed); step; step = nextStep(left, failed)) {
    const { id } = step
    if (failing.includes(id)) failed.add(id)
    else {
      order.push(id)
      left = left.filter((one) => one.id !== id)
    }
  }
  return order
}

describe('the steps of a round are sent', () => {
  const round = [pick, start(), visit('a'), skip('b'), visit('c'), finish()]

  test('in the order of time', () => {
    expect(sent(round)).toEqual(['pick', 'start r', 'visit a', 'skip b', 'visit c', 'finish r'])
  })

  test('without the steps that depend on a failed step', () => {
    expect(sent(round, ['visit a'])).toEqual(['pick', 'start r', 'skip b', 'visit c'])
    expect(sent(round, ['start r'])).toEqual(['pick'])
    expect(sent([skip('a'), { ...visit('a'), id: 'later' }, visit('b')], ['skip a'])).toEqual(['visit b'])
    expect(sent([...round, visit('d', 'other'), finish('other')], ['start r'])).toEqual([
      'pick',
      'visit d',
      'finish other',
    ])
  })

  test('and its end last, when nothing of it waits or is refused', () => {
    const held = [start(), refused(visit('a')), visit('b'), finish()]
    expect(sent(held)).toEqual(['start r', 'visit b'])
    expect([isHeldUp(held), isHeldUp(round)]).toEqual([true, false])
    expect(sent([refused(visit('a', 'other')), finish()])).toEqual(['finish r'])
    // Kept by a version that did not know the round of a visit.
    expect(sent([{ ...visit('a'), roundId: undefined } as KeptStep, finish()], ['visit a'])).toEqual([])
  })

  test('a refused step delays no other at the machine', () => {
    expect(sent([refused(visit('a')), { ...visit('a'), id: 'second' }])).toEqual(['second'])
  })
})
