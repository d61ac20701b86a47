import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostKioskDays, mostKiosks } from '#contract/sales/kiosk.ts'
import { addDays, dayIn } from '#domain/time/period.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'
import { shownBy } from '#testkit/nouns/kiosks.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

const merchantWithAdmin = async () => {
  const merchant = await aMerchant(api.database)
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  return { merchantId: merchant.id, admin }
}
type Place = Awaited<ReturnType<typeof merchantWithAdmin>>

const today = () => dayIn(new Date(), 'Europe/Rome')

/** Creates a display, and returns the secret of its link. */
async function created({ merchantId, admin }: Place, more: object = {}) {
  const body = { name: 'Control room', shows: 'both', groupId: null, lastDay: addDays(today(), 30), ...more } as const
  const { link, details } = await api.as(admin).createKiosk({ params: { merchantId }, body })
  expect(new URL(link).pathname).toBe('/kiosk')
  return { secret: new URL(link).hash.slice(1), kioskId: details.id, details }
}

const shown = (secret: string) => api.send('getKiosk', { headers: shownBy(secret) })
const codeOf = async (secret: string) => ((await shown(secret)).json() as { code?: string }).code

test('an admin creates a display, sees its last use, and ends it immediately', async () => {
  const place = await merchantWithAdmin()
  const { merchantId, admin } = place
  const { secret, kioskId } = await created(place)
  // The merchant's id, and 256 random bits.
  expect(secret).toMatch(/^gtk_[\w-]{64}$/)
  const [row] = await api.database.admin<Record<string, unknown>>('select * from kiosks where id = $1', [kioskId])
  expect(JSON.stringify(row)).not.toContain(secret)
  const list = () => api.as(admin).listKiosks({ params: { merchantId } })
  expect(await list()).toMatchObject([
    { name: 'Control room', shows: 'both', groupName: null, state: 'open', lastUsedAt: null, createdBy: admin.name },
  ])
  expect((await shown(secret)).json()).toMatchObject({ name: 'Control room', shows: 'both', timeZone: 'Europe/Rome' })
  expect(await list()).toMatchObject([{ lastUsedAt: expect.any(String), lastUsedFrom: '127.0.0.1' }])
  await api.as(admin).endKiosk({ params: { merchantId, kioskId } })
  expect(await list()).toEqual([])
  expect(await codeOf(secret)).toBe('KioskEnded')
  const log = await api.as(admin).listChangeLog({ params: { merchantId }, query: { size: 10 } })
  const actions = log.items.map(({ action }) => action)
  expect(actions).toEqual(expect.arrayContaining(['kiosk.create', 'kiosk.end']))
  expect(JSON.stringify(log)).not.toContain(secret)
})

test('its last day is within a year from today', async () => {
  const place = await merchantWithAdmin()
  for (const lastDay of [addDays(today(), -2), addDays(today(), mostKioskDays + 2)])
    await expect(created(place, { lastDay })).rejects.toMatchObject({ code: 'ValidationFailed' })
  await created(place, { lastDay: addDays(today(), 1) })
})

test('after its last day by the merchant’s calendar the link has ended', async () => {
  const place = await merchantWithAdmin()
  const { secret, kioskId } = await created(place)
  await api.database.admin('update kiosks set last_day = $2 where id = $1', [kioskId, addDays(today(), -1)])
  expect(await codeOf(secret)).toBe('KioskEnded')
  const [row] = await api.as(place.admin).listKiosks({ params: { merchantId: place.merchantId } })
  expect(row?.state).toBe('over')
})

test('a name is used once, and a merchant has a limited number', async () => {
  const place = await merchantWithAdmin()
  await created(place)
  await expect(created(place)).rejects.toMatchObject({ code: 'KioskNameTaken' })
  for (let number = 1; number < mostKiosks; number++) await created(place, { name: `Screen ${number}` })
  await expect(created(place, { name: 'One more' })).rejects.toMatchObject({ code: 'TooManyKiosks' })
})

test('it ends with the portal switch of its merchant and with a demo, and works again after them', async () => {
  const place = await merchantWithAdmin()
  const { secret } = await created(place)
  const set = (column: string, value: unknown) =>
    api.database.admin(`update merchants set ${column} = $2 where id = $1`, [place.merchantId, value])
  await set('web_portal', false)
  expect(await codeOf(secret)).toBe('WebPortalNotIncluded')
  await set('web_portal', true)
  expect((await shown(secret)).statusCode).toBe(200)
  await api.database.admin(`update merchants set is_demo = true, demo_expires_on = current_date - 3 where id = $1`, [
    place.merchantId,
  ])
  expect(await codeOf(secret)).toBe('DemoExpired')
})

test('it ends when its creator loses the right: by role, suspension, merchant or deletion', async () => {
  const change: Record<string, string> = {
    role: `update users set role = 'merchantUser' where id = $1`,
    suspension: `update users set status = 'suspended' where id = $1`,
    merchant: 'delete from user_merchants where user_id = $1',
    groups: 'update user_merchants set all_groups = false where user_id = $1',
  }
  for (const [why, statement] of Object.entries(change)) {
    const place = await merchantWithAdmin()
    const { secret } = await created(place)
    const other = await aUser(api.database, 'merchantAdmin', [{ merchantId: place.merchantId, groups: 'all' }])
    expect((await shown(secret)).statusCode, why).toBe(200)
    await api.database.admin(statement, [place.admin.id])
    expect(await codeOf(secret), why).toBe('KioskEnded')
    const [row] = await api.as(other).listKiosks({ params: { merchantId: place.merchantId } })
    expect(row?.state, why).toBe('withoutCreator')
  }
})

test('a display of a group shows the figures and the machines of this group alone, and ends with it', async () => {
  const place = await merchantWithAdmin()
  const { merchantId } = place
  const groupId = await aGroup(api.database, merchantId, 'North')
  const inside = await aMachine(api.database, merchantId, { groupId, columns: { latitude: 45, longitude: 9 } })
  const outside = await aMachine(api.database, merchantId, { columns: { latitude: 41, longitude: 12 } })
  for (const machine of [inside, outside]) {
    await aSale(api.database, machine)
    await anAlarm(api.database, machine, { code: 'ENE' })
  }
  const whole = await created(place, { name: 'Whole' })
  const part = await created(place, { name: 'Part', groupId })
  expect((await shown(part.secret)).json()).toMatchObject({ groupName: 'North' })
  const figures = async (secret: string) =>
    (await api.send('getKioskDashboard', { headers: shownBy(secret) })).json() as {
      machines: { total: number }
      needsYou: { posId: string }[]
    }
  expect((await figures(whole.secret)).machines.total).toBe(2)
  expect((await figures(part.secret)).machines.total).toBe(1)
  expect(JSON.stringify(await figures(part.secret))).not.toContain(outside.id)
  const spots = async (secret: string) =>
    (await api.send('mapKiosk', { query: { width: 800, height: 600 }, headers: shownBy(secret) })).payload
  expect(await spots(whole.secret)).toContain(outside.id)
  expect(await spots(part.secret)).toContain(inside.id)
  expect(await spots(part.secret)).not.toContain(outside.id)
  await api.database.admin('update machines set group_id = null where group_id = $1', [groupId])
  await api.as(place.admin).deleteGroup({ params: { merchantId, groupId } })
  expect(await codeOf(part.secret)).toBe('KioskEnded')
})

test('a display shows the figures of the dashboard, without features that the merchant lacks and without users', async () => {
  const place = await merchantWithAdmin()
  const { merchantId, admin } = place
  await aSale(api.database, await aMachine(api.database, merchantId))
  await api.database.admin(
    `update merchant_features set features = array_remove(features, 'productStock') where merchant_id = $1`,
    [merchantId],
  )
  const { secret } = await created(place)
  const shownFigures = (await api.send('getKioskDashboard', { headers: shownBy(secret) })).json() as Record<
    string,
    unknown
  >
  const {
    hasFirstSteps: _,
    haltedRollouts: __,
    at: ___,
    ...own
  } = await api.as(admin).getDashboard({ params: { merchantId } })
  const { at: ____, ...there } = shownFigures
  expect(there).toEqual(own)
  expect(there).not.toHaveProperty('soldOut')
  const everything = JSON.stringify([there, (await shown(secret)).json()])
  for (const personal of [admin.id, admin.email, admin.name]) expect(everything).not.toContain(personal)
})

test('unknown secrets from one address are refused after a while; those of ended displays are not counted', async () => {
  const place = await merchantWithAdmin()
  const { secret, kioskId } = await created(place)
  await api.database.admin('update kiosks set last_day = $2 where id = $1', [kioskId, addDays(today(), -1)])
  for (let time = 0; time < 65; time++) expect(await codeOf(secret)).toBe('KioskEnded')
  const wrong = secret.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  const codes = new Set<string | undefined>()
  for (let time = 0; time < 65; time++) codes.add(await codeOf(wrong))
  expect(codes).toEqual(new Set(['KioskEnded', 'TooManyRequests']))
})
