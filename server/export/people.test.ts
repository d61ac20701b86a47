import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnIdsOf, type ExportList } from '#contract/export/export-lists.ts'
import { groupsHeader } from '#contract/frame/group-lens.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { languages } from '#contract/vocabulary/world/languages.ts'
import { sources } from '#server/api/export-sources.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aGroup, aMerchant, aUser } from '#testkit/fixtures.ts'
import { runExport } from './run.ts'

/* Exports of users, who belong to no tenant: the list's own conditions apply the scope. */

let api: TestApi
let provider: TestUser
beforeAll(async () => {
  api = await openTestApi()
  provider = await aUser(api.database, 'superAdmin', [])
})
afterAll(() => api.close())

const set = (id: string, columns: Record<string, unknown>) =>
  api.database.admin(`update users set ${Object.keys(columns).map((name, n) => `${name} = $${n + 2}`)} where id = $1`, [
    id,
    ...Object.values(columns),
  ])

/** A merchant in Mexico with an admin, Bruno in one group, and Carla in another group, who is hidden from merchants. */
async function aTeam() {
  const { database } = api
  const { id, name } = await aMerchant(database, { time_zone: 'America/Mexico_City' })
  const north = await aGroup(database, id, 'North')
  const south = await aGroup(database, id, 'South')
  const admin = await aUser(database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }])
  const bruno = await aUser(database, 'groupAdmin', [{ merchantId: id, groups: [north] }])
  const carla = await aUser(database, 'merchantUser', [{ merchantId: id, groups: [south] }])
  await set(admin.id, { name: 'Anna', email: `a.${id}@gettone.test`, last_seen_at: '2026-01-15T12:00:00Z' })
  await set(bruno.id, { name: '=1+1', email: `b.${id}@gettone.test`, allow_licensing: true })
  await set(carla.id, {
    name: 'Carla',
    email: `c.${id}@gettone.test`,
    invisible_to_merchants: true,
    allow_licensing: true,
  })
  return { id, name, north, south, admin, bruno, carla }
}

const orderOf = (list: ExportList, more: Record<string, unknown> = {}) => ({
  list,
  format: 'csv',
  columns: columnIdsOf(list),
  filter: {},
  language: 'en',
  ...more,
})
const send = (user: TestUser, merchantId: string, body: object) =>
  api.send('exportShown', { params: { merchantId }, body }, user)

/** Rows of a file by their headings, with the separator of its language. */
function table(text: string): Record<string, string>[] {
  const [head = [], ...rows] = parseCsv(text)
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [String(name), String(row[at] ?? '')])))
}
async function rowsOf(user: TestUser, merchantId: string, body: object) {
  const answer = await send(user, merchantId, body)
  expect(answer.statusCode, answer.payload).toBe(200)
  return table(answer.rawPayload.toString('utf8'))
}

describe('people of a merchant', () => {
  test('are exported as on the screen, in the merchant’s local time, without users hidden from merchants', async () => {
    const { id, name, admin, bruno } = await aTeam()
    expect(await rowsOf(admin, id, orderOf('users', { ord: 'email', ordType: 'DESC' }))).toEqual([
      {
        Email: `b.${id}@gettone.test`,
        Name: "'=1+1",
        Role: 'Group admin',
        Status: 'Active',
        Language: '',
        Merchants: name,
        'All groups': 'No',
        Groups: 'North',
        'Receives notifications': 'No',
        // The stored setting does not apply to a group admin.
        'Can manage licences': 'No',
        'Last seen (America/Mexico_City)': '',
        'Created (America/Mexico_City)': expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/),
        ID: bruno.id,
      },
      expect.objectContaining({
        Name: 'Anna',
        'All groups': 'Yes',
        'Last seen (America/Mexico_City)': '15/01/2026 06:00:00',
      }),
    ])
    const [, row] =
      (
        await readXlsx(
          new Uint8Array((await send(admin, id, orderOf('users', { format: 'xlsx', ord: 'name' }))).rawPayload),
        )
      ).sheets[0]?.rows ?? []
    expect(row?.slice(0, 3)).toEqual([`b.${id}@gettone.test`, '=1+1', 'Group admin'])
    const byProvider = await rowsOf(provider, id, orderOf('users'))
    expect(byProvider.map(({ Name }) => Name)).toEqual(['Anna', "'=1+1", 'Carla'])
    expect(byProvider[2]).toMatchObject({ 'Can manage licences': 'Yes' })
  })

  test('follow the filters and the selected groups', async () => {
    const { id, north, south, admin, bruno } = await aTeam()
    const names = async (filter: object, by: TestUser = admin) =>
      (await rowsOf(by, id, orderOf('users', { filter }))).map(({ Name }) => Name)
    expect(await names({ groupIds: [north] })).toEqual(["'=1+1"])
    expect(await names({ groupIds: [south] })).toEqual([])
    expect(await names({ search: 'anna' })).toEqual(['Anna'])
    expect(await names({ roles: ['merchantAdmin'], merchantIds: [id] })).toEqual(['Anna'])
    expect(await names({ mayLicense: 'true' }, provider)).toEqual(['Carla'])
    const looked = { params: { merchantId: id }, body: orderOf('users'), headers: { [groupsHeader]: north } }
    const text = (await api.send('exportShown', looked, admin)).rawPayload.toString('utf8')
    expect(table(text).map(({ Name }) => Name)).toEqual(["'=1+1"])
    // Neither role may list users.
    for (const list of ['users', 'usersOfAll'] as const)
      expect((await send(bruno, id, orderOf(list))).json()).toMatchObject({ code: 'Forbidden' })
  })

  test('of other merchants are not in the file, and filters cannot find them', async () => {
    const ownTeam = await aTeam()
    const otherTeam = await aTeam()
    for (const [filter, code] of [
      [{ merchantIds: [otherTeam.id] }, 'MerchantNotFoundException'],
      [{ groupIds: [otherTeam.north] }, 'GroupNotFound'],
    ] as const)
      expect((await send(ownTeam.admin, ownTeam.id, orderOf('users', { filter }))).json()).toMatchObject({ code })
    expect((await send(ownTeam.admin, otherTeam.id, orderOf('users'))).json()).toMatchObject({
      code: 'MerchantNotFoundException',
    })
    const rows = await rowsOf(ownTeam.admin, allMerchants, orderOf('users'))
    expect(rows.map(({ Name }) => Name)).toEqual(['Anna', "'=1+1"])
  })

  test.each(languages)('have a heading for each column in %s', async (language) => {
    const { admin, id } = await aTeam()
    for (const [user, list] of [
      [admin, 'users'],
      [provider, 'usersOfAll'],
    ] as const) {
      const [row = {}] = await rowsOf(user, id, orderOf(list, { language }))
      expect(Object.keys(row).length).toBeGreaterThan(columnIdsOf(list).length)
      for (const heading of Object.keys(row)) expect(heading).not.toMatch(/^$|^column\.|[:]/)
    }
  })
})

describe('people of all merchants and of none', () => {
  test('can be exported by the provider only, each with their merchants, in UTC', async () => {
    const { id, name, admin, carla } = await aTeam()
    await aTeam()
    expect((await send(admin, allMerchants, orderOf('usersOfAll'))).json()).toMatchObject({ code: 'Forbidden' })
    const rows = await rowsOf(provider, allMerchants, orderOf('usersOfAll'))
    const everybody = await api.database.admin('select email from users order by email')
    expect(rows.map((row) => row['Email'])).toEqual(everybody.map(({ email }) => email))
    expect(rows.find(({ ID }) => ID === carla.id)).toMatchObject({
      Merchant: name,
      'Invisible to merchants': 'Yes',
      'Time zone': 'UTC',
    })
    expect(rows.find(({ ID }) => ID === (provider as { id?: string }).id)).toMatchObject({
      Merchant: '',
      Role: 'Super admin',
    })
    const ofOne = await rowsOf(provider, allMerchants, orderOf('usersOfAll', { filter: { merchantIds: [id] } }))
    expect(ofOne.map(({ Name }) => Name)).toEqual(['Anna', "'=1+1", 'Carla'])
  })
})

describe('in the background', () => {
  const made = async (user: TestUser, merchantId: string, list: ExportList) => {
    const by = api.as(user)
    const { id } = await by.createExport({ params: { merchantId }, body: orderOf(list) as never })
    const services = { sources, doors: api.database, blobs: api.blobs, log: pino({ level: 'silent' }), hours: 2 }
    await runExport(services, id, { isLastTry: true })
    return by.getExport({ params: { merchantId, exportId: id } })
  }
  const fetched = (link: string | null) => api.app.inject({ method: 'GET', url: link ?? 'no link' })

  test('the file has the same content', async () => {
    const { id, admin } = await aTeam()
    const job = await made(admin, id, 'users')
    expect(job).toMatchObject({ status: 'done', total: 2, written: 2 })
    expect(table((await fetched(job.link)).payload)).toEqual(await rowsOf(admin, id, orderOf('users')))
    const all = await made(provider, allMerchants, 'usersOfAll')
    expect(table((await fetched(all.link)).payload)).toEqual(
      await rowsOf(provider, allMerchants, orderOf('usersOfAll')),
    )
  })

  test('the file is unavailable to users who may not see the list', async () => {
    const { id, admin } = await aTeam()
    const { link } = await made(admin, id, 'users')
    await set(admin.id, { role: 'merchantUser' })
    expect((await fetched(link)).json()).toMatchObject({ code: 'ExportNotFound' })
    await set(admin.id, { role: 'merchantAdmin' })
    expect((await fetched(link)).statusCode).toBe(200)
  })
})
