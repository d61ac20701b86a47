import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('serials may enrol for the merchant’s number of days; repeated and invalid ones are named', async () => {
  const before = Date.now()
  const outcome = await add(['W-1', ' W-2 ', 'W-1', 'not a serial!', 'W-3'])
  expect(outcome).toMatchObject({ added: 3, renewed: [], duplicates: ['W-1'], invalid: ['not a serial!'] })
  const days = (Date.parse(`${outcome.expiresAt}Z`) - before) / 86_400_000
  expect(days).toBeGreaterThan(6.99)
  expect(days).toBeLessThan(7.01)
  expect(await add(['W-1'])).toMatchObject({ added: 0, renewed: ['W-1'] })
  const { total } = await admin.listWhitelist({ params: { merchantId } })
  expect(total).toBe(3)
})

test('100,000 serials are refused with the maximum', async () => {
  const serials = Array.from({ length: 100_000 }, (_, at) => `X${at}`)
  await expect(add(serials)).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'serials', rule: 'rule.maxLength', values: { maxLength: 10_000 } }],
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
