import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
let adminId: string
let station: TestMachine
let office: TestMachine
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  merchantId = (await aMerchant(api.database)).id
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  adminId = user.id
  admin = api.as(user)
  station = await aMachine(api.database, merchantId, { name: 'Station' })
  office = await aMachine(api.database, merchantId, { name: 'Office' })
})

const stop = (machine: { id: string }, more: object = {}) => ({
  posId: machine.id,
  days: [],
  opensAt: null,
  closesAt: null,
  ...more,
})
const fields = (more: object = {}) => ({
  name: 'North',
  days: [1, 3],
  assigneeId: null,
  startAddress: 'Via Roma 1',
  start: { latitude: 45.1, longitude: 9.2 },
  returns: true,
  note: null,
  stops: [stop(office, { days: [3], opensAt: '08:00', closesAt: '17:30' }), stop(station)],
  ...more,
})
const create = (more: object = {}) => admin.createRoute({ params: { merchantId }, body: fields(more) })
const read = (routeId: string, client = admin) => client.getRoute({ params: { merchantId, routeId } })

test('a route has its days, technician, start and machines in driving order, with their days and hours', async () => {
  const { id } = await create({ assigneeId: adminId })
  const route = await read(id)
  expect(route).toMatchObject({ ...fields({ assigneeId: adminId }), stopCount: 2 })
  expect(route.stopList).toMatchObject([
    { posName: 'Office', days: [3], opensAt: '08:00', closesAt: '17:30', isDeleted: false, alsoOn: [] },
    { posName: 'Station', days: [], opensAt: null, closesAt: null },
  ])
  const body = { ...fields({ stops: [stop(station), stop(office)], returns: false }), version: route.version }
  const edited = await admin.updateRoute({ params: { merchantId, routeId: id }, body })
  expect(edited).toMatchObject({ returns: false, stopList: [{ posName: 'Station' }, { posName: 'Office' }] })
  expect((await admin.listRoutes({ params: { merchantId }, query: { search: 'roma' } })).items).toMatchObject([
    { id, name: 'North', days: [1, 3], stopCount: 2 },
  ])
  await admin.deleteRoute({ params: { merchantId, routeId: id } })
  await expect(read(id)).rejects.toMatchObject({ code: 'RouteNotFound' })
})

test('a machine on two routes of the same day is shown as such, on the days that they share', async () => {
  const north = await create()
  const south = await create({ name: 'South', days: [2, 3], stops: [stop(office), stop(station, { days: [2] })] })
  expect((await read(south.id)).stopList).toMatchObject([
    { posName: 'Office', alsoOn: [{ id: north.id, name: 'North', days: [3] }] },
    { posName: 'Station', alsoOn: [] },
  ])
})

test('a deleted machine is shown but left out, and stays when the others change', async () => {
  const { id } = await create()
  await api.database.admin(`update machines set deleted_at = now(), hidden = true where id = $1`, [office.id])
  const route = await read(id)
  expect(route.stops.map(({ posId }) => posId)).toEqual([station.id])
  const added = await aMachine(api.database, merchantId, { name: 'School' })
  const body = { ...fields({ stops: [stop(added), stop(station)] }), version: route.version }
  const edited = await admin.updateRoute({ params: { merchantId, routeId: id }, body })
  expect(edited.stopList.map(({ posName, isDeleted }) => [posName, isDeleted])).toEqual([
    ['School', false],
    ['Station', false],
    ['Office', true],
  ])
})

test('users of some groups see the machines of these groups', async () => {
  const groupId = await aGroup(api.database, merchantId)
  const own = await aMachine(api.database, merchantId, { name: 'Own', groupId })
  const { id } = await create({ stops: [stop(own), stop(station)] })
  const driver = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: [groupId] }]))
  expect(await read(id, driver)).toMatchObject({ stopCount: 1, stopList: [{ posName: 'Own' }] })
})

test('machines and users of others, a machine twice, a name twice and a wrong day or hour are refused', async () => {
  const other = await aMerchant(api.database)
  const foreign = await aMachine(api.database, other.id)
  await expect(create({ stops: [stop(foreign)] })).rejects.toMatchObject({ code: 'MachineNotFound' })
  await expect(create({ assigneeId: randomUUID() })).rejects.toMatchObject({ code: 'UserNotFound' })
  await create()
  await expect(create({ name: 'NORTH' })).rejects.toMatchObject({ code: 'RouteNameTaken' })
  for (const wrong of [
    { name: 'A', stops: [stop(office), stop(office)] },
    { name: 'A', days: [] },
    { name: 'A', days: [8] },
    { name: 'A', stops: [stop(office, { opensAt: '25:00' })] },
    { name: 'A', start: { latitude: 91, longitude: 0 } },
  ])
    await expect(create(wrong)).rejects.toMatchObject({ code: 'ValidationFailed' })
})
