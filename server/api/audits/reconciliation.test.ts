import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { writeIntervals } from '#database/audits/audit-interval.ts'
import { auditTotals } from '#domain/audits/eva-dts/identities.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { type AuditCounters, writeAudit } from '#domain/audits/eva-dts/write-audit.ts'
import { dayIn } from '#domain/time/period.ts'
import { openTestApi, type TestApi, type TestUser } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAudit, anInterval, aSale } from '#testkit/machines/machine-data.ts'

const zone = 'Europe/Rome'
const hour = 3_600_000
const now = Date.now()
/** Noon of yesterday, so that the hours around it are on the same local day. */
const noon = Math.floor(now / (24 * hour)) * 24 * hour - 13 * hour
const yesterday = dayIn(new Date(noon), zone)
const at = (hours: number) => new Date(noon + hours * hour)

let api: TestApi
let person: TestUser
let merchantId: string
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database, { timeZone: zone })).id
  person = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
})
afterAll(() => api.close())

/** A machine older than all its data. */
const aMachineOfOld = () => aMachine(api.database, merchantId, { columns: { created_at: at(-100) } })

interface Read {
  hours: number
  /** Paid vends of 1.50 since the machine was created, in cash and cashless. */
  cash: number
  card?: number
  board?: string
  seq?: number
  cashIn?: number
  currency?: Currency
}
const counters = ({ cash, card = 0, board = 'B1', cashIn, currency = 'EUR' }: Read, serial: string): AuditCounters => ({
  serial,
  model: 'M',
  software: '1',
  boardSerial: board,
  decimals: 2,
  currency,
  time: '2026-01-01T00:00:00',
  selections: [{ selection: '11', name: 'Espresso', price: 150, count: cash + card, value: (cash + card) * 150 }],
  cash: {
    count: cash,
    value: cash * 150,
    ...(cashIn !== undefined && { in: { toBox: cashIn, toTubes: 0, bills: 0 } }),
  },
  cashless: { count: card, value: card * 150 },
})

/** An audit as stored after its file was read. */
async function aRead(machine: TestMachine, read: Read): Promise<string> {
  const raw = writeAudit(counters(read, machine.serial))
  const content = readAudit(raw, { fallback: 'EUR' })
  const { currency, salesTotal } = auditTotals(content, 'EUR')
  const sha256 = createHash('sha256').update(raw).update(String(Math.random())).digest()
  const stored = {
    content: JSON.stringify(content),
    raw: Buffer.from(raw),
    sha256,
    seq: read.seq ?? null,
    currency,
    sales_total: salesTotal,
  }
  const id = await anAudit(api.database, machine, { read_at: at(read.hours), epoch: read.seq ? 1 : null, ...stored })
  return anInterval(api.database, machine, id)
}
const sale = (machine: TestMachine, hours: number, with_: Record<string, unknown> = {}) =>
  aSale(api.database, machine, { created_at: at(hours), price_line: 11, ...with_ })
const sales = async (machine: TestMachine, many: number, hours: number, with_: Record<string, unknown> = {}) => {
  for (let one = 0; one < many; one++) await sale(machine, hours + one / 100, with_)
}
const card = { media_type: 5, type: 14 }
const ask = (machine: TestMachine, auditId: string) =>
  api.as(person).getAuditReconciliation({ params: { merchantId, posId: machine.id, auditId } })
const dayOf = async (machine: TestMachine, day = yesterday) => {
  const query = { startDate: day, endDate: day, posIds: [machine.id] }
  const { items } = await api.as(person).listReconciledDays({ params: { merchantId }, query })
  return items[0]
}
const line = (lines: { name: string }[] | undefined, name: string) => lines?.find((each) => each.name === name)

test('the counts of an audit match what was transmitted: total, cash and card', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -3, cash: 1000 })
  await sales(machine, 4, -2)
  await sales(machine, 2, -1, card)
  const audit = await aRead(machine, { hours: 0, cash: 1004, card: 2 })
  const { interval, selections } = await ask(machine, audit)
  expect(interval).toMatchObject({ kind: 'counted', state: 'agrees' })
  expect(line(interval.lines, 'sales')).toEqual({
    name: 'sales',
    audited: { count: 6, value: 900 },
    other: { count: 6, value: 900 },
    difference: { count: 0, value: 0 },
    state: 'agrees',
  })
  expect(line(interval.lines, 'otherSales')).toMatchObject({ audited: { count: 2, value: 300 }, state: 'agrees' })
  expect(selections).toMatchObject([{ selection: '11', name: 'Espresso', soldAs: 'Espresso', state: 'agrees' }])
  expect(await dayOf(machine)).toMatchObject({ state: 'agrees', reads: 2, day: yesterday })
})

test('a reading in another currency keeps that currency and is not reconciled with sales or readings in the merchant’s', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -6, cash: 1000 })
  await sales(machine, 4, -5)
  const dollars = await aRead(machine, { hours: -4, cash: 1004, currency: 'USD' })
  await sales(machine, 3, -3)
  const later = await aRead(machine, { hours: -2, cash: 1010, currency: 'USD' })
  const back = await aRead(machine, { hours: -1, cash: 1011 })
  const plain = await aRead(machine, { hours: 0, cash: 1011 })

  const { items } = await api.as(person).listAudits({ params: { merchantId, posId: machine.id }, query: {} })
  const presented = items.map(({ currency, merchantCurrency, salesTotal }) => [currency, merchantCurrency, salesTotal])
  expect(presented.slice(2, 4)).toEqual([
    ['USD', 'EUR', 151_500],
    ['USD', 'EUR', 150_600],
  ])
  const unknown = { audited: { count: null, value: null }, state: 'unknown' }
  const first = await ask(machine, dollars)
  const second = await ask(machine, later)
  const third = await ask(machine, back)
  for (const { interval, selections } of [first, second, third]) {
    expect(interval).toMatchObject({ kind: 'otherCurrency', state: 'unknown' })
    expect(line(interval.lines, 'sales')).toMatchObject(unknown)
    expect(selections).toMatchObject([{ state: 'unknown' }])
  }
  const moved = ({ counters: list }: typeof first) => list.find(({ counter }) => counter === 'sold')?.moved
  expect(first).toMatchObject({ currency: 'EUR', auditCurrency: 'USD' })
  // Counts continue from one currency to the other; amounts count within one currency.
  expect([first, second, third].map(moved)).toEqual([
    { count: 4, value: null },
    { count: 6, value: 900 },
    { count: 1, value: null },
  ])
  expect((await ask(machine, plain)).interval).toMatchObject({ kind: 'counted', state: 'agrees' })
  expect(await dayOf(machine)).toMatchObject({ state: 'unknown', kinds: expect.arrayContaining(['otherCurrency']) })
})

test('a lost sale is a difference in count and amount; a late sale closes it', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -3, cash: 10 })
  await sales(machine, 2, -2)
  const audit = await aRead(machine, { hours: 0, cash: 13 })
  const before = await ask(machine, audit)
  expect(before.interval.state).toBe('differs')
  expect(line(before.interval.lines, 'sales')).toMatchObject({ difference: { count: 1, value: 150 } })
  expect(before.selections).toMatchObject([{ audited: { count: 3 }, transmitted: { count: 2 }, state: 'differs' }])
  expect(await dayOf(machine)).toMatchObject({ state: 'differs' })
  await sale(machine, -1)
  expect((await ask(machine, audit)).interval.state).toBe('agrees')
  expect(await dayOf(machine)).toMatchObject({ state: 'agrees' })
})

test('free, test and failed vends are not compared with the sales', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -3, cash: 10 })
  await sale(machine, -2, { type: 2, free_sale: true, value: 0 })
  await sale(machine, -2, { type: 3, value: 0 })
  await sale(machine, -2, { error_sale: true, value: 0 })
  await sale(machine, -2, { type: 6, value: -150 })
  const audit = await aRead(machine, { hours: 0, cash: 10 })
  expect((await ask(machine, audit)).interval.state).toBe('agrees')
})

test('a late audit splits its interval, in any order of arrival', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -4, cash: 0 })
  await sales(machine, 3, -3)
  await sales(machine, 2, -1)
  const last = await aRead(machine, { hours: 0, cash: 5 })
  const between = async () => line((await ask(machine, last)).interval.lines, 'sales')
  expect(await between()).toMatchObject({ audited: { count: 5 }, state: 'agrees' })
  const late = await aRead(machine, { hours: -2, cash: 3 })
  expect(await between()).toMatchObject({ audited: { count: 2 }, other: { count: 2 }, state: 'agrees' })
  const { interval } = await ask(machine, late)
  expect(line(interval.lines, 'sales')).toMatchObject({ audited: { count: 3 }, other: { count: 3 } })
  expect((await ask(machine, last)).interval.fromAuditId).toBe(late)
})

test('the machine’s numbering decides which sales a reading has counted, if its clock does not', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -3, cash: 0, seq: 1 })
  await sale(machine, -1, { epoch: 1, seq: 2 })
  // One sale arrives before the reading with a later timestamp, the other after it with an earlier timestamp.
  await sale(machine, 0.01, { epoch: 1, seq: 3 })
  await sale(machine, -0.01, { epoch: 1, seq: 5 })
  const audit = await aRead(machine, { hours: 0, cash: 2, seq: 4 })
  const { interval } = await ask(machine, audit)
  expect(line(interval.lines, 'sales')).toMatchObject({ audited: { count: 2 }, other: { count: 2 }, state: 'agrees' })
})

test('a reset and a swapped board are reported as such, not as a mismatch', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -4, cash: 900 })
  await sales(machine, 2, -3)
  const reset = await ask(machine, await aRead(machine, { hours: -2, cash: 2 }))
  expect(reset.interval).toMatchObject({ kind: 'reset', state: 'unknown' })
  expect(reset.counters.find(({ counter }) => counter === 'sold')).toMatchObject({
    step: 'restarted',
    moved: { count: 2 },
  })
  const swapped = await ask(machine, await aRead(machine, { hours: 0, cash: 4000, board: 'B2' }))
  expect(swapped.interval).toMatchObject({ kind: 'boardSwapped', state: 'unknown' })
  const day = await dayOf(machine)
  expect(day).toMatchObject({ state: 'unknown' })
  expect(day?.kinds.toSorted()).toEqual(['boardSwapped', 'first', 'reset'])
})

test('a truncated file is skipped and splits no interval', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -3, cash: 7 })
  const content = JSON.stringify(readAudit(new TextEncoder().encode('DXS*X*VA*V0/6*1\r\n')))
  const torn = await anInterval(
    api.database,
    machine,
    await anAudit(api.database, machine, { read_at: at(-2), content, sha256: Buffer.alloc(32, 1) }),
  )
  await sale(machine, -1)
  const audit = await aRead(machine, { hours: 0, cash: 8 })
  expect((await ask(machine, torn)).interval).toMatchObject({ kind: 'notReported', lines: [] })
  expect((await ask(machine, audit)).interval).toMatchObject({ kind: 'counted', state: 'agrees' })
})

/** A report of the cash devices: what is in the box, and the coins of 0.50 taken since the last one. */
const aReport = (machine: TestMachine, hours: number, box: number, coins: number) =>
  api.database.admin(
    `insert into cash_readings (merchant_id, at, id, machine_id, saved_at, box, tubes, recyclers, accepted, rejected)
     values ($1, $2, gen_random_uuid(), $3, now(), $4, '[]', '[]', $5, '[]')`,
    [merchantId, at(hours), machine.id, box, JSON.stringify(coins ? [{ value: 50, count: coins }] : [])],
  )

test('reported cash is compared with audited cash, across a collection', async () => {
  const machine = await aMachineOfOld()
  await aReport(machine, -3.01, 400, 1)
  await aRead(machine, { hours: -3, cash: 0, cashIn: 1000 })
  await sale(machine, -2)
  await sale(machine, -1.5, { type: 12, value: 550 })
  await sale(machine, -1)
  await aReport(machine, -0.5, 150, 6)
  const audit = await aRead(machine, { hours: 0, cash: 2, cashIn: 1300 })
  const { interval } = await ask(machine, audit)
  expect(line(interval.lines, 'cashIn')).toMatchObject({
    audited: { value: 300 },
    other: { value: 300 },
    state: 'agrees',
  })
  expect(line(interval.lines, 'toBox')).toMatchObject({
    audited: { value: 300 },
    other: { value: 300 },
    state: 'agrees',
  })

  const missing = await aRead(machine, { hours: 1, cash: 2, cashIn: 1400 })
  await aReport(machine, 0.5, 200, 1)
  const later = await ask(machine, missing)
  expect(later.interval.state).toBe('differs')
  expect(line(later.interval.lines, 'cashIn')).toMatchObject({ difference: { value: 50 }, state: 'differs' })
  expect(await dayOf(machine)).toMatchObject({ state: 'differs' })
})

test('a report is not used for a reading if cash has moved between them', async () => {
  const machine = await aMachineOfOld()
  await aReport(machine, -3.01, 0, 1)
  await aRead(machine, { hours: -3, cash: 0, cashIn: 0 })
  await aReport(machine, -1, 0, 0)
  await sale(machine, -0.5)
  const { interval } = await ask(machine, await aRead(machine, { hours: 0, cash: 1, cashIn: 150 }))
  expect(interval.state).toBe('agrees')
  expect(line(interval.lines, 'cashIn')).toMatchObject({ other: { value: null }, state: 'unknown' })
})

test('days without a reading say so, with their transmitted sales and the later reading that covers them', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -60, cash: 0 })
  await sales(machine, 3, -26)
  const covering = await aRead(machine, { hours: 0, cash: 3 })
  const dayBefore = dayIn(at(-24), zone)
  const day = await dayOf(machine, dayBefore)
  expect(day).toMatchObject({ state: 'notRead', reads: 0, spannedBy: { auditId: covering } })
  expect(line(day?.lines, 'sales')).toMatchObject({
    audited: { count: null },
    other: { count: 3, value: 450 },
    state: 'unknown',
  })
})

test('days can be filtered by state, and the list matches the audits’ own pages', async () => {
  const machines = [await aMachineOfOld(), await aMachineOfOld()] as const
  for (const machine of machines) await aRead(machine, { hours: -3, cash: 0 })
  await sale(machines[0], -1)
  const audits = [await aRead(machines[0], { hours: 0, cash: 1 }), await aRead(machines[1], { hours: 0, cash: 1 })]
  const states = await Promise.all(
    machines.map(async (machine, index) => (await ask(machine, audits[index] as string)).interval.state),
  )
  expect(states).toEqual(['agrees', 'differs'])
  const of = async (state: string) => {
    const query = { startDate: yesterday, endDate: yesterday, posIds: machines.map(({ id }) => id), states: [state] }
    return api.as(person).listReconciledDays({ params: { merchantId }, query })
  }
  expect(await of('differs')).toMatchObject({ total: 1, items: [{ posId: machines[1].id, auditId: audits[1] }] })
  expect(await of('agrees')).toMatchObject({ total: 1, items: [{ posId: machines[0].id }] })
  expect(await of('notRead')).toMatchObject({ total: 0, items: [] })
  const { items } = await api.as(person).listAudits({ params: { merchantId, posId: machines[1].id }, query: {} })
  expect(items.map(({ interval }) => interval?.state)).toEqual(['differs', 'unknown'])
})

test('the days that differ are first, the largest differences before; any column sorts, and totals are the sum of the rows', async () => {
  const counted = async (vends: number, transmitted: number) => {
    const machine = await aMachineOfOld()
    await aRead(machine, { hours: -3, cash: 0 })
    await sales(machine, transmitted, -2)
    await aRead(machine, { hours: 0, cash: vends })
    return machine.id
  }
  const [equal, little, much] = [await counted(9, 9), await counted(3, 2), await counted(1, 5)]
  const unread = (await aMachineOfOld()).id
  const filter = { startDate: yesterday, endDate: yesterday, posIds: [equal, little, much, unread] }
  const of = async (more: object) => {
    const query = { ...filter, ...more }
    return (await api.as(person).listReconciledDays({ params: { merchantId }, query })).items
  }
  const idsOf = async (more: object) => (await of(more)).map(({ posId }) => posId)
  expect(await idsOf({ ord: 'state' })).toEqual([much, little, unread, equal])
  expect(await idsOf({ ord: 'difference' })).toEqual([much, little, equal, unread])
  expect(await idsOf({ ord: 'audited', ordType: 'ASC' })).toEqual([much, little, equal, unread])
  expect([...(await idsOf({ ord: 'state', size: 3 })), ...(await idsOf({ ord: 'state', size: 3, page: 2 }))]).toEqual([
    much,
    little,
    unread,
    equal,
  ])
  const totals = await api.as(person).totalReconciledDays({ params: { merchantId }, query: filter })
  const rows = await of({})
  const sumOf = (side: 'audited' | 'other' | 'difference') =>
    rows.reduce((sum, { lines }) => sum + (lines.find(({ name }) => name === 'sales')?.[side].value ?? 0), 0)
  expect(totals).toMatchObject([
    {
      currency: 'EUR',
      values: { audited: sumOf('audited'), transmitted: sumOf('other'), difference: sumOf('difference'), reads: 6 },
    },
  ])
  expect(totals?.[0]?.values).toMatchObject({ audited: 13 * 150, transmitted: 16 * 150, difference: -3 * 150 })
})

test('a day with a mismatch leads to the audit that shows it, also if a later audit of the day matches', async () => {
  const machine = await aMachineOfOld()
  await aRead(machine, { hours: -3, cash: 0 })
  const differing = await aRead(machine, { hours: -2, cash: 1 })
  await aRead(machine, { hours: -1, cash: 1 })
  expect(await dayOf(machine)).toMatchObject({ state: 'differs', reads: 3, auditId: differing })
  await sale(machine, -2.5)
  const last = await aRead(machine, { hours: 0, cash: 1 })
  expect(await dayOf(machine)).toMatchObject({ state: 'agrees', reads: 4, auditId: last })
})

test('the days of a hidden machine are shown on its own page only', async () => {
  const groupId = await aGroup(api.database, merchantId)
  const columns = { created_at: at(-100) }
  const visible = await aMachine(api.database, merchantId, { groupId, columns })
  const hidden = await aMachine(api.database, merchantId, { groupId, columns: { ...columns, hidden: true } })
  for (const machine of [visible, hidden]) await aRead(machine, { hours: 0, cash: 1 })
  expect(await dayOf(hidden)).toMatchObject({ posId: hidden.id, reads: 1 })
  const query = { startDate: yesterday, endDate: yesterday, groupIds: [groupId] }
  const of = (states?: string[]) =>
    api.as(person).listReconciledDays({ params: { merchantId }, query: { ...query, states } })
  expect(await of()).toMatchObject({ total: 1, items: [{ posId: visible.id }] })
  expect(await of(['unknown'])).toMatchObject({ total: 1, items: [{ posId: visible.id }] })
})

test('a period that is reversed or too long is refused, and so are machines of other merchants', async () => {
  const list = (query: { startDate: string; endDate: string }) =>
    api.as(person).listReconciledDays({ params: { merchantId }, query })
  await expect(list({ startDate: '2026-02-02', endDate: '2026-02-01' })).rejects.toMatchObject({
    code: 'PeriodReversed',
  })
  await expect(list({ startDate: '2026-01-01', endDate: '2026-02-01' })).rejects.toMatchObject({
    code: 'PeriodTooLong',
  })
  const { id } = await aMachine(api.database, (await aMerchant(api.database)).id)
  const query = { startDate: yesterday, endDate: yesterday, posIds: [id] }
  await expect(list(query)).rejects.toMatchObject({ code: 'MachineNotFound' })
})

test('the same audit is compared once, however often it is processed', async () => {
  const machine = await aMachineOfOld()
  const audit = await aRead(machine, { hours: 0, cash: 1 })
  await api.database.withTenant([{ merchantId, groups: 'all' }], (db) => writeIntervals(db, [audit, audit]))
  const rows = await api.database.admin('select 1 from audit_intervals where machine_id = $1', [machine.id])
  expect(rows).toHaveLength(1)
})
