import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roadsBetween } from '#server/network/roads.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let service: Server
let serviceUrl: string
/** How the routing service answers; the places are in its path. */
let answer: (response: ServerResponse, path: string) => void
beforeAll(async () => {
  service = createServer((request, response) => answer(response, request.url ?? ''))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/osrm/` // Cast: it listens on a port.
  api = await openTestApi({ ROUTING_URL: serviceUrl })
})
afterAll(async () => {
  await api.close()
  service.closeAllConnections()
  service.close()
})

/** Three machines on a line, and their roads: from the first to the second one only by the third. */
const roads = {
  code: 'Ok',
  distances: [
    [0, 90_000, 20_000],
    [90_000, 0, 11_000],
    [20_000, 11_000, 0],
  ],
  durations: [
    [0, 6000, 1200],
    [6000, 0, 600],
    [1200, 600, 0],
  ],
}
const json = (body: object) => (response: ServerResponse) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}

async function threeMachines() {
  const { id: merchantId } = await aMerchant(api.database)
  const at = (latitude: number | null) =>
    aMachine(api.database, merchantId, { columns: { latitude, longitude: latitude === null ? null : 9 } })
  const machines = [await at(45), await at(45.1), await at(45.2), await at(null)]
  const client = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  return { merchantId, client, posIds: machines.map(({ id }) => id) }
}
const order = (client: TestClient, merchantId: string, body: { posIds: string[]; returns?: boolean; start?: object }) =>
  client.orderStops({ params: { merchantId }, body: body as never })

test('stops are in order by the driving time of the routing service; those without a place are last', async () => {
  const { merchantId, client, posIds } = await threeMachines()
  const paths: string[] = []
  answer = (response, path) => {
    paths.push(path)
    json(roads)(response)
  }
  const [first, second, third, nowhere] = posIds
  expect(await order(client, merchantId, { posIds })).toEqual({
    posIds: [first, third, second, nowhere],
    by: 'road',
    kilometers: 31,
    minutes: 30,
  })
  expect(paths).toEqual([
    '/osrm/table/v1/driving/9.000000,45.000000;9.000000,45.100000;9.000000,45.200000?annotations=duration,distance',
  ])
})

test('without an answer that is whole, stops are in order as the crow flies', async () => {
  const { merchantId, client, posIds } = await threeMachines()
  const [first, second, third, nowhere] = posIds
  const flown = { posIds: [first, second, third, nowhere], by: 'air', kilometers: 22.2, minutes: null }
  for (const bad of [
    json({ code: 'NoTable' }),
    json({ ...roads, distances: [[0]] }),
    json({
      ...roads,
      durations: [
        [0, null, 1],
        [0, 0, 0],
        [0, 0, 0],
      ],
    }),
    (response: ServerResponse) => response.end('<html>'),
    (response: ServerResponse) => response.writeHead(500).end('{}'),
    (response: ServerResponse) => response.writeHead(302, { location: `${serviceUrl}elsewhere` }).end(),
    (response: ServerResponse) => response.destroy(),
  ]) {
    answer = bad
    expect(await order(client, merchantId, { posIds })).toEqual(flown)
  }
  const home = await order(client, merchantId, { posIds, returns: true, start: { latitude: 44.9, longitude: 9 } })
  expect(home).toMatchObject({ by: 'air', kilometers: 66.7 })
})

test('a routing service that does not answer in time is not waited for', async () => {
  answer = () => {}
  const places = [
    { latitude: 45, longitude: 9 },
    { latitude: 46, longitude: 9 },
  ]
  expect(await roadsBetween(serviceUrl, places, 50)).toBeUndefined()
})

test('a machine out of reach is refused', async () => {
  const { merchantId, posIds } = await threeMachines()
  const groupId = await aGroup(api.database, merchantId)
  const user = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }])
  await expect(order(api.as(user), merchantId, { posIds })).rejects.toMatchObject({ code: 'MachineNotFound' })
})
