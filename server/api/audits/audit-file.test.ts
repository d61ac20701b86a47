import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TokenScope } from '#contract/merchants/token-scope.ts'
import { type AuditCounters, writeAudit } from '#domain/audits/eva-dts/write-audit.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aScopedToken } from '#testkit/api-tokens.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'

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
  const { id: merchantId } = await aMerchant(api.database, { time_zone: 'UTC' })
  return { merchantId, user: await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]) }
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19)

/** A file of a machine that has sold so many espressos for 1.50. */
function aFile(serial: string, vends: number, with_: Partial<AuditCounters> = {}): Buffer {
  const sold = { count: vends, value: vends * 150 }
  return Buffer.from(
    writeAudit({
      serial,
      model: 'M',
      software: '1',
      boardSerial: `B-${serial}`,
      decimals: 2,
      currency: 'EUR',
      time: hoursAgo(1),
      selections: [{ selection: '11', name: 'Espresso', price: 150, ...sold }],
      cash: sold,
      cashless: { count: 0, value: 0 },
      ...with_,
    }),
  )
}

interface Sent {
  name?: string
  content: Uint8Array | string
  serial?: string
}
const bodyOf = (files: Sent[]) => ({
  files: files.map(({ name = 'audit.eva', content, serial }) => ({
    name,
    data: Buffer.from(content).toString('base64'),
    ...(serial !== undefined && { serial }),
  })),
})
const preview = async ({ merchantId, user }: Operator, ...files: Sent[]) =>
  (await api.as(user).previewAuditFiles({ params: { merchantId }, body: bodyOf(files) })).files
const store = async ({ merchantId, user }: Operator, ...files: Sent[]) =>
  (await api.as(user).storeAuditFiles({ params: { merchantId }, body: bodyOf(files) })).files
const auditsOf = async ({ merchantId, user }: Operator, { id }: TestMachine) =>
  (await api.as(user).listAudits({ params: { merchantId, posId: id }, query: { ord: 'readAt', ordType: 'ASC' } })).items

test('a file is previewed without a trace, stored once, and known from then on', async () => {
  const operator = await anOperator()
  const machine = await aMachine(api.database, operator.merchantId)
  const file = { name: 'yesterday.dex', content: aFile(machine.serial, 10) }
  const [seen] = await preview(operator, file)
  expect(seen).toMatchObject({
    outcome: 'new',
    machine: { posId: machine.id, serial: machine.serial },
    foundBy: 'file',
    isDated: true,
    kind: 'first',
    crc: 'holds',
    salesTotal: 1500,
    vendsTotal: 10,
    selections: 1,
    unread: { total: 0 },
  })
  expect(await auditsOf(operator, machine)).toEqual([])
  expect(await store(operator, file, file)).toMatchObject([{ outcome: 'new' }, { outcome: 'known' }])
  expect(await store(operator, file)).toMatchObject([{ outcome: 'known', fault: null }])
  expect(await auditsOf(operator, machine)).toMatchObject([{ origin: 5, salesTotal: 1500, vendsTotal: 10 }])
  const log = await api.database.admin<{ action: string; after: { files: string[] } }>(
    `select action, after from change_log where merchant_id = $1 and subject_id = $2`,
    [operator.merchantId, machine.id],
  )
  expect(log).toEqual([{ action: 'machine.uploadAudits', after: { files: ['yesterday.dex'] } }])
})

test('readings of one call are ordered by their own time, and the preview says how each follows', async () => {
  const operator = await anOperator()
  const machine = await aMachine(api.database, operator.merchantId)
  const files = [
    { name: 'c.dex', content: aFile(machine.serial, 12, { time: hoursAgo(2) }) },
    { name: 'a.dex', content: aFile(machine.serial, 5, { time: hoursAgo(30) }) },
    { name: 'd.dex', content: aFile(machine.serial, 2, { time: hoursAgo(1) }) },
    { name: 'b.dex', content: aFile(machine.serial, 9, { time: hoursAgo(20) }) },
  ]
  const kinds = (await preview(operator, ...files)).map(({ kind }) => kind)
  expect(kinds).toEqual(['counted', 'first', 'reset', 'counted'])
  await store(operator, ...files)
  const audits = await auditsOf(operator, machine)
  expect(audits.map(({ vendsTotal, interval }) => [vendsTotal, interval?.kind])).toEqual([
    [5, 'first'],
    [9, 'counted'],
    [12, 'counted'],
    [2, 'reset'],
  ])
})

test('audits of another system add nothing to the sales that a machine reports itself', async () => {
  const operator = await anOperator()
  const { merchantId, user } = operator
  const machine = await aMachine(api.database, merchantId, { columns: { created_at: new Date(Date.now() - 9e7) } })
  for (const hours of [5, 4, 3])
    await aSale(api.database, machine, { created_at: new Date(Date.now() - hours * 3_600_000), value: 150 })
  const dayOf = (hours: number) => hoursAgo(hours).slice(0, 10)
  const days = { startDate: dayOf(24), endDate: dayOf(0) }
  const salesOf = async () =>
    (await api.as(user).listTransactions({ params: { merchantId }, query: { ...days, posIds: [machine.id] } })).total
  const before = await salesOf()
  await store(
    operator,
    { content: aFile(machine.serial, 100, { time: hoursAgo(6) }) },
    { content: aFile(machine.serial, 103, { time: hoursAgo(2) }) },
  )
  expect(await salesOf()).toBe(before)
  const [, second] = await auditsOf(operator, machine)
  expect(second?.interval?.lines.find(({ name }) => name === 'sales')).toMatchObject({
    audited: { count: 3, value: 450 },
    other: { count: 3, value: 450 },
    state: 'agrees',
  })
})

test('a machine that a file names otherwise is chosen once; a name of two machines is chosen each time', async () => {
  const operator = await anOperator()
  const [one, other] = await Promise.all([
    aMachine(api.database, operator.merchantId),
    aMachine(api.database, operator.merchantId),
  ])
  const named = (vends: number) => ({ content: aFile('ASSET-4711', vends) })
  expect(await preview(operator, named(1))).toMatchObject([
    { outcome: 'unclear', machine: null, names: ['ASSET-4711'], vendsTotal: null, selections: 1 },
  ])
  expect(await store(operator, named(1))).toMatchObject([{ outcome: 'unclear' }])
  await store(operator, { ...named(1), serial: one.serial.toLowerCase() })
  expect(await preview(operator, named(2))).toMatchObject([
    { outcome: 'new', foundBy: 'choice', machine: { posId: one.id } },
  ])
  await store(operator, { ...named(3), serial: other.serial })
  expect(await preview(operator, named(4))).toMatchObject([{ outcome: 'unclear', machine: null }])
  expect(await preview(operator, { name: `${other.serial}_20261121.dex`, ...named(4) })).toMatchObject([
    { outcome: 'new', foundBy: 'fileName', machine: { posId: other.id } },
  ])
})

test('what is no audit, has no machine or no usable time is refused with the reason', async () => {
  const operator = await anOperator()
  const machine = await aMachine(api.database, operator.merchantId)
  const noClock = (vends: number) =>
    aFile(machine.serial, vends)
      .toString('latin1')
      .replace(/ID5\*[^\r]*\r\n/, '')
  const rows = await store(
    operator,
    { name: 'sales.csv', content: 'Machine,Date,Product,Amount\nA,2026-11-21,Espresso,1.20\n' },
    { name: 'letter.txt', content: 'Dear operator, here is your file.' },
    { name: 'a.dex', content: aFile(machine.serial, 1), serial: 'NO-SUCH-1' },
    { name: 'old.dex', content: aFile(machine.serial, 1, { time: '2021-03-01T08:00:00' }) },
    { name: 'b.dex', content: noClock(1) },
    { name: 'c.dex', content: noClock(2) },
  )
  expect(rows.map(({ fault }) => fault)).toEqual([
    'table',
    'notAudit',
    'unknownSerial',
    'timeUnusable',
    'undated',
    'undated',
  ])
  expect(await auditsOf(operator, machine)).toEqual([])
  expect(await store(operator, { name: 'b.dex', content: noClock(1) })).toMatchObject([
    { outcome: 'new', isDated: false, fault: null },
  ])
})

test('the envelope of a modem is opened, and its serial and time count', async () => {
  const operator = await anOperator()
  const machine = await aMachine(api.database, operator.merchantId)
  const MachineDate = hoursAgo(3)
  const DexData = aFile('VMC-12345', 7).toString('latin1')
  const [row] = await store(operator, {
    name: 'modem.txt',
    content: JSON.stringify({ HWSerial: machine.serial, MachineDate, Origin: 'Automatic', DexData }),
  })
  expect(row).toMatchObject({ outcome: 'new', foundBy: 'file', readAt: `${MachineDate}.000`, vendsTotal: 7 })
  expect(await auditsOf(operator, machine)).toMatchObject([{ origin: 1, originWord: 'Automatic' }])
})

test('lines that the reader does not understand are shown before anything is stored', async () => {
  const operator = await anOperator()
  const machine = await aMachine(api.database, operator.merchantId)
  const text = aFile(machine.serial, 7).toString('latin1').replace('VA1*', 'XX9*maker*1\r\nVA1*')
  expect(await preview(operator, { content: text })).toMatchObject([
    { outcome: 'new', crc: 'fails', unread: { total: 1, lines: [{ text: 'XX9*maker*1' }] } },
  ])
})

test('machines out of reach are not found', async () => {
  const operator = await anOperator()
  const { merchantId } = operator
  const groupId = await aGroup(api.database, merchantId)
  const [inside, outside] = await Promise.all([
    aMachine(api.database, merchantId, { groupId }),
    aMachine(api.database, merchantId),
  ])
  await store(operator, { content: aFile('ASSET-9', 1), serial: outside.serial })
  const user = await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [groupId] }])
  const rows = await preview(
    { merchantId, user },
    { content: aFile(outside.serial, 2) },
    { content: aFile('ASSET-9', 2) },
    { content: aFile(inside.serial, 2) },
    { content: aFile('X-1234', 2), serial: outside.serial },
  )
  expect(rows.map(({ outcome, fault }) => fault ?? outcome)).toEqual(['unclear', 'unclear', 'new', 'unknownSerial'])
})

test('an integration stores files with a token of this scope alone', async () => {
  const operator = await anOperator()
  const { merchantId } = operator
  const machine = await aMachine(api.database, merchantId)
  const send = async (scopes: TokenScope[], serial: string) => {
    const { token } = await aScopedToken(api.database, merchantId, scopes)
    return api.app.inject({
      method: 'POST',
      url: `/api/v1/merchants/${merchantId}/audit-files`,
      headers: { authorization: `Bearer ${token}` },
      payload: bodyOf([{ content: aFile(serial, 3) }]),
    })
  }
  expect((await send(['audits.read'], machine.serial)).statusCode).toBe(403)
  const answer = await send(['audits.write'], machine.serial)
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ files: [{ outcome: 'new', machine: { posId: machine.id } }] })
  expect(await auditsOf(operator, machine)).toMatchObject([{ vendsTotal: 3 }])
})
