import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrol } from '#database/configurations/screen-whitelist.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aWhitelistEntry } from '#testkit/nouns/screens.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  await api.database.admin('update merchant_details set enrolment_days = 7 where merchant_id = $1', [merchantId])
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const add = (serials: string[]) => admin.addToWhitelist({ params: { merchantId }, body: { serials } })

test('serials may enrol for the merchant’s number of days; wrong lines are named and all others taken', async () => {
  const before = Date.now()
  const outcome = await add(['W-1', ' W-2 ', 'w-1', 'not a serial!', 'x'.repeat(5_000), 'W-3'])
  expect(outcome).toMatchObject({
    added: 3,
    renewed: [],
    skippedTotal: 3,
    skipped: [
      { line: 3, text: 'w-1', reason: 'repeated' },
      { line: 4, text: 'not a serial!', reason: 'notSerial' },
      { line: 5, reason: 'notSerial' },
    ],
  })
  const days = (Date.parse(`${outcome.expiresAt}Z`) - before) / 86_400_000
  expect(days).toBeGreaterThan(6.99)
  expect(days).toBeLessThan(7.01)
  expect(await add(['w-1'])).toMatchObject({ added: 0, renewed: ['W-1'] })
  const { total } = await admin.listWhitelist({ params: { merchantId } })
  expect(total).toBe(3)
})

test('lines above the maximum of a merchant are named, and those before them are taken', async () => {
  const other = await aMerchant(api.database)
  const user = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: other.id, groups: 'all' }]))
  await api.database.admin(
    `insert into whitelist_entries (merchant_id, id, serial, added_by_name, created_at, expires_at)
      select $1, gen_random_uuid(), 'FULL-' || n, 'Test', now(), now() from generate_series(1, 49999) n`,
    [other.id],
  )
  const place = { merchantId: other.id }
  expect(await user.addToWhitelist({ params: place, body: { serials: ['N-1', 'FULL-1', 'N-2'] } })).toMatchObject({
    added: 1,
    renewed: ['FULL-1'],
    skipped: [{ line: 3, text: 'N-2', reason: 'full' }],
  })
  await expect(user.addToWhitelist({ params: place, body: { serials: ['N-3'] } })).rejects.toMatchObject({
    code: 'WhitelistFull',
  })
})

test('an entry expires, an enrolled one does not, and both are found by state', async () => {
  const machine = await aMachine(api.database, merchantId, { serial: 'EXP-1' })
  const id = await aWhitelistEntry(api.database, merchantId, machine.serial)
  await api.database.admin(`update whitelist_entries set expires_at = now() - interval '1 minute' where id = $1`, [id])
  const enrolled = await aWhitelistEntry(api.database, merchantId, 'ENR-1')
  await api.database.admin(
    `update whitelist_entries set enrolled_at = now(), expires_at = now() - interval '1 day' where id = $1`,
    [enrolled],
  )
  const of = async (states: ('open' | 'enrolled' | 'expired')[]) =>
    (await admin.listWhitelist({ params: { merchantId }, query: { states } })).items.map(({ serial }) => serial)
  expect(await of(['expired'])).toEqual(['EXP-1'])
  expect(await of(['enrolled'])).toEqual(['ENR-1'])
  const screen = await admin.createScreenConfiguration({
    params: { merchantId },
    body: { name: 'Expired', size: 'portrait7', languages: ['it'] },
  })
  const sent = await admin.sendScreenConfiguration({
    params: { merchantId, screenConfigurationId: screen.id },
    body: { version: 1, machines: { ids: [machine.id] } },
  })
  expect(sent).toMatchObject({ sent: 0, refused: [{ code: 'ScreenNotEnrolled' }] })
})

test('a screen enrols whatever the capitals of its serial', async () => {
  const machine = await aMachine(api.database, merchantId, { serial: 'low-7' })
  await add(['LOW-7'])
  const { items } = await admin.listWhitelist({ params: { merchantId }, query: { search: 'low-7' } })
  expect(items).toMatchObject([{ serial: 'LOW-7', posName: machine.name }])
  expect(await enrol(api.database, merchantId, machine.serial, new Date())).toBe(true)
})
