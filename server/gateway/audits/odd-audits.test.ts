import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceLimits } from '#contract/device-protocol.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

/*
 * Files of machines that count otherwise than most, sent over HTTP, and what the portal says of them.
 */

const zone = 'Europe/Rome'
const minute = 60_000
let api: TestApi
let server: TestGateway
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  server = await openGateway(api.database)
  merchantId = (await aMerchant(api.database, { timeZone: zone })).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(async () => {
  await server?.stop()
  await api?.close()
})

const aNewMachine = () =>
  aMachine(api.database, merchantId, { columns: { created_at: new Date(Date.now() - 20 * 86_400_000) } })

async function answerTo(machine: TestMachine, file: string | Uint8Array) {
  return fetch(`${server.httpUrl}/device/v1/${machine.serial}/audit`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`,
      'content-type': 'application/octet-stream',
    },
    body: file as BodyInit,
  })
}
const post = async (machine: TestMachine, file: string | Uint8Array) =>
  expect((await answerTo(machine, file)).status).toBe(200)
const euro = 'ID4*2*978*EUR'
const fileOf = (...rows: string[]) =>
  ['DXS*GET0000051*VA*V0/6*1', 'ST*001*0001', 'ID1*R1*T', ...rows, 'DXE*1*1', ''].join('\r\n')

/** The machine's readings, the newest first. */
async function readings(machine: TestMachine) {
  const params = { merchantId, posId: machine.id }
  const { items } = await admin.listAudits({ params, query: {} })
  return Promise.all(
    items.map(async (row) => ({
      ...row,
      content: (await admin.getAudit({ params: { ...params, auditId: row.id } })).content,
      reconciliation: await admin.getAuditReconciliation({ params: { ...params, auditId: row.id } }),
    })),
  )
}
const salesOf = (interval: { lines: { name: string; audited: object }[] } | null | undefined) =>
  interval?.lines.find(({ name }) => name === 'sales')
/** EA3 or ID5: the date and time of the machine, so many minutes ago. */
function ownClock(minutesAgo: number): string {
  const [day = '', time = ''] = new Date(Date.now() - minutesAgo * minute)
    .toLocaleString('sv-SE', { timeZone: zone })
    .split(' ')
  return `${day.replaceAll('-', '').slice(2)}*${time.replaceAll(':', '').slice(0, 4)}`
}

describe('counters that exist only since the last reset', () => {
  const first = fileOf(
    ...[euro, 'VA1*1480000**3650*73', 'CA2**0*450*9', 'DA2**0*3200*64', 'PA1*3*50', 'PA2***73*3650'],
    `EA3*215*${ownClock(600)}**${ownClock(900)}`,
  )
  const second = fileOf(
    ...[euro, 'VA1*1488600**8600*172', 'CA2**0*2950*59', 'DA2**0*5650*113', 'PA1*3*50', 'PA2***172*8600'],
    `EA3*216*${ownClock(300)}**${ownClock(600)}`,
  )
  const third = fileOf(
    ...[euro, 'VA1*1488750**150*3', 'CA2**0*100*2', 'DA2**0*50*1', 'PA1*3*50', 'PA2***3*150'],
    `EA3*217*${ownClock(60)}**${ownClock(300)}`,
  )

  test.each([
    ['in order', [first, second, third]],
    ['the last first', [third, second, first]],
    ['the middle one last', [third, first, second]],
  ])('are reconciled the same, uploaded %s', async (_, files) => {
    const machine = await aNewMachine()
    for (const file of files) await post(machine, file)
    const [last, middle, earliest] = await readings(machine)
    expect([last, middle, earliest].map((each) => each?.interval?.kind)).toEqual(['sinceReset', 'sinceReset', 'first'])
    expect(middle?.interval?.from).toBe(earliest?.readAt)
    expect(salesOf(middle?.interval)).toMatchObject({
      audited: { count: 172, value: 8600 },
      other: { count: 0, value: 0 },
      difference: { count: 172, value: 8600 },
      state: 'differs',
    })
    const line = (name: string) => middle?.interval?.lines.find((each) => each.name === name)?.audited
    expect([line('cashSales'), line('otherSales')]).toEqual([
      { count: 59, value: 2950 },
      { count: 113, value: 5650 },
    ])
    expect(middle?.reconciliation.selections).toMatchObject([
      { selection: '3', audited: { count: 172, value: 8600 }, step: 'sinceReset', state: 'differs' },
    ])
    expect(salesOf(last?.interval)).toMatchObject({ audited: { count: 3, value: 150 } })
  })

  test('show a counter before and after with its change since the previous reading', async () => {
    const machine = await aNewMachine()
    await post(machine, first)
    await post(machine, second)
    const [last] = await readings(machine)
    expect(last?.reconciliation.counters.find(({ counter }) => counter === 'cashSold')).toEqual({
      counter: 'cashSold',
      before: { count: 9, value: 450 },
      now: { count: 59, value: 2950 },
      step: 'sinceReset',
      moved: { count: 59, value: 2950 },
    })
  })
})

describe('a file without a time of its own', () => {
  const first = fileOf(euro, 'VA1*15000*100', 'PA1*1*150', 'PA2*100*15000')
  const second = fileOf(euro, 'VA1*16500*110', 'PA1*1*150', 'PA2*110*16500')

  test('has the time of receipt, with a warning', async () => {
    const machine = await aNewMachine()
    await post(machine, first)
    const [reading] = await readings(machine)
    expect(reading?.content.warnings.map(({ code }) => code)).toContain('readingTimeUnknown')
    expect(Date.now() - Date.parse(`${reading?.readAt}Z`)).toBeLessThan(10_000)
  })

  test('that is older by its number is named so, is no reset and parts no interval', async () => {
    const machine = await aNewMachine()
    await post(machine, second.replace('DXE', 'EA3*12*******12\r\nDXE'))
    await post(machine, first.replace('DXE', 'EA3*11*******11\r\nDXE'))
    await post(machine, second.replace('16500*110', '16800*112').replace('DXE', 'EA3*13*******13\r\nDXE'))
    const rows = await readings(machine)
    expect(rows.map(({ interval }) => interval?.kind)).toEqual(['counted', 'older', 'first'])
    expect(rows[0]?.interval?.fromAuditId).toBe(rows[2]?.id)
    expect(salesOf(rows[0]?.interval)).toMatchObject({ audited: { count: 2, value: 300 } })
  })
})

test('a machine with a stopped clock is read when its file arrives', async () => {
  const machine = await aNewMachine()
  const standing = `EA3*3*${ownClock(5000)}**${ownClock(9000)}\r\nDXE`
  await post(machine, fileOf(euro, 'VA1*15000*100').replace('DXE', standing))
  await post(machine, fileOf(euro, 'VA1*15300*102').replace('DXE', standing))
  const [last] = await readings(machine)
  expect(Date.now() - Date.parse(`${last?.readAt}Z`)).toBeLessThan(10_000)
  expect(salesOf(last?.interval)).toMatchObject({ audited: { count: 2, value: 300 } })
})

test('price lists per payment device are each device’s own prices, and none of them is wrong', async () => {
  const machine = await aNewMachine()
  const params = { merchantId, posId: machine.id }
  const edit = (priceTable: number, price: number) => ({ selection: '7', priceTable, before: null, price })
  await admin.updatePrices({ params, body: { edits: [edit(1, 250), edit(6, 100)] } })
  await post(
    machine,
    fileOf(
      ...[euro, 'VA1*5000*20*0*0', 'PA1*7*250', 'PA7*7*CA*0*250*20*5000*0*0', 'PA7*7*DA*1*100*0*0*0*0'],
      'PA7*7*DA*2*65535*0*0*0*0',
    ),
  )
  const audited = await api.database.admin<{ price_table: number; audited: string }>(
    'select price_table, audited from machine_prices where machine_id = $1 and audited is not null order by price_table',
    [machine.id],
  )
  expect(audited.map((row) => [row.price_table, Number(row.audited)])).toEqual([
    [1, 250],
    [6, 100],
  ])
  const { items } = await admin.listWrongPrices({ params: { merchantId }, query: { posIds: [machine.id] } })
  expect(items).toEqual([])
})

test('sales that only PA7 counts are compared with what was transmitted', async () => {
  const machine = await aNewMachine()
  const file = (count: number, minutesAgo: number) =>
    fileOf(euro, 'PA1*04*250', `PA7*04*CA*0*250*${count}*${count * 250}`, `ID5*${ownClock(minutesAgo)}`)
  await post(machine, file(13, 120))
  for (let sale = 0; sale < 2; sale++)
    await aSale(api.database, machine, { created_at: new Date(Date.now() - 60 * minute), value: 250, price_line: 4 })
  await post(machine, file(15, 5))
  const [last, first] = await readings(machine)
  expect(first).toMatchObject({ salesTotal: 3250, vendsTotal: 13, selectionsTotal: 3250 })
  expect(first?.interval?.kind).toBe('first')
  expect(last?.interval).toMatchObject({ kind: 'counted', state: 'agrees' })
  expect(salesOf(last?.interval)).toMatchObject({ audited: { count: 2, value: 500 }, other: { count: 2, value: 500 } })
  // Transmitted sales have the number of a selection without its zeros.
  expect(last?.reconciliation.selections).toMatchObject([
    { selection: '04', audited: { count: 2, value: 500 }, transmitted: { count: 2, value: 500 }, state: 'agrees' },
  ])
})

test('vends without values are compared by their number, and no difference in money is claimed', async () => {
  const machine = await aNewMachine()
  const file = (count: number, minutesAgo: number) =>
    fileOf('ID4*2', `ID5*${ownClock(minutesAgo)}`, `VA1*0*${count}*0*1`, 'PA1*1*150', `PA2*${count}*0*0*0`)
  await post(machine, file(7891, 120))
  for (let sale = 0; sale < 3; sale++)
    await aSale(api.database, machine, { created_at: new Date(Date.now() - 60 * minute), value: 150, price_line: 1 })
  await post(machine, file(7894, 5))
  const [last] = await readings(machine)
  expect(last?.interval?.state).toBe('agrees')
  expect(salesOf(last?.interval)).toMatchObject({
    audited: { count: 3, value: null },
    other: { count: 3, value: 450 },
    difference: { count: 0, value: null },
  })
})

test('coins of two types of one value are collected together, and their sum is that of the box', async () => {
  const machine = await aNewMachine()
  const file = (box: number, first: number, second: number, minutesAgo: number) =>
    fileOf(
      ...[euro, `ID5*${ownClock(minutesAgo)}`, `VA1*${box}*${box / 100}`, `CA3*0*0*0*0*${box}*${box}*0*0*0*0`],
      ...[`CA11*100*0*0*0*${first}*${first}*0`, `CA11*100*0*0*0*${second}*${second}*0`],
    )
  const inEnvelope = (data: string) => JSON.stringify({ HWSerial: machine.serial, Origin: 'CASH', DexData: data })
  await post(machine, inEnvelope(file(5000, 10, 40, 120)))
  await post(machine, inEnvelope(file(7500, 15, 60, 60)))
  const { items } = await admin.listCashCollections({ params: { merchantId }, query: { posIds: [machine.id] } })
  const [last] = items
  expect(items).toHaveLength(2)
  const detail = await admin.getCashCollection({ params: { merchantId, collectionId: last?.id ?? '' } })
  expect(detail.audited).toBe(2500)
  expect(detail.lines.filter(({ audited }) => audited)).toMatchObject([{ value: 100, audited: 25 }])
})

test('names in a code page of the country are letters, and the machine keeps its page', async () => {
  const { id } = await aMerchant(api.database, { currency: 'CZK' })
  const czech = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: id, groups: 'all' }]))
  const machine = await aMachine(api.database, id)
  const file = (name: number[]) =>
    Buffer.concat([
      Buffer.from('DXS*GET0000052*VA*V0/6*1\r\nST*001*0001\r\nID4*2*203*CZK\r\nPA1*1*2500*'),
      Buffer.from(name),
      Buffer.from('\r\nPA2*20*50000\r\nDXE*1*1\r\n'),
    ])
  // Šťáva and Kávovar in ISO 8859-2; the second alone could be Windows' page as well.
  await post(machine, file([0xa9, 0xbb, 0xe1, 0x76, 0x61]))
  await post(machine, file([0x4b, 0xe1, 0x76, 0x6f, 0x76, 0x61, 0x72]))
  const params = { merchantId: id, posId: machine.id }
  const { items } = await czech.listAudits({ params, query: {} })
  const contents = await Promise.all(
    items.map(async (row) => (await czech.getAudit({ params: { ...params, auditId: row.id } })).content),
  )
  expect(contents.map(({ selections, envelope }) => [selections[0]?.name, envelope.codePage])).toEqual([
    ['Kávovar', 'iso-8859-2'],
    ['Šťáva', 'iso-8859-2'],
  ])
})

test('a modem’s date and the word for its origin are kept', async () => {
  const machine = await aNewMachine()
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const modem = {
    HWSerial: machine.serial,
    MachineDate: `${day.replaceAll('-', '')} 110554_217`,
    Origin: 'AUTOMATIC',
    DexData: fileOf(euro, 'VA1*15000*100'),
  }
  await post(machine, JSON.stringify(modem))
  const [reading] = await readings(machine)
  const atRome = new Date(`${day}T11:05:54.217Z`).getTime() - offsetInRome(day)
  expect(reading).toMatchObject({
    origin: 1,
    originWord: 'AUTOMATIC',
    readAt: new Date(atRome).toISOString().slice(0, -1),
  })
})

/** Milliseconds by which Rome is ahead at noon of a day. */
function offsetInRome(day: string): number {
  const noon = new Date(`${day}T12:00:00Z`)
  return Date.parse(`${noon.toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`) - noon.getTime()
}

test('a megabyte of coin rows is read up to its limit, with a remark, and a larger file is refused with the reason', async () => {
  const machine = await aNewMachine()
  const coins = (bytes: number) => 'CA11*0\r\n'.repeat(Math.floor(bytes / 8))
  await post(machine, fileOf(euro, 'VA1*350*3', coins(deviceLimits.auditBytes - 1024)))
  const [read] = await readings(machine)
  expect(read?.content.cash.coins).toHaveLength(2000)
  expect(read?.content.warnings).toContainEqual({
    code: 'listCut',
    line: null,
    params: { list: 'coins', kept: 2000, total: expect.any(Number) },
  })
  const refused = await answerTo(machine, fileOf(euro, coins(2 * deviceLimits.auditBytes)))
  expect(refused.status).toBe(413)
  expect(await refused.json()).toMatchObject({ status: 413 })
  await post(machine, fileOf(euro, 'VA1*350*3'))
  expect(await readings(machine)).toHaveLength(2)
})
