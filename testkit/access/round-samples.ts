import { randomUUID } from 'node:crypto'
import type { rounds } from '#contract/stock/round.ts'
import type { roundRoutes } from '#contract/stock/round-route.ts'
import type { stopOrders } from '#contract/stock/stop-order.ts'
import type { visits } from '#contract/stock/visit.ts'
import type { visitLists } from '#contract/stock/visit-list.ts'
import type { weekPlans } from '#contract/stock/week-plan.ts'
import type { picking } from '#contract/warehouse/picking.ts'
import type { AnyInput } from '../api.ts'
import type { Aim } from './aim.ts'
import type { RecordCall } from './record-samples.ts'

type Rows = typeof rounds &
  typeof roundRoutes &
  typeof stopOrders &
  typeof weekPlans &
  typeof visits &
  typeof visitLists &
  typeof picking

const ofMerchant = ({ merchantId }: Aim) => ({ params: { merchantId } })
const ofRound = ({ merchantId, roundId }: Aim) => ({ params: { merchantId, roundId } })
const ofStop = ({ merchantId, roundId, stopId }: Aim) => ({ params: { merchantId, roundId, stopId } })
const ofMachine = ({ merchantId, posId }: Aim) => ({ params: { merchantId, posId } })
const ofVisit = ({ merchantId, posId, visitId }: Aim) => ({ params: { merchantId, posId, visitId } })
const today = new Date().toISOString().slice(0, 10)

/** A sound call of each endpoint of rounds and visits; `record-samples.ts` has the common calls of records. */
export const roundSamples: Record<Exclude<keyof Rows, RecordCall>, { input: (aim: Aim) => AnyInput }> = {
  listVisitCandidates: { input: (aim) => ({ ...ofMerchant(aim), query: { day: today } }) },
  listRoundAssignees: { input: ofMerchant },
  listRoundRoutes: { input: (aim) => ({ ...ofMerchant(aim), query: { day: today } }) },
  orderStops: { input: (aim) => ({ ...ofMerchant(aim), body: { posIds: [aim.posId] } }) },
  getWeekPlan: { input: (aim) => ({ ...ofMerchant(aim), query: { groupIds: [aim.groupId] } }) },
  createWeekRounds: {
    input: (aim) => ({
      ...ofMerchant(aim),
      body: { rounds: [{ routeId: aim.routeId, day: today, posIds: [aim.posId] }] },
    }),
  },
  startRound: { input: ofRound },
  finishRound: { input: ofRound },
  cancelRound: { input: ofRound },
  skipStop: { input: (aim) => ({ ...ofStop(aim), body: { reason: 'closed' } }) },
  reopenStop: { input: ofStop },
  listRoundLoads: { input: (aim) => ({ ...ofMerchant(aim), query: { roundId: aim.roundId } }) },
  // The round has no van: the calls are permitted, and refused for that reason.
  getRoundPicking: { input: (aim) => ({ ...ofRound(aim), query: { stockPlaceId: aim.stockPlaceId } }) },
  pickRound: {
    input: (aim) => ({
      ...ofRound(aim),
      body: {
        id: randomUUID(),
        stockPlaceId: aim.stockPlaceId,
        lines: [{ productId: aim.productId, pieces: 1 }],
      },
    }),
  },
  listRoundProducts: { input: (aim) => ({ ...ofMerchant(aim), query: { roundId: aim.roundId } }) },
  updateRoundLoads: {
    input: (aim) => ({
      ...ofRound(aim),
      body: { edits: [{ stopId: aim.stopId, selection: '1', before: 0, quantity: 1 }] },
    }),
  },
  computeRoundLoads: { input: ofRound },
  getRoundPdf: { input: ofRound },
  getVisitPlan: { input: ofMachine },
  // Another visit, so that each role may store one.
  createVisit: {
    input: (aim) => ({
      ...ofMachine(aim),
      body: { id: randomUUID(), at: new Date().toISOString(), stopId: aim.stopId, again: true, note: 'A visit' },
    }),
  },
  listVisits: { input: (aim) => ({ ...ofMerchant(aim), query: { posIds: [aim.posId] } }) },
  getVisit: { input: ofVisit },
  getVisitPicture: { input: ofVisit },
}
