import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aFleet, of } from '#testkit/machines/fleet.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  ;({ id: merchantId, by: admin } = await aFleet(api))
})
afterAll(() => api.close())

const params = () => ({ merchantId })
const idsOf = async (query: object) => (await admin.listMachines({ params: params(), query })).items.map(({ id }) => id)

describe('filters', () => {
  test('three ranges of days, each by the merchant’s own calendar', async () => {
    const { id, by } = await aFleet(api)
    const machine = await aMachine(api.database, id, {
      // In Rome it is the 2nd already.
      columns: { created_at: '2026-01-01T23:30:00Z', updated_at: '2026-02-10T12:00:00Z', warranty_until: '2031-05-01' },
    })
    const ids = async (query: object) =>
      (await by.listMachines({ params: { merchantId: id }, query })).items.map((one) => one.id)
    const days = (startDate?: string, endDate?: string) => JSON.stringify({ startDate, endDate })
    expect(await ids({ createdRangeDate: days('2026-01-02', '2026-01-02') })).toEqual([machine.id])
    expect(await ids({ createdRangeDate: days('2026-01-01', '2026-01-01') })).toEqual([])
    expect(await ids({ lastUpdateRangeDate: days('2026-02-01') })).toEqual([machine.id])
    expect(await ids({ lastUpdateRangeDate: days(undefined, '2026-02-09') })).toEqual([])
    expect(await ids({ warrantyRangeDate: days('2031-05-01', '2031-05-01') })).toEqual([machine.id])
    expect(await ids({ warrantyRangeDate: days('2031-05-02') })).toEqual([])
  })

  test('an exact id finds its machine and no other', async () => {
    const machine = await aMachine(api.database, merchantId)
    const stranger = await aMachine(api.database, (await aMerchant(api.database)).id)
    expect(await idsOf({ search: machine.id })).toEqual([machine.id])
    expect(await idsOf({ search: stranger.id })).toEqual([])
  })

  test('groups can be given as objects with an id, or as ids', async () => {
    const groupId = await aGroup(api.database, merchantId)
    const machine = await aMachine(api.database, merchantId, { groupId })
    expect(await idsOf({ groupIds: JSON.stringify({ id: groupId }) })).toEqual([machine.id])
    expect(await idsOf({ groupIds: groupId })).toEqual([machine.id])
    const both = [{ id: groupId }, { id: await aGroup(api.database, merchantId) }]
    expect(await idsOf({ groupIds: JSON.stringify(both) })).toEqual([machine.id])
    expect(await idsOf({ groupIds: both.map((one) => JSON.stringify(one)) })).toEqual([machine.id])
    const body = { machines: { matching: { groupIds: [{ id: groupId }] }, count: 1 }, hidden: true }
    expect((await admin.hideMachines({ params: params(), body })).changed).toMatchObject([{ id: machine.id }])
  })

  test('by client, by serial, by warranty', async () => {
    const { id, by } = await aFleet(api)
    const day = (age: number) => new Date(Date.now() + age * 86_400_000).toISOString().slice(0, 10)
    const machine = (warranty_until: string | null) => aMachine(api.database, id, { columns: { warranty_until } })
    const valid = await machine(day(400))
    const ending = await machine(day(20))
    const ended = await machine(day(-20))
    const none = await machine(null)
    const list = async (query: object) =>
      (await by.listMachines({ params: { merchantId: id }, query })).items.map((one) => [one.id, one.warranty])
    expect(await list({ warranties: 'valid' })).toEqual([[valid.id, 'valid']])
    expect(await list({ warranties: 'ending' })).toEqual([[ending.id, 'ending']])
    expect(await list({ warranties: 'ended' })).toEqual([[ended.id, 'ended']])
    expect(await list({ warranties: 'none' })).toEqual([[none.id, 'none']])
    expect(await list({ serial: valid.serial })).toHaveLength(1)
    const client = await aClient(api.database, id)
    await by.setMachineClient({ params: of(ending), body: { clientId: client } })
    expect(await list({ clientId: client })).toEqual([[ending.id, 'ending']])
  })

  test.each([
    [
      'a range that ends before it begins',
      { createdRangeDate: '{"startDate":"2026-02-01","endDate":"2026-01-01"}' },
      'PeriodReversed',
    ],
    [
      'a warranty range reversed',
      { warrantyRangeDate: '{"startDate":"2026-02-01","endDate":"2026-01-01"}' },
      'PeriodReversed',
    ],
    ['a day that is none', { createdRangeDate: '{"startDate":"2026-02-30"}' }, 'ValidationFailed'],
    ['a range that is no object', { lastUpdateRangeDate: '2026-01-01' }, 'ValidationFailed'],
    ['a range with more in it', { lastUpdateRangeDate: '{"startDate":"2026-01-01","x":1}' }, 'ValidationFailed'],
    ['JSON that is none', { createdRangeDate: '{"startDate":' }, 'ValidationFailed'],
    ['an id that is none', { clientId: 'none' }, 'ValidationFailed'],
    ['a group object without an id', { groupIds: '{"name":"North"}' }, 'ValidationFailed'],
    ['a list that is none', { groupIds: '[{"id":' }, 'ValidationFailed'],
    ['hidden that is nothing', { hidden: 'yes' }, 'ValidationFailed'],
  ])('%s is refused', async (_, query, code) => {
    await expect(admin.listMachines({ params: params(), query: query as object })).rejects.toMatchObject({
      status: 400,
      code,
    })
  })

  test('a client, group or machine of another merchant answers as if it did not exist', async () => {
    const stranger = (await aMerchant(api.database)).id
    const foreign = await aMachine(api.database, stranger)
    for (const [query, code] of [
      [{ clientId: await aClient(api.database, stranger) }, 'ClientNotFound'],
      [{ groupIds: JSON.stringify({ id: await aGroup(api.database, stranger) }) }, 'GroupNotFound'],
      [{ ids: foreign.id }, 'MachineNotFound'],
    ] as const) {
      await expect(admin.listMachines({ params: params(), query: query as object })).rejects.toMatchObject({
        status: 404,
        code,
      })
      await expect(admin.mapMachines({ params: params(), query: query as object })).rejects.toMatchObject({ code })
    }
  })
})

test('points of sale are listed by name without pages, hidden machines separately, with the filters of the paged list', async () => {
  const { id } = await aMerchant(api.database)
  const by = api.as(await aUser(api.database, 'merchantUser', [{ merchantId: id, groups: 'all' }]))
  for (const name of ['beta', 'Alpha', 'Gamma']) await aMachine(api.database, id, { name })
  await aMachine(api.database, id, { name: 'Hidden', columns: { hidden: true }, deviceType: 'CENG' })
  const list = async (query: object = {}) => by.listAllMachines({ params: { merchantId: id }, query })
  const names = async (query: object) => (await list(query)).items.map(({ name }) => name)
  expect(await list()).toMatchObject({ total: 3, capped: false, items: [{ name: 'Alpha', merchantId: id }, {}, {}] })
  expect(await names({})).toEqual(['Alpha', 'beta', 'Gamma'])
  expect(await names({ hidden: 'only', deviceTypes: 'CENG' })).toEqual(['Hidden'])
  expect(await names({ search: 'gam' })).toEqual(['Gamma'])
})
