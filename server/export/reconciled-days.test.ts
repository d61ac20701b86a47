import { createHash } from 'node:crypto'
import { parseCsv } from 'hucre/csv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { columnIdsOf } from '#contract/export/export-lists.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { writeAudit } from '#domain/audits/eva-dts/write-audit.ts'
import { dayIn } from '#domain/time/period.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAudit, anInterval, aSale } from '#testkit/machines/machine-data.ts'

const hour = 3_600_000
const zone = 'Europe/Rome'
/** Noon of yesterday, so that the hours around it are on the same local day. */
const noon = Math.floor(Date.now() / (24 * hour)) * 24 * hour - 13 * hour
const at = (hours: number) => new Date(noon + hours * hour)
const dayAt = (hours: number) => dayIn(at(hours), zone)
const yesterday = dayAt(0)
/** A day as an English file writes it. */
const written = (day: string) => day.split('-').reverse().join('/')

let api: TestApi
let admin: TestUser
let merchantId: string
beforeAll(async () => {
  api = await openTestApi({ EXPORT_MAX_RESULTS: '5' })
  merchantId = (await aMerchant(api.database, { timeZone: zone })).id
  admin = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
})
afterAll(() => api.close())

const aMachineOfOld = () => aMachine(api.database, merchantId, { columns: { created_at: at(-100) } })

/** A reading with these totals of cash vends of 1.50 since the machine was created. */
async function aRead(machine: TestMachine, hours: number, count: number, cashIn = count * 150) {
  const raw = writeAudit({
    serial: machine.serial,
    model: 'M',
    software: '1',
    boardSerial: 'B1',
    decimals: 2,
    currency: 'EUR',
    time: '2026-01-01T00:00:00',
    selections: [{ selection: '11', name: 'Espresso', price: 150, count, value: count * 150 }],
    cash: { count, value: count * 150, in: { toBox: cashIn, toTubes: 0, bills: 0 } },
    cashless: { count: 0, value: 0 },
  })
  const sha256 = createHash('sha256').update(raw).update(String(Math.random())).digest()
  const read = {
    read_at: at(hours),
    epoch: null,
    content: JSON.stringify(readAudit(raw)),
    raw: Buffer.from(raw),
    sha256,
  }
  return anInterval(api.database, machine, await anAudit(api.database, machine, read))
}
const sale = (machine: TestMachine, hours: number) =>
  aSale(api.database, machine, { created_at: at(hours), price_line: 11 })

const orderOf = (filter: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  list: 'reconciledDays',
  format: 'csv',
  columns: columnIdsOf('reconciledDays'),
  filter,
  language: 'en',
  ...more,
})
const send = (body: object, user = admin, of = merchantId) =>
  api.send('exportShown', { params: { merchantId: of }, body }, user)
async function rowsOf(body: object) {
  const answer = await send(body)
  expect(answer.statusCode, answer.payload).toBe(200)
  const [head = [], ...rows] = parseCsv(answer.rawPayload.toString('utf8'))
  return rows.map((row) => Object.fromEntries(head.map((name, place) => [String(name), String(row[place] ?? '')])))
}
const of = (machine: TestMachine, days: { startDate: string; endDate: string }, states?: string[]) => ({
  ...days,
  posIds: [machine.id],
  ...(states && { states }),
})
const justYesterday = { startDate: yesterday, endDate: yesterday }

test('a day has both sides and their difference in amount and vends, as in the list', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, -3, 1000, 100_000)
  await sale(machine, -2)
  await sale(machine, -1)
  await aRead(machine, 0, 1003, 100_450)
  const [row] = await rowsOf(orderOf(of(machine, justYesterday)))
  expect(row).toMatchObject({
    Day: written(yesterday),
    Machine: machine.name,
    Serial: machine.serial,
    Match: 'Mismatch',
    Counters: 'First reading',
    'Audited (EUR)': '4.50',
    'Audited, vends': '3',
    'Transmitted (EUR)': '3.00',
    'Transmitted, vends': '2',
    'Difference (EUR)': '1.50',
    'Difference, vends': '1',
    'Cash in, audited (EUR)': '4.50',
    'Cash in, reported (EUR)': '',
    'Cash difference (EUR)': '',
    'Cash box difference (EUR)': '',
    Readings: '2',
  })
  const query = of(machine, justYesterday)
  const { items } = await api.as(admin).listReconciledDays({ params: { merchantId }, query })
  const sales = items[0]?.lines.find(({ name }) => name === 'sales')
  expect(sales).toMatchObject({ audited: { value: 450 }, other: { value: 300 }, difference: { count: 1, value: 150 } })
})

test('a day without a reading has its transmitted sales, and the reading that covers it', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, -60, 0)
  await sale(machine, -25)
  await aRead(machine, 0, 1)
  const days = { startDate: dayAt(-24), endDate: dayAt(-24) }
  const [row] = await rowsOf(orderOf(of(machine, days)))
  expect(row).toMatchObject({ Match: 'Not read', 'Audited (EUR)': '', 'Transmitted (EUR)': '1.50', Readings: '0' })
  expect(row?.[`Within the reading of (${zone})`]).not.toBe('')
})

test('a file contains the days in the requested states, in order, up to the configured maximum', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, -3, 10)
  await aRead(machine, 0, 11)
  const days = { startDate: dayAt(-72), endDate: yesterday }
  const rows = await rowsOf(orderOf(of(machine, days), { columns: ['day'], ord: 'day', ordType: 'ASC' }))
  expect(rows.map(({ Day }) => Day)).toEqual([-72, -48, -24, 0].map((hours) => written(dayAt(hours))))
  expect(await rowsOf(orderOf(of(machine, days, ['differs']), { columns: ['day'] }))).toEqual([
    { Day: written(yesterday) },
  ])
  expect(await rowsOf(orderOf(of(machine, days, ['agrees'])))).toEqual([])
  const other = await aMachineOfOld()
  const both = { ...days, posIds: [machine.id, other.id] }
  expect(await rowsOf(orderOf(both, { columns: ['day', 'machine'] }))).toHaveLength(5)
  expect(await rowsOf(orderOf({ ...both, states: ['notRead'] }, { columns: ['day', 'machine'] }))).toHaveLength(5)
})

test('a file refuses the same filters as the list', async () => {
  const codeOf = async (filter: Record<string, unknown>) => (await send(orderOf(filter))).json().code
  expect(await codeOf({})).toBe('ValidationFailed')
  expect(await codeOf({ startDate: '2026-02-02', endDate: '2026-02-01' })).toBe('PeriodReversed')
  expect(await codeOf({ startDate: '2026-01-01', endDate: '2026-02-01' })).toBe('PeriodTooLong')
  const strange = await aMachine(api.database, (await aMerchant(api.database)).id)
  expect(await codeOf(of(strange, justYesterday))).toBe('MachineNotFound')
})

test('a stranger gets no file of it, and under all merchants none of its machines', async () => {
  const machine = await aMachineOfOld()
  const ownMerchantId = (await aMerchant(api.database)).id
  const stranger = await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }])
  expect((await send(orderOf(justYesterday), stranger)).json()).toMatchObject({ code: 'MerchantNotFoundException' })
  const { payload } = await send(orderOf(justYesterday), stranger, allMerchants)
  expect(payload).toContain('Difference')
  expect(payload).not.toContain(machine.name)
})
