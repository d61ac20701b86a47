import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostSelected } from '#contract/frame/selection.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aPortal } from '#testkit/nouns/key-portal.ts'
import { textsOfPdf } from '#testkit/pdf-text.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

async function merchantWithUser() {
  const { id: merchantId } = await aMerchant(api.database)
  const user = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  return { merchantId, user }
}
type Place = Awaited<ReturnType<typeof merchantWithUser>>

const printed = ({ merchantId, user }: Place, posIds: string[], more: object = {}) =>
  api.send(
    'printMachineLabels',
    { params: { merchantId }, body: { posIds, reader: 'staff', paper: 'a4x24', language: 'en', ...more } },
    user,
  )
const textOf = async (answer: ReturnType<typeof printed>) => textsOfPdf((await answer).rawPayload).join(' ')

test('labels for technicians name the machines in the order of the request', async () => {
  const place = await merchantWithUser()
  const one = await aMachine(api.database, place.merchantId, { name: 'Atrium' })
  const other = await aMachine(api.database, place.merchantId, { name: 'Canteen' })
  const answer = await printed(place, [other.id, one.id])
  expect(answer.headers['content-type']).toBe('application/pdf')
  expect(answer.headers['content-disposition']).toContain('.pdf')
  const text = textsOfPdf(answer.rawPayload).join(' ')
  expect(text).toMatch(/For technicians.*Canteen.*Atrium/)
  expect(text).toContain(one.serial)
  expect(text).toContain(other.serial)
})

test('labels for customers are of machines with a public page alone', async () => {
  const place = await merchantWithUser()
  const shown = await aMachine(api.database, place.merchantId, { name: 'Atrium' })
  const hidden = await aMachine(api.database, place.merchantId, { name: 'Store', columns: { hidden: true } })
  const posIds = [shown.id, hidden.id]
  const customers = { reader: 'customers' }
  const labels = () =>
    api.as(place.user).getMachineLabels({ params: { merchantId: place.merchantId }, body: { posIds } })
  expect((await labels()).map(({ isPublic }) => isPublic)).toEqual([false, false])
  expect((await printed(place, posIds, customers)).json()).toMatchObject({ code: 'MachinePagesNotFound', status: 404 })
  await aPortal(api.database, place.merchantId)
  expect((await labels()).map(({ isPublic }) => isPublic)).toEqual([true, false])
  const text = await textOf(printed(place, posIds, customers))
  expect(text).toContain('Atrium')
  expect(text).not.toContain('Store')
})

test('500 machines are printed at once, machines of other groups never', async () => {
  const place = await merchantWithUser()
  const { merchantId } = place
  const groupId = await aGroup(api.database, merchantId)
  const foreign = await aMachine(api.database, merchantId)
  const own = await aMachine(api.database, merchantId, { groupId })
  await api.database.admin(
    `insert into machines (merchant_id, id, serial, name, device_type, created_at, updated_at, group_id)
     select merchant_id, gen_random_uuid(), 'MANY-' || n, 'Many ' || n, device_type, now(), now(), group_id
     from machines, generate_series(1, $2) n where id = $1`,
    [own.id, mostSelected - 1],
  )
  const rows = await api.database.admin<{ id: string }>('select id from machines where group_id = $1', [groupId])
  const posIds = rows.map(({ id }) => id)
  expect(posIds).toHaveLength(mostSelected)
  const text = await textOf(printed(place, posIds))
  for (const number of [1, 250, mostSelected - 1]) expect(text).toContain(`MANY-${number} `)
  expect((await printed(place, [...posIds, foreign.id])).statusCode).toBe(400)
  const limited = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }])
  expect((await printed({ merchantId, user: limited }, [own.id, foreign.id])).statusCode).toBe(404)
})
