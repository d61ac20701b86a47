import { expect, test } from 'vitest'
import { rounds } from '#contract/stock/round.ts'
import { stockPlaces } from '#contract/warehouse/stock-place.ts'
import { keyOf } from '#portal/app/api.ts'
import { isOfRound } from './keptAnswers.ts'

const params = { merchantId: 'm' }

test('only what a round needs is kept: no other lists, and no other records', () => {
  const own = { assigneeIds: ['u'], statuses: ['planned'], ord: 'day', ordType: 'ASC', size: 3 }
  const ofRound = [
    keyOf(rounds.getRound, { params: { ...params, roundId: 'r' } }),
    keyOf(rounds.listRounds, { params, query: own }),
    keyOf(stockPlaces.listStockPlaces, { params, query: { kinds: ['warehouse'], size: 100 } }),
  ]
  const others = [
    keyOf(rounds.listRounds, { params, query: { ord: 'day', page: 1 } }),
    keyOf(rounds.listRounds, { params, query: { assigneeIds: ['u'], page: 2 } }),
    keyOf(stockPlaces.listStockPlaces, { params, query: { kinds: ['van'] } }),
    keyOf(rounds.listRoundLoads, { params, query: { roundId: 'r' } }),
    ['visit-plan', 'p', 'u'],
  ]
  expect([ofRound.every(isOfRound), others.some(isOfRound)]).toEqual([true, false])
})
