import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnIdsOf, type ExportList } from '#contract/export/export-lists.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { changesBetween, countChanges } from '#domain/configurations/configuration.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aConfiguration, aDeadLetter, anAlarm, aPrice, aSale, aStock } from '#testkit/machines/machine-data.ts'

/** Content of the files of single lists. export.test.ts tests what all files share. */

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

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

async function rowsOf(user: TestUser, merchantId: string, body: object) {
  const answer = await send(user, merchantId, body)
  expect(answer.statusCode, answer.payload).toBe(200)
  const [head = [], ...rows] = parseCsv(answer.rawPayload.toString('utf8'))
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [String(name), String(row[at] ?? '')])))
}

const week = 7 * 86_400_000

test('merchant overview: machines by state and sales, within the reader’s own groups', async () => {
  const { database } = api
  const well = { connection: 1, last_seen_at: new Date() }
  const troubled = (await aMerchant(database, { name: '=Troubled' })).id
  const calm = (await aMerchant(database, { name: 'Calm', currency: 'MXN', time_zone: 'America/Mexico_City' })).id
  const north = await aGroup(database, troubled, 'North')
  const inNorth = await aMachine(database, troubled, { groupId: north, columns: { ...well, pos_status: 3 } })
  const inSouth = await aMachine(database, troubled, { columns: well })
  await aMachine(database, calm, { columns: { connection: 0 } })
  for (const machine of [inNorth, inSouth]) await anAlarm(database, machine)
  await aSale(database, inNorth, { created_at: new Date(), value: 150 })
  await aSale(database, inSouth, { created_at: new Date(), value: 5000 })
  await aSale(database, inNorth, { created_at: new Date(Date.now() - week - 7_200_000), value: 400 })
  const whole = (merchantId: string) => ({ merchantId, groups: 'all' as const })
  const everybody = await aUser(database, 'merchantAdmin', [troubled, calm].map(whole))
  const ofNorth = await aUser(database, 'groupAdmin', [{ merchantId: troubled, groups: [north] }])
  const rows = await rowsOf(everybody, allMerchants, orderOf('merchantsDashboard'))
  expect(rows).toMatchObject([
    { Merchant: "'=Troubled", 'Blocking alarms': '2', Machines: '2', 'Sales today': '51.50', Currency: 'EUR' },
    { Merchant: 'Calm', 'Blocking alarms': '0', Offline: '1', Machines: '1', 'Sales today': '0.00', Currency: 'MXN' },
  ])
  const [ownRow] = await rowsOf(ofNorth, troubled, orderOf('merchantsDashboard'))
  expect(ownRow).toMatchObject({
    'Blocking alarms': '1',
    Machines: '1',
    'Sales today (EUR)': '1.50',
    'Vends today': '1',
  })
  const order = { ord: 'name', ordType: 'ASC', columns: ['name'] }
  const named = await rowsOf(everybody, allMerchants, orderOf('merchantsDashboard', order))
  expect(named).toEqual([{ Merchant: "'=Troubled" }, { Merchant: 'Calm' }])
  const troubledOrder = { columns: ['name', 'against'], filter: { search: 'trou' } }
  const { items } = await api.as(everybody).listMerchantsDashboard({ params: { merchantId: troubled }, query: {} })
  const usual = items[0]?.usualValueByNow ?? 0
  const against = usual === 0 ? '' : (((5150 - usual) / usual) * 100).toFixed(2)
  expect(await rowsOf(everybody, allMerchants, orderOf('merchantsDashboard', troubledOrder))).toEqual([
    {
      Merchant: "'=Troubled",
      'Average until now': (usual / 100).toFixed(2),
      'vs. average (%)': against,
      'Days of the average': '0',
      Currency: 'EUR',
    },
  ])
})

/** A merchant with an admin and a machine. */
async function aShop(with_: Record<string, unknown> = {}) {
  const { id: merchantId } = await aMerchant(api.database, with_)
  const admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  return { merchantId, admin, machine: await aMachine(api.database, merchantId) }
}

test('stock: levels and capacities, in the list’s own order and filters', async () => {
  const { database } = api
  const { merchantId, admin, machine } = await aShop()
  const refilled_at = new Date('2026-03-01T11:00:00Z')
  await aStock(database, machine, { selection: '2', level: 9, product: 'Water', refilled_at })
  await aStock(database, machine, { selection: '12', level: 0, product: '=Cola' })
  await aStock(database, machine, { selection: 'A3', level: 4, capacity: null, warning_level: 4, product: null })
  await aStock(database, machine, { selection: '7', gone: true })
  await aStock(database, await aMachine(database, merchantId), { selection: '99' })
  const order = (more: object = {}) => orderOf('stock', { posId: machine.id, ...more })
  const rows = await rowsOf(admin, merchantId, order())
  expect(rows).toMatchObject([
    { Selection: '12', Product: "'=Cola", Level: '0', Capacity: '10', Status: 'Sold out', 'Low from': '2' },
    { Selection: 'A3', Product: '', Level: '4', Capacity: '', Status: 'Low', 'Low from': '4' },
    { Selection: '2', Status: 'In stock', 'Last refill (Europe/Rome)': '01/03/2026 12:00:00' },
  ])
  const selections = async (more: object) =>
    (await rowsOf(admin, merchantId, order({ columns: ['selection'], ...more }))).map(({ Selection }) => Selection)
  expect(await selections({ ord: 'selection', ordType: 'DESC' })).toEqual(['A3', '12', '2'])
  expect(await selections({ filter: { statuses: [1, 4] } })).toEqual(['12', 'A3'])
  expect(await selections({ filter: { search: 'wat' } })).toEqual(['2'])
  const without = await aShop({ features: [] })
  const refused = orderOf('stock', { posId: without.machine.id })
  expect((await send(without.admin, without.merchantId, refused)).json()).toMatchObject({ code: 'FeatureNotEnabled' })
})

test('prices: one column per price list, empty where a list has no price', async () => {
  const { database } = api
  const { merchantId, admin, machine } = await aShop({ currency: 'MXN' })
  await aPrice(database, machine, { selection: '2', product: '=Water', price: 100 })
  await aPrice(database, machine, { selection: '2', product: '=Water', price_table: 6, price: 90 })
  await aPrice(database, machine, { selection: '12', product: 'Cola', price: 5 })
  await aPrice(database, machine, { selection: '13', gone: true })
  const order = (more: object = {}) => orderOf('prices', { posId: machine.id, ...more })
  expect(await rowsOf(admin, merchantId, order())).toMatchObject([
    { Selection: '2', Product: "'=Water", 'Cash 1 (MXN)': '1.00', 'Cashless 1 (MXN)': '0.90', 'Prices differ': 'Yes' },
    { Selection: '12', Product: 'Cola', 'Cash 1 (MXN)': '0.05', 'Cashless 1 (MXN)': '', 'Prices differ': 'No' },
  ])
  const differingOrder = { columns: ['selection', 'list1'], filter: { differing: 'false' } }
  expect(await rowsOf(admin, merchantId, order(differingOrder))).toEqual([{ Selection: '12', 'Cash 1 (MXN)': '0.05' }])
  const sorted = { columns: ['product'], ord: 'product', ordType: 'DESC' }
  expect(await rowsOf(admin, merchantId, order(sorted))).toEqual([{ Product: 'Cola' }, { Product: "'=Water" }])
})

test('configurations: the number of parameters that differ from the previous configuration, as in the list', async () => {
  const { database } = api
  const { merchantId, admin, machine } = await aShop()
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 31, 23, minute))
  // Across the end of a month, where the previous configuration is in another partition.
  await database.admin('select ensure_partitions($1::timestamptz, $2::timestamptz)', [at(0), at(90)])
  const reported: Record<string, string>[] = [
    { a: '1', b: '2', 'x.y': '' },
    { a: '1', b: '3', 'x.y': '' },
    { a: '1', constructor: '3' },
    {},
    { z: '"=1"' },
  ]
  for (const [minute, parameters] of reported.entries())
    await aConfiguration(database, machine, parameters, at(minute * 20))
  await aConfiguration(database, await aMachine(database, merchantId), { other: '1' }, at(30))
  const order = (more: object = {}) => orderOf('configurations', { posId: machine.id, ...more })
  const rows = await rowsOf(admin, merchantId, order())
  const differences = rows.map((row) =>
    ['added', 'removed', 'changed'].map((kind) => row[`Parameters ${kind}`]).join(' '),
  )
  expect(differences).toEqual(['1 0 0', '0 2 0', '1 2 0', '0 0 1', '  '])
  expect(rows.map(({ Parameters }) => Parameters)).toEqual(['1', '0', '2', '3', '3'])
  expect(rows[1]).toMatchObject({ 'Read at (Europe/Rome)': '01/04/2026 02:00:00', Port: 'MQTT' })
  const counted = reported.map((now, place) => countChanges(changesBetween(reported[place - 1] ?? now, now)))
  expect(differences.slice(0, -1)).toEqual(
    counted
      .slice(1)
      .map((changes) => Object.values(changes).join(' '))
      .toReversed(),
  )
  const { items } = await api.as(admin).listConfigs({ params: { merchantId, posId: machine.id }, query: {} })
  expect(differences).toEqual(items.map(({ changes }) => Object.values(changes ?? ['', '', '']).join(' ')))
  const rising = await rowsOf(admin, merchantId, order({ ordType: 'ASC', columns: ['changes'] }))
  expect(rising.map((row) => Object.values(row).join(' '))).toEqual(differences.toReversed())

  const job = await api.as(admin).createExport({ params: { merchantId }, body: order() as never })
  expect(job).toMatchObject({ list: 'configurations', status: 'waiting' })
  const without = await aShop({ features: [] })
  const refused = orderOf('configurations', { posId: without.machine.id })
  expect((await send(without.admin, without.merchantId, refused)).json()).toMatchObject({ code: 'FeatureNotEnabled' })
  const ofNone = await aUser(database, 'groupAdmin', [{ merchantId, groups: [await aGroup(database, merchantId)] }])
  expect((await send(ofNone, merchantId, order())).json()).toMatchObject({ code: 'MachineNotFound' })
})

test('only the provider can export SAP codes of keys', async () => {
  const { merchantId, admin } = await aShop()
  const provider = await aUser(api.database, 'superAdmin', [])
  for (const body of [
    { code: '=K1', description: 'Blue key' },
    { code: 'K2', description: 'Red key' },
  ])
    await api.as(provider).createSapCode({ params: { merchantId }, body })
  const order = (more: Record<string, unknown> = {}) => orderOf('sapCodes', more)
  const rows = await rowsOf(provider, merchantId, order({ ord: 'code', ordType: 'DESC' }))
  expect(rows).toMatchObject([
    { Code: 'K2', Description: 'Red key' },
    { Code: "'=K1", Description: 'Blue key' },
  ])
  expect(rows[0]?.['Created (Europe/Rome)']).toMatch(/^\d\d\/\d\d\/\d{4} /)
  const blueOrder = order({ columns: ['description'], filter: { search: 'blue' } })
  expect(await rowsOf(provider, merchantId, blueOrder)).toEqual([{ Description: 'Blue key' }])
  const { merchantId: other } = await aShop()
  expect(await rowsOf(provider, other, order())).toEqual([])
  expect((await send(admin, merchantId, order())).json()).toMatchObject({ code: 'Forbidden' })
})

test('only support can export dead letters: of all merchants and of none, without their content', async () => {
  const { database } = api
  const { merchantId, admin, machine } = await aShop({ name: 'Caffè' })
  await aShop()
  const provider = await aUser(database, 'superAdmin', [])
  const at = new Date('2026-03-01T11:00:00Z')
  await aDeadLetter(database, machine, { at, reason: 'invalidItem: =1: too large', kind: '=sale' })
  await aDeadLetter(database, machine, { at, merchant_id: null, serial: `${machine.serial}X`, reason: 'notJson' })
  const order = (more: Record<string, unknown> = {}) =>
    orderOf('deadLetters', {
      ord: 'serial',
      ordType: 'ASC',
      ...more,
      filter: { search: machine.serial, ...(more.filter as object | undefined) },
    })
  for (const path of [allMerchants, merchantId])
    expect(await rowsOf(provider, path, order())).toMatchObject([
      { Reason: 'Invalid item', Message: "'=sale", Detail: "'=1: too large", Transport: 'MQTT', Bytes: '6' },
      { Reason: 'Not JSON', State: 'Set aside', Serial: `${machine.serial}X`, Merchant: '', Detail: '' },
    ])
  const rows = await rowsOf(provider, allMerchants, order({ columns: ['at'] }))
  expect(rows).toEqual([
    { Merchant: 'Caffè', Received: '01/03/2026 12:00:00', 'Time zone': 'Europe/Rome' },
    { Merchant: '', Received: '01/03/2026 11:00:00', 'Time zone': 'UTC' },
  ])
  const [, stray] = await rowsOf(provider, merchantId, order({ columns: ['at'] }))
  expect(stray).toEqual({ 'Received (Europe/Rome)': '01/03/2026 12:00:00' })
  const notJsonOrder = order({ columns: ['reason'], filter: { reasons: ['notJson'] } })
  expect(await rowsOf(provider, merchantId, notJsonOrder)).toEqual([{ Reason: 'Not JSON' }])
  expect((await send(admin, merchantId, order())).json()).toMatchObject({ code: 'Forbidden' })
})

const aSetting = {
  enabled: true,
  criticity: null,
  mailFrom: 4 as const,
  delayMinutes: 5,
  toPeople: false,
  addresses: ['a@example.com', 'b@example.com'],
  quietHours: null,
  blockingBreaksQuiet: true,
  reminderHours: 24,
  escalationHours: null,
  escalationPeople: [],
  escalationAddresses: [],
  serviceCycles: null,
}

test('alarm settings of one merchant: the effective setting of each code, in words', async () => {
  const { merchantId, admin } = await aShop()
  const params = { merchantId, code: 'ENE' }
  await api.as(admin).updateAlarmSetting({ params, body: { ...aSetting, version: 0 } })
  const order = (more: Record<string, unknown> = {}) => orderOf('alarmSettings', more)
  const rows = await rowsOf(admin, merchantId, order())
  const { total } = await api.as(admin).listAlarmSettings({ params: { merchantId }, query: {} })
  expect(rows).toHaveLength(total)
  expect(rows[0]).toMatchObject({ Alarm: 'All other alarms', Code: '*', 'Setting from': 'Default' })
  const ownOrigins = order({ filter: { origins: ['own'] } })
  expect(await rowsOf(admin, merchantId, ownOrigins)).toEqual([
    {
      Alarm: expect.stringMatching(/[a-z]{3}/),
      Code: 'ENE',
      Severity: 'Blocking',
      'Raise this alarm': 'Yes',
      'Minimum severity for email': 'Blocking',
      'Delay (min)': '5',
      'Email users': 'No',
      'Additional addresses': 'a@example.com; b@example.com',
      'Setting from': 'This alarm',
    },
  ])
  const codes = await rowsOf(admin, merchantId, order({ columns: ['code'], ord: 'code', ordType: 'DESC' }))
  expect(codes.map(({ Code }) => Code).slice(1)).toEqual(
    codes
      .map(({ Code }) => Code)
      .slice(1)
      .sort()
      .reverse(),
  )
  const clerk = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  expect((await send(clerk, merchantId, order())).json()).toMatchObject({ code: 'Forbidden' })
  const { merchantId: other } = await aShop()
  const ofBoth = await aUser(
    api.database,
    'merchantAdmin',
    [merchantId, other].map((id) => ({ merchantId: id, groups: 'all' as const })),
  )
  expect((await send(ofBoth, allMerchants, order())).json()).toMatchObject({ code: 'MerchantNotFoundException' })
})

test('groups: the reader’s own, each with its visible machines', async () => {
  const { database } = api
  const { merchantId, admin } = await aShop()
  const north = await aGroup(database, merchantId, 'North')
  const south = await aGroup(database, merchantId, '=South')
  await aGroup(database, merchantId, 'West')
  await aMachine(database, merchantId, { groupId: north })
  await aMachine(database, merchantId, { groupId: north, columns: { hidden: true } })
  const ofTwo = await aUser(database, 'groupAdmin', [{ merchantId, groups: [north, south] }])
  const order = orderOf('groups', { ord: 'name', ordType: 'DESC' })
  expect(await rowsOf(ofTwo, merchantId, order)).toMatchObject([
    { Name: 'North', Machines: '1', ID: north },
    { Name: "'=South", Machines: '0', ID: south },
  ])
  expect(await rowsOf(admin, merchantId, order)).toHaveLength(3)
  const searchOrder = orderOf('groups', { filter: { search: 'orth' } })
  expect(await rowsOf(admin, merchantId, searchOrder)).toMatchObject([{ Name: 'North' }])
})

test('clients: only machines of the reader’s own groups are counted', async () => {
  const { database } = api
  const { merchantId, admin } = await aShop()
  const client = await aClient(database, merchantId, { name: '=1+1', phone: '+390669821234' })
  const north = await aGroup(database, merchantId)
  const south = await aGroup(database, merchantId)
  for (const groupId of [north, south])
    await aMachine(database, merchantId, { groupId, columns: { client_id: client } })
  const ofNorth = await aUser(database, 'groupAdmin', [{ merchantId, groups: [north] }])
  const rowFor = async (user: TestUser) => (await rowsOf(user, merchantId, orderOf('clients')))[0]
  expect(await rowFor(admin)).toMatchObject({ Name: "'=1+1", Machines: '2' })
  expect(await rowFor(ofNorth)).toMatchObject({ Name: "'=1+1", Machines: '1' })
})

test('alarm codes: the languages of their troubleshooting texts, without the authors', async () => {
  const { merchantId } = await aShop()
  const clerk = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  const provider = await aUser(api.database, 'superAdmin', [])
  for (const language of ['en', 'it'] as const) {
    const params = { code: 'EBJ', language }
    await api.as(provider).updateTroubleshooting({ params, body: { content: '<p>Look</p>', version: 0 } })
  }
  const order = (more: Record<string, unknown> = {}) => orderOf('masterAlarms', more)
  const searchOrder = order({ filter: { isWritten: 'true', search: 'EBJ' } })
  for (const user of [clerk, provider]) {
    const rows = await rowsOf(user, merchantId, searchOrder)
    expect(rows).toMatchObject([{ Code: 'EBJ', Languages: 'Italiano; English' }])
    expect(Object.keys(rows[0] ?? {})).toContain('Last change (Europe/Rome)')
    expect(JSON.stringify(rows)).not.toContain(provider.email)
  }
  const { total } = await api.as(clerk).listMasterAlarms({ query: {} })
  const all = await rowsOf(clerk, allMerchants, order({ columns: ['code', 'updatedAt'], ordType: 'DESC' }))
  expect(all).toHaveLength(total)
  expect(Object.keys(all[0] ?? {})).toEqual(['Alarm', 'Code', 'Last change', 'Time zone'])
})

test('sensors: the dirtiest first, with numbers formatted for the language', async () => {
  const { database } = api
  const { merchantId, machine, admin } = await aShop()
  const provider = await aUser(database, 'superAdmin', [])
  const at = new Date('2026-03-01T11:00:00Z')
  const say = (submodule: string, name: string, value: number) =>
    database.admin(
      'insert into machine_sensors (merchant_id, machine_id, submodule, name, value, at) values ($1, $2, $3, $4, $5, $6)',
      [merchantId, machine.id, submodule, name, value, at],
    )
  // Dirty from 60, very dirty from 85, unless the provider sets other thresholds.
  await say('coinValidator', 'entry', 86.5)
  await say('=maker', 'x', 3)
  const order = (more: Record<string, unknown> = {}) => orderOf('sensors', { posId: machine.id, ...more })
  expect(await rowsOf(provider, merchantId, order())).toMatchObject([
    { Sensor: 'Entry', Submodule: 'Coin validator', State: 'Very dirty', Value: '86.5', Warning: '60', Critical: '85' },
    { Sensor: 'x', Submodule: "'=maker", State: 'Unknown', Value: '3', Warning: '', 'Increases when dirty': '' },
  ])
  const german = { language: 'de', columns: ['value'], filter: { dirtinesses: ['critical'] } }
  const answer = await send(provider, merchantId, order(german))
  expect(answer.payload).toContain('86,5')
  const cells = await readXlsx(new Uint8Array((await send(provider, merchantId, order({ format: 'xlsx' }))).rawPayload))
  expect(cells.sheets[0]?.rows[1]).toContain(86.5)
  expect((await send(admin, merchantId, order())).json()).toMatchObject({ code: 'Forbidden' })
})

test('sensor thresholds belong to the provider, for every merchant in the path', async () => {
  const { merchantId, admin } = await aShop()
  const provider = await aUser(api.database, 'superAdmin', [])
  const order = (more: Record<string, unknown> = {}) => orderOf('sensorThresholds', more)
  const row = {
    Sensor: 'Entry',
    Submodule: 'Coin validator',
    'Increases when dirty': 'Yes',
    Warning: '60',
    Critical: '85',
  }
  for (const path of [merchantId, allMerchants])
    expect(await rowsOf(provider, path, order({ filter: { search: 'coinValidator entry' } }))).toEqual([row])
  const query = { ord: 'critical', ordType: 'DESC' } as const
  const { items } = await api.as(provider).listSensorThresholds({ query: { ...query, size: 500 } })
  const rows = await rowsOf(provider, allMerchants, order({ ...query, columns: ['critical'] }))
  expect(rows.map(({ Critical }) => Critical)).toEqual(items.map(({ critical }) => String(critical ?? '')))
  expect((await send(admin, merchantId, order())).json()).toMatchObject({ code: 'Forbidden' })
})

test('only the provider can export the provider’s log', async () => {
  const { merchantId, admin } = await aShop()
  const provider = await aUser(api.database, 'superAdmin', [])
  const colleague = await aUser(api.database, 'superAdmin', [])
  await api.as(provider).deleteUser({ params: { userId: colleague.id } })
  const order = orderOf('providerLog', { filter: { subjectId: colleague.id } })
  const [row, ...others] = await rowsOf(provider, merchantId, order)
  expect(others).toEqual([])
  expect(row).toMatchObject({ Action: 'User deleted', 'Object type': 'User', User: 'Test superAdmin', After: '' })
  expect(row?.Before).toContain('"role": "superAdmin"')
  expect(row?.['Time (UTC)']).toMatch(/^\d\d\/\d\d\/\d{4} /)
  expect((await send(admin, merchantId, order)).statusCode).toBe(403)
})
