import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/imports/import.ts'
import type { ImportKind } from '#contract/imports/import-kinds.ts'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { sweepImports } from '#database/imports/import.ts'
import { associate } from '#server/gateway/association.ts'
import { createPins } from '#server/gateway/pins.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aClient, aGroup, aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.close())

interface Operator {
  merchantId: string
  user: TestUser
}
async function anOperator(): Promise<Operator> {
  const { id: merchantId } = await aMerchant(api.database)
  return { merchantId, user: await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]) }
}

const fileOf = (content: string | Uint8Array) => ({ name: 'old.csv', data: Buffer.from(content).toString('base64') })
type Content = string | Uint8Array
const preview = ({ merchantId, user }: Operator, kind: ImportKind, content: Content, mapping?: ImportMapping) =>
  api
    .as(user)
    .previewImport({ params: { merchantId }, body: { kind, file: fileOf(content), ...(mapping && { mapping }) } })
async function bring(operator: Operator, kind: ImportKind, content: Content, mapping?: ImportMapping) {
  const previewed = await preview(operator, kind, content, mapping)
  const body = { kind, file: fileOf(content), mapping: previewed.mapping, digest: previewed.digest }
  return api.as(operator.user).createImport({ params: { merchantId: operator.merchantId }, body })
}
const undo = ({ merchantId, user }: Operator, importId: string) =>
  api.as(user).undoImport({ params: { merchantId, importId } })
const rowsOf = <Row extends object>(sql: string, ...values: unknown[]) => api.database.admin<Row>(sql, values)
const faultsOf = ({ rows }: Awaited<ReturnType<typeof preview>>) =>
  rows.flatMap(({ row, faults }) => faults.map(({ field, cell, rule }) => `${row} ${field} ${cell} ${rule}`))
const clientsOf = async ({ merchantId, user }: Operator) =>
  (await api.as(user).listClients({ params: { merchantId }, query: { ord: 'code' } })).items

test('clients come from a file with headings of another system, are changed by the next one, and leave as a whole', async () => {
  const operator = await anOperator()
  const file =
    'Customer Number;Customer Name;Land;City;Fax;Telephone\n7;Scuola Verdi;Italien;Milano;1;02 1234567\n8;Bar Roma;IT;Roma;2;'
  const previewed = await preview(operator, 'clients', file)
  expect(previewed).toMatchObject({
    created: 2,
    refused: 0,
    missing: [],
    mapping: { code: 0, name: 1, country: 2, city: 3, phone: 5 },
    columns: [{ heading: 'Customer Number', samples: ['7', '8'] }, {}, {}, {}, { heading: 'Fax' }, {}],
  })
  expect(await clientsOf(operator)).toEqual([])
  const first = await bring(operator, 'clients', file)
  expect(first).toMatchObject({ kind: 'clients', fileName: 'old.csv', created: 2, by: 'Test merchantAdmin' })
  expect(await clientsOf(operator)).toMatchObject([
    { code: '7', name: 'Scuola Verdi', country: 'IT', city: 'Milano', phone: '+39021234567' },
    { code: '8', name: 'Bar Roma', phone: null },
  ])
  expect(await preview(operator, 'clients', file)).toMatchObject({ created: 0, same: 2 })
  const second = await bring(operator, 'clients', 'code;name;city;country\n8;Bar Roma;Ostia;IT\n9;Hotel;Lido;IT')
  expect(second).toMatchObject({ created: 1, updated: 1 })
  await expect(undo(operator, first.id)).rejects.toMatchObject({
    code: 'ImportRowsChanged',
    facts: { count: 1, names: 'Bar Roma' },
  })
  expect(await undo(operator, second.id)).toMatchObject({ undoneBy: 'Test merchantAdmin', undoUntil: null })
  expect((await clientsOf(operator)).map(({ name, city }) => [name, city])).toEqual([
    ['Scuola Verdi', 'Milano'],
    ['Bar Roma', 'Roma'],
  ])
  await expect(undo(operator, second.id)).rejects.toMatchObject({ code: 'ImportUndone' })
  await undo(operator, first.id)
  expect(await clientsOf(operator)).toEqual([])
  const { items } = await api.as(operator.user).listImports({ params: { merchantId: operator.merchantId }, query: {} })
  expect(items.map(({ id, undoneAt }) => [id, undoneAt !== null])).toEqual([
    [second.id, true],
    [first.id, true],
  ])
  const log = await rowsOf<{ action: string }>(
    `select action from change_log where merchant_id = $1 and subject_type = 'import' order by at, id`,
    operator.merchantId,
  )
  expect(log.map(({ action }) => action)).toEqual(['import.create', 'import.create', 'import.undo', 'import.undo'])
})

test('a fault names the row, the field and what the cell says; the other rows stay importable', async () => {
  const operator = await anOperator()
  await bring(operator, 'clients', 'code,name,country\n1,Taken,IT')
  const file = [
    'code,name,country,sector,vat,e-mail',
    '2,Two,Italia,Scuola,123,no mail',
    '3,Three,Atlantis,Quux,,',
    '4,,IT,,,',
    '2,Again,IT,,,',
    '5,Taken,IT,,,',
    '6,Six,IT,,,six@example.com',
  ].join('\n')
  const previewed = await preview(operator, 'clients', file)
  expect(faultsOf(previewed).sort()).toEqual([
    '2 contactEmail no mail rule.email',
    '2 vatCode 123 rule.vatCode',
    '3 country Atlantis rule.choice',
    '3 sector Quux rule.choice',
    '4 name null rule.required',
    '5 code 2 rule.repeated',
    '6 name Taken rule.taken',
  ])
  expect(previewed).toMatchObject({ created: 1, refused: 5 })
  expect(await bring(operator, 'clients', file)).toMatchObject({ created: 1, refused: 5 })
})

test('what a user says of a heading is kept for the next file of the merchant, and for no other one', async () => {
  const operator = await anOperator()
  const file = 'Kürzel;Wer\nA1;Anna'
  expect(await preview(operator, 'groups', file)).toMatchObject({ mapping: {}, missing: ['name'], rows: [] })
  await bring(operator, 'groups', file, { name: 1 })
  expect(await preview(operator, 'groups', 'Wer;Kürzel\nBert;B1')).toMatchObject({ mapping: { name: 0 }, created: 1 })
  expect(await preview(await anOperator(), 'groups', file)).toMatchObject({ mapping: {} })
})

test('an amount in another currency than the merchant’s is no column, whatever the file before was', async () => {
  const operator = await anOperator()
  await bring(operator, 'media', 'serial;credit (EUR)\nEUR1;5,00')
  const file = 'serial;credit (USD);bonus (EUR)\nUSD1;5,00;1,00'
  expect(await preview(operator, 'media', file)).toMatchObject({ mapping: { serial: 0, bonus: 2 } })
})

test('what an import did is forgotten when it can be undone no more', async () => {
  const operator = await anOperator()
  const old = await bring(operator, 'groups', 'name\nNord')
  const recent = await bring(operator, 'groups', 'name\nSud')
  await api.database.admin('update imports set at = $2 where id = $1', [old.id, new Date(Date.now() - 31 * 86_400_000)])
  await sweepImports(api.database, new Date())
  const rows = await rowsOf('select import_id from import_rows where merchant_id = $1', operator.merchantId)
  expect(rows).toEqual([{ import_id: recent.id }])
  await expect(undo(operator, old.id)).rejects.toMatchObject({ code: 'UndoTooLate' })
})

test('a workbook is read as a CSV file is', async () => {
  const operator = await anOperator()
  const sheets = [{ name: 'Gruppen', rows: [['Gruppe'], ['Nord'], [4711], [null]] }]
  await bring(operator, 'groups', await writeXlsx({ sheets }))
  const { items } = await api.as(operator.user).pageGroups({ params: { merchantId: operator.merchantId }, query: {} })
  expect(items.map(({ name }) => name).sort()).toEqual(['4711', 'Nord'])
})

test('a group in use is not taken back', async () => {
  const operator = await anOperator()
  const { id } = await bring(operator, 'groups', 'name\nNord\nSud')
  const [nord] = await rowsOf<{ id: string }>(
    `select id from groups where merchant_id = $1 and name = 'Nord'`,
    operator.merchantId,
  )
  await aMachine(api.database, operator.merchantId, { groupId: nord?.id as string })
  await expect(undo(operator, id)).rejects.toMatchObject({ code: 'ImportRowsUsed', facts: { names: 'Nord' } })
  expect(await rowsOf('select 1 from groups where merchant_id = $1', operator.merchantId)).toHaveLength(2)
})

test('of two imports of one file at once, one writes', async () => {
  const operator = await anOperator()
  const file = 'code,name,country\n1,One,IT'
  const { mapping, digest } = await preview(operator, 'clients', file)
  const body = { kind: 'clients' as const, file: fileOf(file), mapping, digest }
  const both = await Promise.allSettled(
    [1, 2].map(() => api.as(operator.user).createImport({ params: { merchantId: operator.merchantId }, body })),
  )
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'ImportChanged' } })
  expect(await clientsOf(operator)).toHaveLength(1)
})

test('who may not edit a noun imports none of it, nor sees its imports', async () => {
  const operator = await anOperator()
  await bring(operator, 'groups', 'name\nNord')
  const { merchantId } = operator
  const user = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  await expect(preview({ merchantId, user }, 'groups', 'name\nSud')).rejects.toMatchObject({ code: 'Forbidden' })
  expect((await api.as(user).listImports({ params: { merchantId }, query: {} })).items).toEqual([])
  expect(await preview({ merchantId, user }, 'clients', 'name\nBar')).toMatchObject({ refused: 1 })
  await api.database.admin(`update merchant_features set features = '{}' where merchant_id = $1`, [merchantId])
  await expect(preview(operator, 'products', 'code\n1')).rejects.toMatchObject({ code: 'FeatureNotEnabled' })
})

test('machines are edited, or expected with all that they get when they associate', async () => {
  const operator = await anOperator()
  const { merchantId } = operator
  const north = await aGroup(api.database, merchantId, 'North')
  const bar = await aClient(api.database, merchantId, { code: 'B1', name: 'Bar Roma' })
  await aGroup(api.database, (await anOperator()).merchantId, 'Foreign')
  const known = await aMachine(api.database, merchantId, { serial: 'KNOWN1', name: 'Old name' })
  const file = [
    'Machine Serial;Machine Name;Route;Customer;Geo Address;Warranty Until',
    'known1;Lobby;north;B1;Via Roma 1;2027-03-31',
    'NEW-1;Canteen;North;Bar Roma;Via Roma 2;31.03.2028',
    'NEW-2;Hall;Foreign;;;',
    'NEW-3;Hall;;Nobody;;03/04/2027',
  ].join('\n')
  const previewed = await preview(operator, 'machines', file)
  expect(faultsOf(previewed).sort()).toEqual([
    '4 group Foreign rule.notFound',
    '5 client Nobody rule.notFound',
    '5 warrantyUntil 03/04/2027 rule.format',
  ])
  const { id } = await bring(operator, 'machines', file)
  const stored = () =>
    rowsOf(
      `select name, group_id, client_id, address, warranty_until::text, version from machines where merchant_id = $1 and id = $2`,
      merchantId,
      known.id,
    )
  expect(await stored()).toEqual([
    { name: 'Lobby', group_id: north, client_id: bar, address: 'Via Roma 1', warranty_until: '2027-03-31', version: 2 },
  ])
  expect(await api.as(operator.user).listExpectedMachines({ params: { merchantId } })).toMatchObject([
    { serial: 'NEW-1', name: 'Canteen', groupName: 'North', clientName: 'Bar Roma' },
  ])
  expect(await preview(operator, 'machines', file)).toMatchObject({ same: 2, refused: 2 })
  await undo(operator, id)
  expect(await stored()).toMatchObject([{ name: 'Old name', group_id: null, address: null, version: 3 }])
  expect(await api.as(operator.user).listExpectedMachines({ params: { merchantId } })).toEqual([])
})

test('a machine of a file gets all of it when it associates, and its import stays', async () => {
  const operator = await anOperator()
  const { merchantId } = operator
  const pins = createPins(api.config.secretKey)
  const pin = await pins.givePin(api.database, merchantId)
  const file =
    'serial,name,address,sector,warranty until\nFLEET-1,Canteen,Via Roma 2,School,2028-03-31\nFLEET-2,Hall,,,'
  const { id } = await bring(operator, 'machines', file)
  const services = { doors: api.database, config: api.config, pins, mqttPort: 1883 }
  await associate(services, { serial: 'Fleet-1', deviceType: 'AZVT', pin, name: 'Firmware' }, '10.0.0.1')
  expect(
    await rowsOf(
      'select serial, name, address, sector, warranty_until::text from machines where merchant_id = $1',
      merchantId,
    ),
  ).toEqual([
    { serial: 'Fleet-1', name: 'Canteen', address: 'Via Roma 2', sector: 'school', warranty_until: '2028-03-31' },
  ])
  expect(await preview(operator, 'machines', file)).toMatchObject({ same: 2 })
  await expect(undo(operator, id)).rejects.toMatchObject({ code: 'ImportRowsUsed', facts: { names: 'Canteen' } })
})

test('machines get the planogram that a file names: now, or when they associate', async () => {
  const operator = await anOperator()
  const { merchantId } = operator
  const known = await aMachine(api.database, merchantId, { serial: 'PLAN-1', name: 'Lobby' })
  const plans = await bring(operator, 'planograms', 'name;selection;capacity\nSnack;11;10')
  const file = 'Serial;Machine Name;Product Map\nplan-1;Lobby;snack\nPLAN-2;Hall;Snack\nPLAN-3;Bar;Nothing'
  expect(faultsOf(await preview(operator, 'machines', file))).toEqual(['4 planogram Nothing rule.notFound'])
  const first = await bring(operator, 'machines', file)
  const planned = () =>
    rowsOf(
      `select m.serial, p.name from machines m left join planograms p on p.merchant_id = m.merchant_id and p.id = m.planogram_id
       where m.merchant_id = $1 order by 1`,
      merchantId,
    )
  expect(await planned()).toEqual([{ serial: 'PLAN-1', name: 'Snack' }])
  const second = await bring(operator, 'machines', 'serial;planogram;address\nPLAN-1;;Via Roma 3')
  expect(await planned()).toEqual([{ serial: 'PLAN-1', name: null }])
  await undo(operator, second.id)
  expect(await planned()).toEqual([{ serial: 'PLAN-1', name: 'Snack' }])
  await expect(undo(operator, plans.id)).rejects.toMatchObject({ code: 'ImportRowsUsed', facts: { names: 'Snack' } })
  await undo(operator, first.id)
  expect(await planned()).toEqual([{ serial: 'PLAN-1', name: null }])
  await bring(operator, 'machines', file)
  const pins = createPins(api.config.secretKey)
  const services = { doors: api.database, config: api.config, pins, mqttPort: 1883 }
  const pin = await pins.givePin(api.database, merchantId)
  await associate(services, { serial: 'PLAN-2', deviceType: 'AZVT', pin }, '10.0.0.2')
  expect(await planned()).toEqual([
    { serial: known.serial, name: 'Snack' },
    { serial: 'PLAN-2', name: 'Snack' },
  ])
})

test('a user of some groups names no other group, and expects no machine without one', async () => {
  const { merchantId } = await anOperator()
  const north = await aGroup(api.database, merchantId, 'North')
  await aGroup(api.database, merchantId, 'South')
  const user = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [north] }])
  const previewed = await preview({ merchantId, user }, 'machines', 'serial,group\nNEW-1,North\nNEW-2,South\nNEW-3,')
  expect(faultsOf(previewed).sort()).toEqual(['3 group South rule.notFound', '4 group null rule.required'])
})

test('rows of one name are a planogram, which is saved as a whole and keeps what the file leaves out', async () => {
  const operator = await anOperator()
  const { merchantId, user } = operator
  const water = await aProduct(api.database, merchantId, { code: 'W', name: 'Water' })
  await aProduct(api.database, (await anOperator()).merchantId, { code: 'X', name: 'Foreign' })
  const file =
    'Planogram;Column;SKU;Price;Capacity;PAR\nSnack;11;w;1,20;10;8\nSnack;12;;0,80;6;\nCold;1;X;1,00;5;5\nCold;2;W;1,00;5;6\nHot;1;W;1,00;5;'
  const previewed = await preview(operator, 'planograms', file)
  expect(faultsOf(previewed).sort()).toEqual(['4 product X rule.notFound', '5 refillValue 6 rule.smallerOrEqual'])
  expect(previewed).toMatchObject({ created: 3, refused: 2 })
  const first = await bring(operator, 'planograms', file)
  const linesOf = async (name: string) => {
    const [one] = await rowsOf<{ id: string }>(
      'select id from planograms where merchant_id = $1 and name = $2',
      merchantId,
      name,
    )
    return (await api.as(user).getPlanogram({ params: { merchantId, planogramId: one?.id as string } })).lines
  }
  const snack = [
    { selection: '11', productId: water, capacity: 10, warningLevel: 0, refillValue: 8, prices: { 1: 120 } },
    { selection: '12', productId: null, capacity: 6, warningLevel: 0, refillValue: 6, prices: { 1: 80 } },
  ]
  expect(await linesOf('Snack')).toEqual(snack)
  const second = await bring(operator, 'planograms', 'name;selection;capacity;price\nSNACK;12;6;0,90\nSNACK;13;4;')
  expect(second).toMatchObject({ created: 0, updated: 2 })
  expect((await linesOf('Snack')).map(({ selection, prices }) => [selection, prices])).toEqual([
    ['11', { 1: 120 }],
    ['12', { 1: 90 }],
    ['13', {}],
  ])
  await undo(operator, second.id)
  expect(await linesOf('Snack')).toEqual(snack)
  await undo(operator, first.id)
  expect(await rowsOf('select 1 from planograms where merchant_id = $1', merchantId)).toEqual([])
})

const balances = (merchantId: string) =>
  rowsOf<{ serial: string; credit: string; bonus: string }>(
    `select m.serial, coalesce(sum(a.balance) filter (where a.kind = 'credit'), 0)::int as credit,
       coalesce(sum(a.balance) filter (where a.kind = 'bonus'), 0)::int as bonus
     from medias m left join ledger_accounts a on a.merchant_id = m.merchant_id and a.owner_id = m.id
     where m.merchant_id = $1 group by 1 order by 1`,
    merchantId,
  )
const sumOfAccounts = async (merchantId: string) =>
  (
    await rowsOf<{ sum: number }>(
      'select coalesce(sum(balance), 0)::int as sum from ledger_accounts where merchant_id = $1',
      merchantId,
    )
  )[0]?.sum

test('the balance of a medium is booked once, whatever file names it again, and taken back as a whole', async () => {
  const operator = await anOperator()
  const { merchantId } = operator
  await aMedia(api.database, merchantId, { serial: 'OLD1' })
  await bring(operator, 'customers', 'Holder;Email\nAnna;anna@example.com')
  const file = 'Card Number;Balance;Bonus;Customer Email\nold1;12,50;;anna@example.com\nab cd;3,00;1,00;\nzero;;;'
  expect(await bring(operator, 'media', file)).toMatchObject({ created: 2, updated: 1 })
  const booked = [
    { serial: 'ABCD', credit: 300, bonus: 100 },
    { serial: 'OLD1', credit: 1250, bonus: 0 },
    { serial: 'ZERO', credit: 0, bonus: 0 },
  ]
  expect(await balances(merchantId)).toEqual(booked)
  expect(await sumOfAccounts(merchantId)).toBe(0)
  // The same file, and the same balance in another file.
  expect(await bring(operator, 'media', file)).toMatchObject({ created: 0, updated: 0, same: 3 })
  expect(await bring(operator, 'media', 'serial;credit\nOLD1;12,50')).toMatchObject({ same: 1 })
  expect(faultsOf(await preview(operator, 'media', 'serial;credit\nOLD1;13,00\nB;-1\nC;100000'))).toEqual([
    '2 credit 13,00 rule.openingBooked',
    '3 credit -1 rule.minimumZero',
    '4 credit 100000 rule.maximum',
  ])
  expect(await balances(merchantId)).toEqual(booked)
  const { items } = await api.as(operator.user).listImports({ params: { merchantId }, query: { kinds: ['media'] } })
  const first = items.at(-1)?.id as string
  const [customers] = (
    await api.as(operator.user).listImports({ params: { merchantId }, query: { kinds: ['customers'] } })
  ).items
  await expect(undo(operator, customers?.id as string)).rejects.toMatchObject({ code: 'ImportRowsUsed' })
  await undo(operator, first)
  expect(await balances(merchantId)).toEqual([{ serial: 'OLD1', credit: 0, bonus: 0 }])
  expect(await sumOfAccounts(merchantId)).toBe(0)
  await undo(operator, customers?.id as string)
  expect(await ledgerFaults(api.database, merchantId)).toEqual([])
  // Undone, it may come again.
  expect(await bring(operator, 'media', 'serial;credit\nold1;5,00')).toMatchObject({ updated: 1 })
  expect(await balances(merchantId)).toEqual([{ serial: 'OLD1', credit: 500, bonus: 0 }])
})

test('a balance of which something was spent or added since is not taken back', async () => {
  const operator = await anOperator()
  const { merchantId } = operator
  const { id } = await bring(operator, 'media', 'serial,credit\nA,5.00\nB,5.00')
  const [medium] = await rowsOf<{ id: string }>(
    `select id from medias where merchant_id = $1 and serial = 'B'`,
    merchantId,
  )
  await aCredit(api.database, merchantId, medium?.id as string, 100, 0)
  await expect(undo(operator, id)).rejects.toMatchObject({ code: 'ImportRowsUsed', facts: { names: 'B' } })
  expect(await balances(merchantId)).toMatchObject([{ credit: 500 }, { credit: 600 }])
})

test('products come with prices and codes, and one in a planogram is not taken back', async () => {
  const operator = await anOperator()
  const { id } = await bring(
    operator,
    'products',
    'SKU;Item Name;Category;Price;Allergens\n1;Water;Snack;1,20;milk\n2;Bar;C;0,90;',
  )
  expect(await preview(operator, 'products', 'code;defaultPrice\n1;1,20\n2;1,00')).toMatchObject({
    same: 1,
    updated: 1,
  })
  await bring(operator, 'planograms', 'name;selection;product;capacity\nP;1;2;5')
  await expect(undo(operator, id)).rejects.toMatchObject({ code: 'ImportRowsUsed', facts: { names: 'Bar' } })
})
