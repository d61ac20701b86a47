import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCollection } from '#database/cash/collection.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aRound, aStop, aVisit } from '#testkit/nouns/rounds.ts'

let api: TestApi
let merchantId: string
let cashier: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  cashier = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const of = (roundId: string) => ({ params: { merchantId, roundId } })
const given = (amount: number) => ({ id: randomUUID(), kind: 'given' as const, amount })
const returned = (amount: number) => ({ id: randomUUID(), kind: 'returned' as const, amount })

const anAdmin = () => aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' as const }])

/** A round of a driver. */
const aDrivenRound = (driver = randomUUIDv7()) =>
  aRound(api.database, merchantId, { assignee_id: driver, assignee_name: 'Dora' })

test('change is given and returned once for each id, also ten times at once', async () => {
  const roundId = await aDrivenRound()
  const entry = given(5000)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => cashier.bookChangeFund({ ...of(roundId), body: entry })),
  )
  for (const { changeFund } of answers) expect(changeFund).toMatchObject({ open: 5000, driverName: 'Dora' })
  const other = cashier.bookChangeFund({ ...of(roundId), body: { ...entry, amount: 6000 } })
  await expect(other).rejects.toMatchObject({ code: 'OperationIdTaken' })
  const elsewhere = cashier.bookChangeFund({ ...of(await aDrivenRound()), body: entry })
  await expect(elsewhere).rejects.toMatchObject({ code: 'OperationIdTaken' })
  await cashier.bookChangeFund({ ...of(roundId), body: { ...returned(2000), note: 'Coins' } })
  const log = { params: { merchantId }, query: { subjectTypes: ['round'], subjectId: roundId } }
  const { items } = await api.as(await anAdmin()).listChangeLog(log)
  expect(items.map(({ action, after }) => ({ action, after }))).toEqual([
    { action: 'round.takeBackChange', after: { amount: 2000, note: 'Coins' } },
    { action: 'round.giveChange', after: { amount: 5000 } },
  ])
})

test('of ten users who take back one fund at once, the first does', async () => {
  const driver = randomUUIDv7()
  const roundId = await aDrivenRound(driver)
  await cashier.bookChangeFund({ ...of(roundId), body: given(5000) })
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => cashier.bookChangeFund({ ...of(roundId), body: returned(3000) })),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'ChangeFundExceeded' })
  // The change stays with its driver when the round gets another one.
  await api.database.admin(`update rounds set assignee_id = $2, assignee_name = 'Emil' where id = $1`, [
    roundId,
    randomUUIDv7(),
  ])
  const open = () => cashier.listOpenChangeFunds({ params: { merchantId } })
  expect((await open()).find(({ driverId }) => driverId === driver)).toMatchObject({
    driverName: 'Dora',
    open: 2000,
    rounds: 1,
  })
  await cashier.bookChangeFund({ ...of(roundId), body: returned(2000) })
  expect((await open()).some(({ driverId }) => driverId === driver)).toBe(false)
})

test('entries are never changed or removed', async () => {
  const roundId = await aDrivenRound()
  await cashier.bookChangeFund({ ...of(roundId), body: given(100) })
  const whole = [{ merchantId, groups: 'all' as const }]
  const changed = api.database.withTenant(whole, (db) =>
    db.query.updateTable('change_fund_entries').set({ amount: 1 }).where('merchant_id', '=', merchantId).execute(),
  )
  await expect(changed).rejects.toMatchObject({ code: '42501' })
  const removed = api.database.withTenant(whole, (db) =>
    db.query.deleteFrom('change_fund_entries').where('merchant_id', '=', merchantId).execute(),
  )
  await expect(removed).rejects.toMatchObject({ code: '42501' })
})

/** A stop whose cash box was taken, with the amount that its machine reported. */
async function aBag(roundId: string, position: number, reported: number, groupId?: string) {
  const machine = await aMachine(api.database, merchantId, groupId === undefined ? {} : { groupId })
  const stopId = await aStop(api.database, machine, { round_id: roundId, position })
  const bagNumber = `B-${randomUUID().slice(0, 8)}`
  const at = new Date()
  const visit = { round_id: roundId, stop_id: stopId, cash_taken: true, bag_number: bagNumber, at }
  const visitId = await aVisit(api.database, machine, visit)
  const source = { merchantId, machineId: machine.id, at }
  const collectionId = await api.database.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    await openCollection(db, { ...source, source: 'sale', sourceId: randomUUIDv7(), amount: reported })
    return openCollection(db, { ...source, source: 'visit', sourceId: visitId, bagNumber })
  })
  return { stopId, bagNumber, collectionId }
}
const count = (collectionId: string, euros: number) =>
  cashier.countCashCollection({
    params: { merchantId, collectionId },
    body: { version: 1, pieces: [{ value: 100, count: euros }] },
  })

test('a round shows each bag, counted against expected as soon as it is counted, with totals', async () => {
  const roundId = await aDrivenRound()
  const groupId = await aGroup(api.database, merchantId)
  const one = await aBag(roundId, 1, 5000, groupId)
  const two = await aBag(roundId, 2, 3000)
  const three = await aBag(roundId, 3, 700)
  const stopId = await aStop(api.database, await aMachine(api.database, merchantId), { round_id: roundId, position: 4 })
  await count(one.collectionId, 48)
  await count(two.collectionId, 31)
  const money = await cashier.getRoundMoney(of(roundId))
  expect(money.stops).toMatchObject([
    { ...one, status: 'counted', counted: 4800, expected: 5000, difference: -200 },
    { ...two, status: 'counted', counted: 3100, expected: 3000, difference: 100 },
    { ...three, status: 'open', counted: null, expected: 700, difference: null },
    { stopId, bagNumber: null, collectionId: null, visitId: null },
  ])
  expect(money.totals).toEqual({ collected: 3, uncounted: 1, counted: 7900, expected: 8000, over: 100, short: 200 })
  // A user of one group sees the stops of that group.
  const narrow = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }]))
  expect((await narrow.getRoundMoney(of(roundId))).stops).toMatchObject([one])
  // A merchant that counts blind hides what is expected until the count.
  await api.database.admin('update merchants set counts_blind = true where id = $1', [merchantId])
  const blind = await cashier.getRoundMoney(of(roundId))
  expect(blind.stops[2]).toMatchObject({ isWithheld: true, expected: null })
  expect(blind.stops[0]).toMatchObject({ isWithheld: false, expected: 5000 })
})
