import { parseCsv } from 'hucre/csv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UserFilters, UserRow } from '#contract/people/user-edit.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { alarmReaders } from '#database/alarms/alarm-people.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { aGroup, aMerchant, aUser } from '#testkit/fixtures.ts'

let api: TestApi
let provider: TestClient
let providerUser: TestUser
beforeAll(async () => {
  api = await openTestApi()
  providerUser = await aUser(api.database, 'superAdmin', [])
  provider = api.as(providerUser)
})
afterAll(() => api.close())

const set = (id: string, columns: Record<string, unknown>) =>
  api.database.admin(`update users set ${Object.keys(columns).map((name, n) => `${name} = $${n + 2}`)} where id = $1`, [
    id,
    ...Object.values(columns),
  ])
const names = ({ items }: { items: UserRow[] }) => items.map(({ name }) => name)

/** A merchant with two groups, an admin, and two users. */
async function aTeam() {
  const merchant = await aMerchant(api.database)
  const north = await aGroup(api.database, merchant.id, 'North')
  const south = await aGroup(api.database, merchant.id, 'South')
  const adminUser = await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const bruno = await aUser(api.database, 'groupAdmin', [{ merchantId: merchant.id, groups: [north] }])
  const carla = await aUser(api.database, 'merchantUser', [{ merchantId: merchant.id, groups: [north, south] }])
  await set(adminUser.id, { name: 'Anna', email: `anna.${merchant.id}@gettone.test` })
  await set(bruno.id, { name: 'Bruno 100%', email: `bruno.${merchant.id}@gettone.test`, status: 'suspended' })
  await set(carla.id, { name: 'Carla', email: `carla.${merchant.id}@gettone.test`, receive_notifications: true })
  const admin = api.as(adminUser)
  const list = (query: Partial<UserFilters> & Record<string, unknown> = {}, by = admin) =>
    by.listUsers({ params: { merchantId: merchant.id }, query: query as never })
  return { merchant, north, south, admin, adminUser, bruno, carla, list }
}

describe('people of a merchant', () => {
  test('are listed by e-mail address, with their merchants and groups', async () => {
    const { merchant, list, carla } = await aTeam()
    const { items, total } = await list()
    expect([names({ items }), total]).toEqual([['Anna', 'Bruno 100%', 'Carla'], 3])
    expect(items[2]).toMatchObject({
      id: carla.id,
      role: 'merchantUser',
      status: 'active',
      merchants: [merchant.name],
      groups: ['North', 'South'],
      groupCount: 2,
      hasAllGroups: false,
      receiveNotifications: true,
      lastSeenAt: null,
    })
    expect(items[0]).toMatchObject({ hasAllGroups: true, groups: [] })
  })

  test('can be sorted, paged, searched and filtered', async () => {
    const { list, north, south, merchant, admin } = await aTeam()
    const namesOf = async (query: Record<string, unknown>) => names(await list(query))
    for (const ord of ['email', 'name', 'createdAt'])
      expect(await namesOf({ ord, ordType: 'DESC' })).toEqual(['Carla', 'Bruno 100%', 'Anna'])
    expect(await namesOf({ ord: 'role' })).toEqual(['Bruno 100%', 'Anna', 'Carla'])
    expect(await namesOf({ ord: 'status' })).toEqual(['Anna', 'Carla', 'Bruno 100%'])
    expect(await namesOf({ page: 2, size: 2 })).toEqual(['Carla'])
    expect(await namesOf({ search: 'BRUNO' })).toEqual(['Bruno 100%'])
    expect(await namesOf({ search: '100%' })).toEqual(['Bruno 100%'])
    expect(await namesOf({ search: 'a_a' })).toEqual([])
    expect(await namesOf({ search: `carla.${merchant.id}` })).toEqual(['Carla'])
    await expect(list({ search: 'a' })).rejects.toMatchObject({ code: 'ValidationFailed' })
    expect(await namesOf({ roles: ['merchantUser', 'groupAdmin'] })).toEqual(['Bruno 100%', 'Carla'])
    expect(await namesOf({ statuses: ['suspended'] })).toEqual(['Bruno 100%'])
    expect(await namesOf({ groupIds: [south] })).toEqual(['Carla'])
    expect(await namesOf({ groupIds: [north, south] })).toEqual(['Bruno 100%', 'Carla'])
    expect(await namesOf({ merchantIds: [merchant.id] })).toHaveLength(3)
    expect(await namesOf({ receiveNotifications: 'true' })).toEqual(['Carla'])
    const byAll = await admin.listUsers({ params: { merchantId: allMerchants }, query: {} })
    expect(names(byAll)).toEqual(['Anna', 'Bruno 100%', 'Carla'])
  })

  test('of another merchant are neither listed nor found by filters', async () => {
    const ownTeam = await aTeam()
    const otherTeam = await aTeam()
    await expect(ownTeam.list({ merchantIds: [otherTeam.merchant.id] })).rejects.toMatchObject({
      code: 'MerchantNotFoundException',
    })
    await expect(ownTeam.list({ groupIds: [otherTeam.north] })).rejects.toMatchObject({ code: 'GroupNotFound' })
    await expect(ownTeam.list({}, otherTeam.admin)).rejects.toMatchObject({ code: 'MerchantNotFoundException' })
    const everybody = await provider.listUsersOfAll({ query: { size: 500 } })
    for (const { carla } of [ownTeam, otherTeam]) expect(everybody.items.map(({ id }) => id)).toContain(carla.id)
    const all = await provider.listEveryUser({})
    expect(all.items.map(({ email }) => email)).toEqual(all.items.map(({ email }) => email).sort())
    expect(all.total).toBe(everybody.total)
  })

  test('show when they last opened the portal, users who never did last', async () => {
    const { list, carla } = await aTeam()
    await api.as(carla).getMe({})
    const { items } = await list({ ord: 'lastSeenAt', ordType: 'DESC' })
    expect(items.map(({ lastSeenAt }) => lastSeenAt !== null)).toEqual([true, false, false])
    expect(items[0]?.name).toBe('Carla')
  })
})

describe('options', () => {
  const edit = async (id: string, edits: Record<string, unknown>, by: TestClient) => {
    const user = await by.getUser({ params: { userId: id } })
    const merchants = user.merchants.map(({ merchantId, allGroups, groups }) => ({
      merchantId,
      allGroups,
      groupIds: groups.map((group) => group.id),
    }))
    const { version, email, name, language, role, receiveNotifications } = user
    const body = { version, email, name, language, role, receiveNotifications, merchants, isSuspended: false, ...edits }
    return by.updateUser({ params: { userId: id }, body })
  }

  test('a user hidden from merchants is shown to the provider only: in lists, files, details and groups', async () => {
    const { admin, adminUser, carla, list, merchant, south } = await aTeam()
    await edit(carla.id, { invisibleToMerchants: true }, provider)
    expect(names(await list())).toEqual(['Anna', 'Bruno 100%'])
    expect((await list()).total).toBe(2)
    expect(names(await list({ search: 'carla' }))).toEqual([])
    expect(names(await list({}, provider))).toContain('Carla')
    const unknown = { status: 404, code: 'UserNotFound' }
    await expect(admin.getUser({ params: { userId: carla.id } })).rejects.toMatchObject(unknown)
    await expect(admin.deleteUser({ params: { userId: carla.id } })).rejects.toMatchObject(unknown)
    await expect(admin.resendInvitation({ params: { userId: carla.id } })).rejects.toMatchObject(unknown)
    const file = (await api.send('exportUsers', {}, adminUser)).payload
    expect([file.includes('Anna'), file.includes('Carla')]).toEqual([true, false])
    expect((await api.send('exportUsers', {}, providerUser)).payload).toContain('Carla')
    const people = (by: TestClient) =>
      by.listGroupPeople({ params: { merchantId: merchant.id, groupId: south }, query: {} })
    expect(await people(admin)).toMatchObject({ items: [], total: 0 })
    expect(await people(provider)).toMatchObject({ items: [{ name: 'Carla' }], total: 1 })
    // They still block the deletion, but without a name.
    const blocked = { code: 'GroupInUse', facts: { people: 1, firstPeople: [] } }
    await expect(admin.deleteGroup({ params: { merchantId: merchant.id, groupId: south } })).rejects.toMatchObject(
      blocked,
    )
    const named = { facts: { firstPeople: [{ id: carla.id, name: 'Carla' }] } }
    await expect(provider.deleteGroup({ params: { merchantId: merchant.id, groupId: south } })).rejects.toMatchObject(
      named,
    )
  })

  test('the licence permission depends on the role, not only on the setting', async () => {
    const { carla, bruno, admin, adminUser, list } = await aTeam()
    const may = async (user: TestUser) => (await api.as(user).getMe({})).mayLicense
    expect(await may(carla)).toBe(false)
    await expect(edit(carla.id, { allowLicensing: true }, admin)).rejects.toMatchObject({ code: 'Forbidden' })
    await edit(carla.id, { allowLicensing: true }, provider)
    await edit(bruno.id, { allowLicensing: true }, provider)
    expect([await may(carla), await may(bruno), await may(providerUser)]).toEqual([true, false, true])
    const namesOf = async (mayLicense: boolean) => names(await list({ mayLicense: String(mayLicense) as never }))
    // The filter uses the effective permission, not the setting.
    expect([await namesOf(true), await namesOf(false)]).toEqual([['Carla'], ['Anna', 'Bruno 100%']])
    const rows = (await api.send('exportUsers', { query: { mayLicense: 'true' } }, adminUser)).payload.split('\n')
    expect(rows).toHaveLength(3)
    expect(rows[1]).toMatch(/^carla\..*,Yes,/)
    // A save by the merchant's admin does not change it.
    await edit(carla.id, { name: 'Carla Verdi' }, admin)
    expect(await may(carla)).toBe(true)
  })

  test('a user with notifications switched on gets alarm mails', async () => {
    const { bruno, carla, merchant, admin } = await aTeam()
    const asking = async () =>
      (await api.database.withSystem('alarm mail', (db) => alarmReaders(db, merchant.id)))
        .filter(({ isAsking }) => isAsking)
        .map(({ id }) => id)
    expect(await asking()).toEqual([carla.id])
    await edit(bruno.id, { receiveNotifications: true }, admin)
    await edit(carla.id, { receiveNotifications: false }, admin)
    expect(await asking()).toEqual([bruno.id])
  })

  test('a suspended, demoted or deleted user is refused or restricted from the next request on', async () => {
    const { carla, admin, merchant, north } = await aTeam()
    const ownClient = api.as(carla)
    const groupsOf = async () => (await ownClient.listGroups({ params: { merchantId: merchant.id } })).length
    expect(await groupsOf()).toBe(2)
    await edit(carla.id, { merchants: [{ merchantId: merchant.id, allGroups: false, groupIds: [north] }] }, admin)
    expect(await groupsOf()).toBe(1)
    const token = api.tokenOf(carla)
    const ask = async () => {
      const answer = await api.app.inject({ url: '/api/v1/users/me', headers: { authorization: `Bearer ${token}` } })
      return answer.json().code ?? answer.statusCode
    }
    expect(await ask()).toBe(200)
    await edit(carla.id, { isSuspended: true }, admin)
    expect(await ask()).toBe('UnauthorizedUserException')
    await edit(carla.id, { isSuspended: false }, admin)
    // They may sign in again, but earlier tokens stay invalid.
    expect(await ask()).toBe('Unauthorized')
    await admin.deleteUser({ params: { userId: carla.id } })
    expect(await ask()).toBe('UnauthorizedUserException')
  })
})

describe('the file', () => {
  test('has quoted fields, the reader’s language and no formula', async () => {
    const { adminUser, carla } = await aTeam()
    await set(carla.id, { name: '=HYPERLINK("http://x";"y")' })
    await set(adminUser.id, { language: 'it' })
    const answer = await api.send('exportUsers', {}, adminUser)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="Utenti \d{4}-\d\d-\d\d\.csv"$/)
    const [head, ...lines] = answer.payload.split('\n')
    expect(head).toMatch(/^\uFEFFEmail;Nome;Ruolo;Stato;/)
    expect(lines).toHaveLength(4)
    expect(lines[2]).toContain(`;"'=HYPERLINK(""http://x"";""y"")";Utente del gestore;Attivo;`)
  })

  test('of fifty thousand users is streamed, and spreadsheets read every value unchanged', {
    timeout: 120_000,
  }, async () => {
    const merchant = await aMerchant(api.database)
    const adminUser = await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
    const nameOf = (n: number) => (hostile[n % hostile.length] ?? '').replaceAll('#', String(n))
    const people = Array.from({ length: 50_000 }, (_, n) => [`p${String(n).padStart(5, '0')}@many.test`, nameOf(n)])
    await api.database.admin(
      `with made as (
        insert into users (id, email, name, role, status, created_at)
        select gen_random_uuid(), email, name, 'merchantUser', 'active', now()
        from unnest($2::text[], $3::text[]) as given (email, name) returning id)
      insert into user_merchants select id, $1, true from made`,
      [merchant.id, people.map(([email]) => email), people.map(([, name]) => name)],
    )
    await api.database.admin('analyze users, user_merchants')
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = api.app.server.address() as { port: number }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/users/csv`, {
      headers: { authorization: `Bearer ${api.tokenOf(adminUser)}`, 'accept-language': 'en' },
    })
    let pieces = 0
    let longest = 0
    const chunks: Uint8Array[] = []
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      pieces += 1
      longest = Math.max(longest, chunk.length)
      chunks.push(chunk)
    }
    // It was never in memory as a whole.
    expect(pieces).toBeGreaterThan(40)
    expect(longest).toBeLessThan(512 * 1024)
    const text = Buffer.concat(chunks).toString('utf8')
    expect(text.startsWith('\uFEFF')).toBe(true)
    const [head = [], ...rows] = parseCsv(text)
    expect(head.slice(0, 3)).toEqual(['Email', 'Name', 'Role'])
    expect(rows.filter((row) => row.length !== head.length)).toEqual([])
    const read = new Map(rows.map(([email, name]) => [email, name]))
    expect([rows.length, read.size]).toEqual([50_001, 50_001])
    // Only texts that a spreadsheet would calculate have an apostrophe in front.
    const safe = (name = '') => (calculated.some((start) => name.startsWith(start)) ? `'${name}` : name)
    expect(people.filter(([email = '', name]) => read.get(email) !== safe(name))).toEqual([])
    expect(rows.flat().filter((cell) => /^[\s'"]*[=+@-]/.test(String(cell)) && !String(cell).startsWith("'"))).toEqual(
      [],
    )
  })
})

/** Starts of names that a spreadsheet would calculate or skip. */
const calculated = ['=', '+', '-', '@', '\t', '\n', ' =', '"=', '＝']
/** Ordinary and hostile names; # is a number. */
const hostile = [
  '=1+#',
  '+#',
  '-#',
  '@SUM(#)',
  ' =1+#',
  '"=1+#',
  '＝1+#',
  `=cmd|' /C calc'!A0 #`,
  '=HYPERLINK("http://x";"#")',
  '\tTab #',
  'In\ttab #',
  'Two\nlines #',
  'Two\r\nlines #',
  '\nSecond line #',
  'Quote "#"',
  "'Apostrophe #",
  'Rossi, "#"; Maria',
  'مدير #',
  'שלום "#", ok',
  '🥤🇮🇹 #',
  'Zoë Müller-Łuk #',
  'Person #',
]
