import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EndpointName, endpoints } from '#contract/endpoints.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import { groupsHeader, isOfManyMachines } from '#contract/frame/group-lens.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'
import type { OpenApiDocument } from './openapi.ts'

let api: TestApi
let merchantId: string
let foreignGroup: string
const groups: string[] = []
const machines: TestMachine[] = []
let whole: TestUser
let part: TestUser

beforeAll(async () => {
  api = await openTestApi()
  const { database } = api
  merchantId = (await aMerchant(database)).id
  const foreign = await aMerchant(database)
  foreignGroup = await aGroup(database, foreign.id)
  await aMachine(database, foreign.id, { groupId: foreignGroup })
  for (const name of ['North', 'South']) {
    const groupId = await aGroup(database, merchantId, name)
    groups.push(groupId)
    machines.push(await aMachine(database, merchantId, { groupId }))
  }
  machines.push(await aMachine(database, merchantId))
  for (const machine of machines) await anAlarm(database, machine)
  whole = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  part = await aUser(database, 'groupAdmin', [{ merchantId, groups: [groups[0] as string] }])
})
afterAll(() => api.close())

const ask = async (name: EndpointName, lens: string, user = whole, path = merchantId, query = '') => {
  const row = endpoints[name] as unknown as AnyEndpoint
  const answer = await api.app.inject({
    method: row.method,
    url: `/api/v1${row.path.replace('{merchantId}', path)}${query}`,
    headers: { authorization: `Bearer ${api.tokenOf(user)}`, [groupsHeader]: lens },
  })
  return answer.json()
}
const idsOf = (answer: { items: { id: string }[] }) => answer.items.map(({ id }) => id).sort()
const idOf = (index: number) => machines[index]?.id as string

describe('selected groups', () => {
  test('lists, counts, groups and the dashboard contain only these groups; machines without a group are excluded', async () => {
    const [north] = groups as [string]
    expect(idsOf(await ask('listMachines', north))).toEqual([idOf(0)])
    expect(idsOf(await ask('listMachines', groups.join(',')))).toEqual([idOf(0), idOf(1)].sort())
    const counts = (await ask('countMachines', north)) as Record<string, number>
    expect(Object.values(counts).filter((count) => typeof count === 'number' && count > 1)).toEqual([])
    expect((await ask('listAlarms', north)).items.map(({ posId }: { posId: string }) => posId)).toEqual([idOf(0)])
    expect((await ask('listGroups', north)).map(({ id }: { id: string }) => id)).toEqual([north])
    expect((await ask('getDashboard', north)).machines.total).toBe(1)
  })

  test('capital letters name the same group', async () => {
    expect(idsOf(await ask('listMachines', (groups[0] as string).toUpperCase()))).toEqual([idOf(0)])
  })

  test('the selection applies under all merchants too', async () => {
    expect(idsOf(await ask('listMachines', groups[1] as string, whole, allMerchants))).toEqual([idOf(1)])
  })

  test('the selection only narrows: a group out of reach is not found', async () => {
    const missing = { status: 404, code: 'GroupNotFound' }
    expect(await ask('listMachines', groups[1] as string, part)).toMatchObject(missing)
    expect(await ask('listMachines', groups.join(','), part)).toMatchObject(missing)
    expect(await ask('listMachines', foreignGroup)).toMatchObject(missing)
    expect(await ask('listMachines', foreignGroup, part, allMerchants)).toMatchObject(missing)
    expect(idsOf(await ask('listMachines', groups[0] as string, part))).toEqual([idOf(0)])
  })

  test('a machine outside the selection answers as if it did not exist', async () => {
    const row = endpoints.getMachine.path.replace('{merchantId}', merchantId).replace('{posId}', idOf(1))
    const headers = { authorization: `Bearer ${api.tokenOf(whole)}`, [groupsHeader]: groups[0] as string }
    const answer = await api.app.inject({ method: 'GET', url: `/api/v1${row}`, headers })
    expect(answer.json()).toMatchObject({ code: 'MachineNotFound' })
  })

  test.each(['', 'x', 'all', '*', `${'0'.repeat(36)},`, `'; drop table groups`, 'a'.repeat(20_001)])(
    'an invalid value is refused: %.20s',
    async (lens) => {
      expect(await ask('listMachines', lens)).toMatchObject({ status: 400, code: 'ValidationFailed' })
    },
  )
})

test('the document names the header at every call on a merchant only', async () => {
  const document = (await api.app.inject('/api/openapi.json')).json() as OpenApiDocument & {
    paths: Record<string, Record<string, { parameters?: { in: string; name: string; description?: string }[] }>>
  }
  let rowCount = 0
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      const headers = parameters.filter((one) => one.in === 'header').map(({ name }) => name)
      expect([path, headers]).toEqual([path, path.includes('{merchantId}') ? [groupsHeader] : []])
      rowCount += headers.length
    }
  }
  expect(rowCount).toBeGreaterThan(20)
})

test('the portal sends it with calls on many machines, not on one', () => {
  const sent = Object.entries(endpoints)
    .filter(([, row]) => isOfManyMachines(row))
    .map(([name]) => name)
  expect(sent).toEqual(expect.arrayContaining(['listMachines', 'countMachines', 'getDashboard', 'statsOfPeriod']))
  expect(sent).not.toContain('getMachine')
  expect(sent).not.toContain('listMyMerchants')
})
