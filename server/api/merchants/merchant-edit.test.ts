import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoDays, type MerchantDetails, nothingSaid } from '#contract/merchants/merchant-edit.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { localDayOf } from '#domain/time/local-hour.ts'
import { associate } from '#server/gateway/association.ts'
import { createPins } from '#server/gateway/pins.ts'
import { startLiveHub } from '#server/live/hub.ts'
import { openTestApi, type TestApi, type TestClient, type TestUser } from '#testkit/api.ts'
import { systemAddressOf } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
let someone: TestUser & { id: string }
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  someone = await aUser(api.database, 'superAdmin', [])
  admin = api.as(someone)
})
afterAll(() => api.close())

const word = () => randomBytes(6).toString('hex')
const mexican = () => ({
  name: `Café ${word()}`,
  country: 'MX',
  language: 'es' as const,
  timeZone: 'America/Mexico_City',
  currency: 'MXN' as const,
})
const create = (more: object = {}) => admin.createMerchant({ body: { ...mexican(), ...more } })
const get = ({ id: merchantId }: { id: string }) => admin.getMerchant({ params: { merchantId } })

/** The body that a form sends for a merchant. */
function edited(merchant: MerchantDetails, change: object = {}) {
  const { machines: _m, people: _p, createdAt: _c, features: _f, productFamilies: _pf, ...rest } = merchant
  const { demoDaysLeft: _d, closedBy: _b, ...body } = rest
  return { ...body, ...change }
}
const update = (merchant: MerchantDetails, change: object = {}) =>
  admin.updateMerchant({ body: edited(merchant, change) as never })
const logOf = ({ id }: { id: string }) =>
  api.database.admin<{ action: string; before: object; after: object }>(
    'select action, before, after from change_log where merchant_id = $1 order by at, id',
    [id],
  )

const join = async ({ id: merchantId }: { id: string }) => {
  const { pin } = await admin.getAssociation({ params: { merchantId } })
  const pins = createPins(api.config.secretKey)
  const request = { serial: `M${word()}`, deviceType: 'AZVT', pin }
  const services = { doors: api.database, config: api.config, pins, mqttPort: 1883 }
  await associate(services, request, '10.9.8.7')
  const [row] = await api.database.admin<{ merchant_id: string; warranty_until: string | null }>(
    'select merchant_id, warranty_until::text from machines where serial = $1',
    [request.serial],
  )
  return row
}

test('a merchant in Mexico is created in one call; users and a machine can join it at once', async () => {
  const made = await create({ name: ' Café del Sur ' })
  expect(made).toMatchObject({
    ...mexican(),
    ...nothingSaid,
    name: 'Café del Sur',
    version: 1,
    isDemo: false,
    demoExpiresOn: null,
    machines: 0,
    people: 0,
    closedBy: null,
  })
  expect(await get(made)).toEqual(made)
  expect(await join(made)).toMatchObject({ merchant_id: made.id })
  expect(await get(made)).toMatchObject({ machines: 1 })
  expect(await admin.getSuperAdminSettings({ params: { merchantId: made.id } })).toMatchObject({ version: 1 })
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: made.id, groups: 'all' }])
  expect(await api.as(person).listMyMerchants({})).toMatchObject([{ id: made.id, currency: 'MXN' }])
  expect(await logOf(made)).toMatchObject([
    { action: 'merchant.create', before: null, after: { name: 'Café del Sur', timeZone: 'America/Mexico_City' } },
    { action: 'machine.associate' },
  ])
})

test('every merchant has its own PIN, stored encrypted', async () => {
  const one = await create()
  const other = await create()
  const pinOf = async ({ id: merchantId }: { id: string }) =>
    (await admin.getAssociation({ params: { merchantId } })).pin
  const pins = [await pinOf(one), await pinOf(other)]
  for (const pin of pins) expect(pin).toMatch(/^\d{8}$/)
  expect(pins[0]).not.toBe(pins[1])
  const [stored] = await api.database.admin<{ pin_sealed: string }>(
    'select pin_sealed from merchant_settings where merchant_id = $1',
    [one.id],
  )
  expect(stored?.pin_sealed).not.toContain(pins[0])
})

test('each field is stored in its country’s format, and changes are logged', async () => {
  const made = await create()
  const all = {
    legalName: 'Café del Sur S.A. de C.V.',
    vatCode: 'gode 561231-gr8',
    legalCountry: 'MX',
    legalStreet: 'Av. Juárez 1',
    legalPostalCode: '06050',
    legalCity: 'Ciudad de México',
    legalProvince: 'CDMX',
    contactName: 'Lucía Gómez',
    contactEmail: 'lucia@cafe.example',
    sapCode: '0001002003',
    defaultWarrantyMonths: 12,
    extendedWarrantyMonths: 6,
    webPortal: false,
    prepaid3Years: true,
    webSocketUrl: 'wss://socket.cafe.example/live',
    creditCardPaymentUrl: 'https://pay.cafe.example',
    erpApiUrl: 'https://erp.cafe.example/api?v=2',
    erpTemperatureHistory: true,
    erpSignalHistory: true,
    portalRecharge: true,
    screenConfigurationManagement: true,
    enrolmentWhitelistDays: 7,
    mobileApp: true,
    externalOcfService: 2,
    creditBackup: true,
  }
  expect(Object.keys(all).sort()).toEqual(Object.keys(nothingSaid).sort())
  const saved = await update(made, { ...all, language: 'en', country: 'US' })
  expect(saved).toEqual({ ...made, ...all, vatCode: 'GODE561231GR8', language: 'en', country: 'US', version: 2 })
  expect(await get(made)).toEqual(saved)
  expect((await logOf(made))[1]).toMatchObject({
    action: 'merchant.update',
    before: { sapCode: '', language: 'es' },
    after: { sapCode: '0001002003', language: 'en' },
  })
  expect(await update(saved)).toEqual(saved)
  expect(await logOf(made)).toHaveLength(2)
})

test('machines that associate get the merchant’s warranty, starting on that day', async () => {
  const made = await create({ defaultWarrantyMonths: 12, extendedWarrantyMonths: 6 })
  const today = localDayOf(Date.now(), made.timeZone)
  const [expected] = await api.database.admin<{ until: string }>(
    `select ($1::date + interval '18 months')::date::text as until`,
    [today],
  )
  expect(await join(made)).toMatchObject({ warranty_until: expected?.until })
  await update(made, { defaultWarrantyMonths: 0, extendedWarrantyMonths: 0 })
  expect(await join(made)).toMatchObject({ warranty_until: null })
})

test('a name is unique, ignoring case', async () => {
  const one = await create()
  const other = await create()
  const refused = { status: 409, code: 'MerchantNameTaken' }
  await expect(create({ name: one.name.toUpperCase() })).rejects.toMatchObject(refused)
  await expect(update(other, { name: one.name.toLowerCase() })).rejects.toMatchObject(refused)
  expect(await update(one, { name: one.name.toUpperCase() })).toMatchObject({ name: one.name.toUpperCase() })
})

test('the portal switch is also where version 0.1.0 reads it during an upgrade', async () => {
  const switches = async (id: string) =>
    api.database.admin(
      'select m.web_portal as own, d.web_portal as details from merchants m join merchant_details d on d.merchant_id = m.id where m.id = $1',
      [id],
    )
  const made = await create({ webPortal: false })
  expect(await switches(made.id)).toEqual([{ own: false, details: false }])
  await update(made, { webPortal: true })
  expect(await switches(made.id)).toEqual([{ own: true, details: true }])
})

test('currency and time zone can change only while no data depends on them', async () => {
  const made = await create()
  const moved = await update(made, { currency: 'USD', timeZone: 'America/Bogota', country: 'CO' })
  expect(moved).toMatchObject({ currency: 'USD', timeZone: 'America/Bogota', version: 2 })
  const machine = await aMachine(api.database, made.id)
  await aSale(api.database, machine)
  await api.database.admin('insert into summed_days (merchant_id, day, summed_at) values ($1, $2, now())', [
    made.id,
    '2026-11-20',
  ])
  await expect(update(moved, { currency: 'EUR' })).rejects.toMatchObject({ status: 409, code: 'CurrencyInUse' })
  await expect(update(moved, { timeZone: 'Europe/Rome' })).rejects.toMatchObject({ status: 409, code: 'TimeZoneInUse' })
  expect(await update(moved, { language: 'it' })).toMatchObject({ currency: 'USD', language: 'it' })
})

test('of two simultaneous saves the later gets the current record and its editor', async () => {
  const made = await create()
  const saved = await update(made, { contactName: 'First' })
  await expect(update(made, { contactName: 'Second' })).rejects.toMatchObject({
    code: 'EditConflict',
    facts: { current: { contactName: 'First', version: 2 }, changedBy: 'Test superAdmin' },
  })
  // Its answer was lost, and the same call is repeated.
  expect(await update(made, { contactName: 'First' })).toEqual(saved)
})

test.each([
  ['an unknown time zone', { timeZone: 'Europe/Atlantis' }, 'timeZone', 'rule.choice'],
  ['an offset', { timeZone: '+02:00' }, 'timeZone', 'rule.choice'],
  ['a currency that is not ours', { currency: 'JPY' }, 'currency', 'rule.choice'],
  ['a country that is none', { country: 'XX' }, 'country', 'rule.choice'],
  ['a language that is not ours', { language: 'ru' }, 'language', 'rule.choice'],
  ['no name', { name: '   ' }, 'name', 'rule.required'],
  ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 'name', 'rule.maxLength'],
  ['a VAT code of another country', { legalCountry: 'IT', vatCode: 'GODE561231GR8' }, 'vatCode', 'rule.vatCode'],
  [
    'a postal code of another country',
    { legalCountry: 'IT', legalPostalCode: '1234' },
    'legalPostalCode',
    'rule.postalCode',
  ],
  ['a VAT code of no country', { vatCode: '12345678' }, 'legalCountry', 'rule.required'],
  ['a script as an address', { erpApiUrl: 'javascript:alert(1)' }, 'erpApiUrl', 'rule.url'],
  ['a file as an address', { creditCardPaymentUrl: 'file:///etc/passwd' }, 'creditCardPaymentUrl', 'rule.url'],
  ['a web address for a socket', { webSocketUrl: 'https://a.example' }, 'webSocketUrl', 'rule.webSocket'],
  ['a mail address that is none', { contactEmail: 'nobody' }, 'contactEmail', 'rule.email'],
  ['a payment provider nobody knows', { externalOcfService: 9 }, 'externalOcfService', 'rule.choice'],
  ['121 months', { defaultWarrantyMonths: 121 }, 'defaultWarrantyMonths', 'rule.maximum'],
  ['no day for the whitelist', { enrolmentWhitelistDays: 0 }, 'enrolmentWhitelistDays', 'rule.minimum'],
  ['a demo that never ends', { isDemo: true, demoExpiresOn: null }, 'demoExpiresOn', 'rule.demoExpiration'],
  ['a day that is none', { isDemo: true, demoExpiresOn: '2027-02-30' }, 'demoExpiresOn', 'rule.date'],
])('%s is refused at its field, for new and existing merchants', async (_, change, path, rule) => {
  const refused = { status: 400, code: 'ValidationFailed', errors: [{ path, rule }] }
  const made = await create()
  const answers = [
    await api.send('createMerchant', { body: { ...mexican(), ...change } }, someone),
    await api.send('updateMerchant', { body: edited(made, change) }, someone),
  ]
  for (const answer of answers) expect(answer.json()).toMatchObject(refused)
  expect(await get(made)).toEqual(made)
})

test.each([
  { id: '018e0a3c-5c00-7a10-8000-00000000a001' },
  { version: 7 },
  { features: ['vending'] },
  { pin: '12345678' },
  { createdAt: '2020-01-01T00:00:00' },
  { machines: 5 },
])('unknown fields are refused: %o', async (more) => {
  const answer = await api.send('createMerchant', { body: { ...mexican(), ...more } }, someone)
  expect(answer.json()).toMatchObject({ status: 400, code: 'ValidationFailed' })
})

test('a name is stored unchanged, except for direction marks', async () => {
  for (const name of [`=1+1 ${word()}`, `قهوة ${word()}`, `☕️ ${word()}`, `<b>${word()}</b>`])
    expect(await create({ name })).toMatchObject({ name })
  const a = word()
  const b = word()
  expect(await create({ name: `${a}\u202E${b}` })).toMatchObject({ name: `${a}${b}` })
})

test('a demo lasts 90 days by the merchant’s calendar by default', async () => {
  const made = await create({ isDemo: true })
  const lastDay = localDayOf(Date.now() + demoDays * 86_400_000, made.timeZone)
  expect(made).toMatchObject({ isDemo: true, demoExpiresOn: lastDay, demoDaysLeft: 90 })
  const bought = await update(made, { isDemo: false })
  expect(bought).toMatchObject({ isDemo: false, demoExpiresOn: null, demoDaysLeft: null })
})

test('an unknown merchant, and all merchants, answer as not found', async () => {
  const made = await create()
  const missing = { status: 404, code: 'MerchantNotFoundException' }
  for (const id of ['018e0a3c-5c00-7a10-8000-0000000000ff', allMerchants]) {
    await expect(get({ id })).rejects.toMatchObject(missing)
    await expect(update({ ...made, id })).rejects.toMatchObject(missing)
  }
})

test('the list finds merchants by company, contact and SAP code, and filters by country, feature and state of the demo', async () => {
  const key = word()
  const made = await create({ sapCode: `S-${key}`, legalName: `Cía ${key}`, isDemo: true, country: 'UY' })
  await create({ contactEmail: `a@${key}.example` })
  const idsOf = async (query: object) =>
    (await admin.listMerchants({ query: { search: key, ...query } })).items.map(({ id }) => id)
  expect(await idsOf({})).toHaveLength(2)
  expect(await idsOf({ countries: ['UY'] })).toEqual([made.id])
  expect(await idsOf({ demoStates: ['running'] })).toEqual([made.id])
  expect(await idsOf({ demoStates: ['ending', 'ended'] })).toEqual([])
  expect(await idsOf({ features: ['vending'] })).toEqual([])
  const settings = { features: ['vending' as const], productFamilies: [], maximumMachines: null, maximumPeople: null }
  await admin.updateSuperAdminSettings({ params: { merchantId: made.id }, body: { ...settings, version: 1 } })
  expect(await idsOf({ features: ['vending', 'network'] })).toEqual([made.id])
})

test('users who see every merchant are notified of a new merchant', async () => {
  const elsewhere = await startLiveHub(systemAddressOf(api.database.adminUrl))
  let notices = 0
  const stop = elsewhere.watchUser(someone.id, () => notices++)
  try {
    await create()
    await expect.poll(() => notices, { timeout: 10_000 }).toBeGreaterThan(0)
  } finally {
    stop()
    await elsewhere.stop()
  }
})

test('no machine joins beyond the limit until it is raised; known machines reconnect', async () => {
  const made = await create()
  const params = { merchantId: made.id }
  const limit = async (maximumMachines: number | null) => {
    const settings = await admin.getSuperAdminSettings({ params })
    await admin.updateSuperAdminSettings({ params, body: { ...settings, maximumMachines } })
  }
  await limit(2)
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => join(made)))
  const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
  expect(refusals).toEqual(['MachineLimitReached', 'MachineLimitReached', 'MachineLimitReached'])
  const [stored] = await api.database.admin<{ serial: string }>('select serial from machines where merchant_id = $1', [
    made.id,
  ])
  const { pin } = await admin.getAssociation({ params })
  const services = { doors: api.database, config: api.config, pins: createPins(api.config.secretKey), mqttPort: 1883 }
  const again = { serial: stored?.serial ?? '', deviceType: 'AZVT', pin }
  expect(await associate(services, again, '10.9.8.7')).toMatchObject({ epoch: 2 })
  await limit(3)
  expect(await join(made)).toMatchObject({ merchant_id: made.id })
  await limit(null)
  expect(await join(made)).toMatchObject({ merchant_id: made.id })
})

test('no user is assigned beyond the limit; existing users can still be changed', async () => {
  const made = await create()
  const params = { merchantId: made.id }
  const settings = await admin.getSuperAdminSettings({ params })
  await admin.updateSuperAdminSettings({ params, body: { ...settings, maximumPeople: 1 } })
  const invite = (name: string) =>
    admin.createUser({
      body: {
        email: `${word()}@gettone.test`,
        name,
        language: null,
        role: 'merchantAdmin',
        merchants: [{ merchantId: made.id, allGroups: true, groupIds: [] }],
        receiveNotifications: false,
      },
    })
  const outcomes = await Promise.allSettled([invite('One'), invite('Other')])
  const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refusals).toMatchObject([{ status: 409, code: 'PeopleLimitReached', facts: { merchant: made.name } }])
  const person = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))[0]
  if (!person) throw new Error('Nobody was invited')
  const { id: userId, version, email, language, role, receiveNotifications } = person
  const merchants = [{ merchantId: made.id, allGroups: true, groupIds: [] }]
  const body = { version, email, language, role, receiveNotifications, merchants, name: 'New name', isSuspended: false }
  expect(await admin.updateUser({ params: { userId }, body })).toMatchObject({ name: 'New name' })
  expect(await get(made)).toMatchObject({ people: 1 })
})

test('only the provider can read, create and change merchants', async () => {
  const merchant = await aMerchant(api.database)
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: merchant.id, groups: 'all' }])
  const forbidden = { status: 403, code: 'Forbidden' }
  const as = api.as(person)
  await expect(as.getMerchant({ params: { merchantId: merchant.id } })).rejects.toMatchObject(forbidden)
  await expect(as.createMerchant({ body: mexican() })).rejects.toMatchObject(forbidden)
  const ownFacts = await get(merchant)
  await expect(as.updateMerchant({ body: edited(ownFacts) as never })).rejects.toMatchObject(forbidden)
})

test('a machine of a prepaid merchant shows three years from its association as prepaid, in files too', async () => {
  const merchant = await create({ prepaid3Years: true })
  // In Mexico it is still the last day of the month.
  const columns = { created_at: '2026-02-01T04:00:00Z' }
  const { id } = await aMachine(api.database, merchant.id, { name: 'Atrium', columns })
  const of = { merchantId: merchant.id, posId: id }
  expect((await admin.getMachine({ params: of })).prepaidUntil).toBe('2029-01-30')
  const body = {
    list: 'machines',
    format: 'csv',
    columns: ['name', 'prepaidUntil'],
    filter: {},
    language: 'en',
  } as never
  const file = await api.send('exportShown', { params: { merchantId: merchant.id }, body }, someone)
  expect(file.payload).toContain('30/01/2029')
  const now = await get(merchant)
  await admin.updateMerchant({ body: edited(now, { prepaid3Years: false }) as never })
  expect((await admin.getMachine({ params: of })).prepaidUntil).toBeNull()
})
