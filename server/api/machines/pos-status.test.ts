import { afterAll, beforeAll, expect, test } from 'vitest'
import { connections, type PosStatus, posStatuses } from '#contract/vocabulary/device.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

/** The status by open alarms, then by the connection: offline, online, unknown. */
const worse = { 1: [3, 1, 2], 2: [3, 2, 2], 3: [3, 3, 3] } as const

test('list, filter, sorting, counts and map have the POS status of alarms and connection combined', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  const params = { merchantId }
  const expected = new Map<string, PosStatus>()
  for (const byAlarms of Object.values(posStatuses))
    for (const connection of Object.values(connections)) {
      const columns = { pos_status: byAlarms, connection, latitude: 45, longitude: 9 }
      const { id } = await aMachine(api.database, merchantId, { columns })
      expected.set(id, worse[byAlarms][connection])
    }
  const statusById = (some: { id: string; posStatus: PosStatus }[]) =>
    new Map(some.map(({ id, posStatus }) => [id, posStatus]))
  const { items } = await user.listMachines({ params, query: { ord: 'posStatus', ordType: 'DESC' } })
  expect(statusById(items)).toEqual(expected)
  expect(items.map(({ posStatus }) => posStatus)).toEqual([...expected.values()].sort().reverse())
  const spots = await user.mapMachines({ params, query: {} })
  expect(statusById(spots.flatMap((spot) => ('id' in spot ? [spot] : [])))).toEqual(expected)
  const counts = await user.countMachines({ params })
  for (const [name, status] of Object.entries(posStatuses)) {
    const { total } = await user.listMachines({ params, query: { posStatus: [status] } })
    expect(total).toBe([...expected.values()].filter((one) => one === status).length)
    expect(counts.posStatuses[name as keyof typeof posStatuses]).toBe(total)
  }
})

test('a light maintenance alarm makes a machine a warning until it is repaired', async () => {
  const { id: merchantId } = await aMerchant(api.database)
  const user = api.as(await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }]))
  const machine = await aMachine(api.database, merchantId, { columns: { connection: connections.online } })
  const light = { criticity: 0, status: 'notification', category: 'maintenance', code: 'P:CLOCK' }
  const blocking = await anAlarm(api.database, machine)
  const clock = await anAlarm(api.database, machine, light)
  const posStatus = async () => (await user.getMachine({ params: { merchantId, posId: machine.id } })).posStatus
  const repair = (id: string) => user.repairAlarms({ params: { merchantId }, body: { alarms: { ids: [id] } } })
  await repair(blocking)
  expect(await posStatus()).toBe(posStatuses.warning)
  await repair(clock)
  expect(await posStatus()).toBe(posStatuses.correct)
})
