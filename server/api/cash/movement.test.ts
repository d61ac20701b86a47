import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
let merchantId: string
let user: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

async function aBusyMachine() {
  const machine = await aMachine(api.database, merchantId)
  const at = { created_at: daysAgo(3) }
  const card = { media_type: 5, media_source: 4 }
  await aSale(api.database, machine, { ...at, value: 150 })
  await aSale(api.database, machine, { ...at, value: 50 })
  await aSale(api.database, machine, { ...at, type: 12, value: 900 })
  await aSale(api.database, machine, { ...at, ...card, type: 14, value: 300 })
  await aSale(api.database, machine, { ...at, ...card, type: 16, value: -290 })
  const ask = (startDate: string, endDate: string) =>
    user.getMovementStats({ params: { merchantId, posId: machine.id }, query: { startDate, endDate } })
  return { machine, ask }
}

test('movements show amounts in and out, in coins and otherwise', async () => {
  const { ask } = await aBusyMachine()
  expect(await ask(dayOf(daysAgo(4)), dayOf(daysAgo(2)))).toMatchObject({
    currency: 'EUR',
    cash: { in: 200, out: 900 },
    cashless: { in: 300, out: 290 },
    movements: [
      { type: 12, mediaType: 1, direction: 'out', count: 1, value: 900 },
      { type: 14, mediaType: 5, direction: 'in', count: 1, value: 300 },
      { type: 16, mediaType: 5, direction: 'out', count: 1, value: 290 },
      { type: 1, mediaType: 1, direction: 'in', count: 2, value: 200 },
    ],
  })
})

test('other days have their own movements', async () => {
  const { ask } = await aBusyMachine()
  expect((await ask('2020-01-01', '2020-01-31')).movements).toEqual([])
  await expect(ask(dayOf(daysAgo(1)), '2020-01-01')).rejects.toMatchObject({ code: 'PeriodReversed' })
})
