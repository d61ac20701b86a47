import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { alarmReaders } from '#database/alarms/alarm-people.ts'
import { localDayOf } from '#domain/time/local-hour.ts'
import { associate } from '#server/gateway/association.ts'
import { createPins } from '#server/gateway/pins.ts'
import { startLiveHub } from '#server/live/hub.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { systemAddressOf } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser, testSecretKey } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'

let api: TestApi
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  admin = api.as(await aUser(api.database, 'superAdmin', []))
})
afterAll(() => api.close())

const zone = 'Pacific/Kiritimati'
const dayFromNow = (days: number, timeZone = zone) => localDayOf(Date.now() + days * 86_400_000, timeZone)
const endsOn = ({ id }: { id: string }, day: string) =>
  api.database.admin('update merchants set is_demo = true, demo_expires_on = $2 where id = $1', [id, day])

/** A demo that expired yesterday, and its admin. */
async function anEndedDemo() {
  const demo = await aMerchant(api.database, { time_zone: zone })
  await endsOn(demo, dayFromNow(-1))
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: demo.id, groups: 'all' }])
  return { ...demo, merchantId: demo.id, params: { merchantId: demo.id }, person, as: api.as(person) }
}
const extend = async (merchantId: string) => {
  const current = await admin.getMerchant({ params: { merchantId } })
  const { machines: _m, people: _p, createdAt: _c, features: _f, productFamilies: _pf, ...rest } = current
  const { demoDaysLeft: _d, closedBy: _b, ...body } = rest
  await admin.updateMerchant({ body: { ...body, demoExpiresOn: dayFromNow(30) } })
}
const over = { status: 403, code: 'DemoExpired' }

test('on its last day, in its local time, a demo still works', async () => {
  const { id, params, as } = await anEndedDemo()
  await endsOn({ id }, dayFromNow(0))
  expect(await as.listMyMerchants({})).toMatchObject([{ demoDaysLeft: 0, closedBy: null }])
  expect(await as.listMachines({ params })).toMatchObject({ total: 0 })
})

test('after it ends its users can neither read nor write, and see the reason', async () => {
  const { params, as } = await anEndedDemo()
  expect(await as.listMyMerchants({})).toMatchObject([{ demoDaysLeft: -1, closedBy: 'DemoExpired' }])
  await expect(as.listMachines({ params })).rejects.toMatchObject(over)
  await expect(as.listMachines({ params: { merchantId: allMerchants } })).rejects.toMatchObject(over)
  await expect(as.createGroup({ params, body: { name: 'North' } })).rejects.toMatchObject(over)
  // The user's own profile stays accessible.
  expect(await as.getMe({})).toMatchObject({ role: 'merchantAdmin' })
})

test('the provider still sees it, listed as ended, and can extend it with immediate effect', async () => {
  const { id, merchantId, params, as, person } = await anEndedDemo()
  expect(await admin.listMachines({ params })).toMatchObject({ total: 0 })
  const ended = await admin.listMerchants({ query: { demoStates: ['ended'], size: 100 } })
  expect(ended.items.find((one) => one.id === id)).toMatchObject({ demoDaysLeft: -1, closedBy: null })
  const elsewhere = await startLiveHub(systemAddressOf(api.database.adminUrl))
  let notices = 0
  const stop = elsewhere.watchUser(person.id, () => notices++)
  try {
    await extend(merchantId)
    expect(await as.listMachines({ params })).toMatchObject({ total: 0 })
    // Its users' portals reconnect automatically.
    await expect.poll(() => notices, { timeout: 10_000 }).toBeGreaterThan(0)
  } finally {
    stop()
    await elsewhere.stop()
  }
})

test('users with a second merchant keep working with that merchant', async () => {
  const { merchantId } = await anEndedDemo()
  const other = await aMerchant(api.database)
  const machine = await aMachine(api.database, other.id)
  const both = [merchantId, other.id].map((id) => ({ merchantId: id, groups: 'all' as const }))
  const as = api.as(await aUser(api.database, 'merchantUser', both))
  expect((await as.listMachines({ params: { merchantId: allMerchants } })).items.map(({ id }) => id)).toEqual([
    machine.id,
  ])
  await expect(as.listMachines({ params: { merchantId } })).rejects.toMatchObject(over)
})

test('strangers get no information about an expired demo', async () => {
  const { params } = await anEndedDemo()
  const stranger = await aUser(api.database, 'merchantAdmin', [
    { merchantId: (await aMerchant(api.database)).id, groups: 'all' },
  ])
  await expect(api.as(stranger).listMachines({ params })).rejects.toMatchObject({ code: 'MerchantNotFoundException' })
})

test('its machines’ data is stored meanwhile, and is visible after an extension', async () => {
  const { merchantId, params, as } = await anEndedDemo()
  const machine = await aMachine(api.database, merchantId)
  const server = await aGateway(api.database)
  const at = new Date().toISOString().slice(0, 19)
  const answer = await fetch(`${server.httpUrl}/device/v1/${machine.serial}/sale`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`,
    },
    body: JSON.stringify({ id: randomUUID(), at, epoch: 1, items: [{ seq: 1, at, type: 1, value: 150 }] }),
  })
  expect(answer.status).toBe(200)
  const query = { startDate: dayFromNow(-2), endDate: dayFromNow(1) }
  await expect(as.listTransactions({ params, query })).rejects.toMatchObject(over)
  await extend(merchantId)
  const { items } = await as.listTransactions({ params, query })
  expect(items).toMatchObject([{ value: 150, posId: machine.id }])
})

test('no machine can join it, and no alarm mail is sent', async () => {
  const { merchantId } = await anEndedDemo()
  const pins = createPins(testSecretKey)
  const pin = await pins.givePin(api.database, merchantId)
  const services = { doors: api.database, config: api.config, pins, mqttPort: 1883 }
  const request = { serial: `D${randomBytes(5).toString('hex')}`, deviceType: 'AZVT', pin }
  const readers = () => api.database.withSystem('alarm mail', (db) => alarmReaders(db, merchantId))
  await expect(associate(services, request, '10.1.1.1')).rejects.toMatchObject({ code: 'DemoExpired' })
  expect(await readers()).toEqual([])
  await extend(merchantId)
  expect(await associate(services, request, '10.1.1.1')).toMatchObject({ serial: request.serial, epoch: 1 })
  expect(await readers()).toHaveLength(1)
})

test('a merchant without the web portal is closed to its own users only', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const person: TestUser = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const params = { merchantId }
  expect(await api.as(person).listMachines({ params })).toMatchObject({ total: 0 })
  await api.database.admin('update merchants set web_portal = false where id = $1', [merchantId])
  await expect(api.as(person).listMachines({ params })).rejects.toMatchObject({
    status: 403,
    code: 'WebPortalNotIncluded',
  })
  expect(await api.as(person).listMyMerchants({})).toMatchObject([{ closedBy: 'WebPortalNotIncluded' }])
  expect(await admin.listMachines({ params })).toMatchObject({ total: 0 })
})
