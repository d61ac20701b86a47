import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aRound, aStop } from '#testkit/nouns/rounds.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const day = '2026-11-28'

test('a day’s rounds have the places of their stops in driving order, within the reader’s groups', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const groupId = await aGroup(api.database, merchantId)
  const at = (name: string, columns: Record<string, unknown>, more: { groupId?: string } = {}) =>
    aMachine(api.database, merchantId, { name, columns, ...more })
  const rome = await at('Rome', { latitude: 41.9, longitude: 12.5 }, { groupId })
  const nowhere = await at('Nowhere', {})
  const milan = await at('Milan', { latitude: 45.5, longitude: 9.2 })
  const round = await aRound(api.database, merchantId, { name: 'North', day })
  await aStop(api.database, milan, { round_id: round, position: 3 })
  await aStop(api.database, nowhere, { round_id: round, position: 2 })
  await aStop(api.database, rome, {
    round_id: round,
    position: 1,
    status: 'done',
    closed_at: new Date(),
    closed_by: 'user',
  })
  for (const other of [{ day: '2026-11-27' }, { day, status: 'cancelled' }])
    await aStop(api.database, rome, { round_id: await aRound(api.database, merchantId, other) })
  const user = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const routes = await api.as(user).listRoundRoutes({ params: { merchantId }, query: { day } })
  expect(routes).toEqual([
    {
      id: round,
      merchantId,
      name: 'North',
      assigneeName: null,
      status: 'planned',
      stops: [
        { posId: rome.id, posName: 'Rome', number: 1, status: 'done', latitude: 41.9, longitude: 12.5 },
        { posId: milan.id, posName: 'Milan', number: 3, status: 'open', latitude: 45.5, longitude: 9.2 },
      ],
    },
  ])
  const limited = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }])
  const seen = await api.as(limited).listRoundRoutes({ params: { merchantId }, query: { day } })
  expect(seen.map(({ stops }) => stops.map(({ posName }) => posName))).toEqual([['Rome']])
})
