import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aClient, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let merchantId: string
let person: TestUser
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  person = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  admin = api.as(person)
})
afterAll(() => api.close())

const params = () => ({ merchantId })
const linesOf = async (list: 'machines' | 'clients', filter: object) => {
  const body = { list, format: 'csv', columns: ['name', 'sector'], filter, language: 'it' } as never
  const { payload } = await api.send('exportShown', { params: params(), body }, person)
  return payload
    .replace('\uFEFF', '')
    .split(/\r?\n/)
    .slice(0, -1)
    .map((line) => line.replaceAll('"', '').split(';'))
}

test('a machine has a POS sector, which can be logged, filtered and exported', async () => {
  const machine = await aMachine(api.database, merchantId, { name: 'Atrium' })
  await aMachine(api.database, merchantId, { columns: { sector: 'school' } })
  const edit = (body: object) => admin.updateMachine({ params: { merchantId, posId: machine.id }, body: body as never })
  expect(await edit({ version: 1, sector: 'fuelStation' })).toMatchObject({ version: 2, sector: 'fuelStation' })
  expect(await edit({ version: 2, name: 'Atrium 1' })).toMatchObject({ sector: 'fuelStation' })
  await expect(edit({ version: 3, sector: 'moon' })).rejects.toMatchObject({ code: 'ValidationFailed' })
  const list = async (sectors: string[]) =>
    (await admin.listMachines({ params: params(), query: { sectors: sectors as never } })).items.map(
      (one) => one.sector,
    )
  expect(await list(['fuelStation'])).toEqual(['fuelStation'])
  expect((await list(['fuelStation', 'school'])).toSorted()).toEqual(['fuelStation', 'school'])
  const [head, row, ...others] = await linesOf('machines', { sectors: ['fuelStation'] })
  expect([head?.at(-1), row?.at(-1), others]).toEqual(['Settore', 'Stazione di servizio', []])
  const [change] = await api.database.admin<{ before: object; after: object }>(
    `select before, after from change_log where subject_id = $1 order by at limit 1`,
    [machine.id],
  )
  expect([change?.before, change?.after]).toMatchObject([{ sector: null }, { sector: 'fuelStation' }])
})

test('a client has a POS sector, which can be filtered and exported', async () => {
  const made = await admin.createClient({
    params: params(),
    body: { code: 'S-1', name: 'Sacro Cuore', country: 'IT', sector: 'hospital' },
  })
  expect(made.sector).toBe('hospital')
  await aClient(api.database, merchantId)
  const { items, total } = await admin.listClients({ params: params(), query: { sectors: ['hospital', 'hotel'] } })
  expect([items.map(({ id }) => id), total]).toEqual([[made.id], 1])
  expect((await linesOf('clients', { sectors: ['hospital'] })).slice(1)).toEqual([['Sacro Cuore', 'Ospedale']])
})
