import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { startOfLocalDay } from '#domain/time/local-hour.ts'
import { addDays, dayIn, lastEndedDay } from '#domain/time/period.ts'
import { sumUpDays } from '#server/worker/sum-up-days.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aGroup, aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'

let api: TestApi
let admin: TestClient
let north: TestClient
let provider: TestClient
let merchantId: string
let otherId: string
let machines: TestMachine[]
let northId: string

const dayMs = 86_400_000
const ago = (days: number, time = '10:00') =>
  new Date(Date.parse(`${new Date().toISOString().slice(0, 10)}T${time}:00Z`) - days * dayMs)
const dayAgo = (days: number) => ago(days).toISOString().slice(0, 10)
/** Thirty ended days. */
const month = { startDate: dayAgo(31), endDate: dayAgo(2) }

/** In Rome, where a day may have 25 hours. */
const secondsOf = ({ startDate, endDate }: typeof month) =>
  (startOfLocalDay(addDays(endDate, 1), 'Europe/Rome') - startOfLocalDay(startDate, 'Europe/Rome')) / 1000

async function pieces(
  machine: TestMachine,
  at: Date,
  rows: [denomination: number, accepted: number, rejected: number][],
) {
  for (const row of rows)
    await api.database.admin(
      `insert into cash_hourly (merchant_id, hour, machine_id, denomination, accepted, rejected) values ($1, $2, $3, $4, $5, $6)`,
      [machine.merchantId, at, machine.id, ...row],
    )
}

async function fault(machine: TestMachine, days: number, category = 'fault') {
  await anAlarm(api.database, machine, {
    category,
    status: 'repaired',
    code: category === 'fault' ? 'EA' : 'EAD',
    created_at: ago(days),
    last_at: ago(days),
    repaired_at: ago(days, '12:00'),
  })
}

beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  otherId = (await aMerchant(api.database)).id
  northId = await aGroup(api.database, merchantId)
  machines = [
    await aMachine(api.database, merchantId, {
      groupId: northId,
      deviceType: 'CUNI',
      columns: { firmware_version: '4.1' },
    }),
    await aMachine(api.database, merchantId, { deviceType: 'CENG', columns: { firmware_version: '4.2' } }),
    await aMachine(api.database, merchantId, { deviceType: 'CENG' }),
  ]
  const foreign = await aMachine(api.database, otherId, {})
  await api.database.admin('update machines set created_at = $1 where merchant_id = any($2)', [
    ago(200),
    [merchantId, otherId],
  ])
  const [first, second, third] = machines as [TestMachine, TestMachine, TestMachine]
  await api.database.admin(
    `insert into machine_versions (merchant_id, machine_id, kind, peripheral, version, since, reported_at)
     values ($1, $2, 'peripheralFirmware', 'billValidator', 'NV9 4.27', now(), now())`,
    [merchantId, first.id],
  )
  await pieces(first, ago(5), [
    [100, 85, 15],
    [500, 80, 20],
  ])
  await pieces(second, ago(6), [[100, 79, 21]])
  await pieces(second, ago(40), [[100, 99, 1]])
  await pieces(foreign, ago(5), [[100, 10, 0]])
  for (const machine of [first, second, third, foreign])
    for (const days of [3, 3, 5, 40, 80]) await aSale(api.database, machine, { created_at: ago(days) })
  await aSale(api.database, first, { created_at: ago(5), error_sale: true })
  await fault(first, 5)
  await fault(first, 9)
  await fault(first, 9, 'jam')
  await fault(second, 4)
  await api.database.admin(
    'insert into absences (merchant_id, machine_id, began_at, ended_at) values ($1, $2, $3, $4)',
    [merchantId, third.id, ago(7), ago(7, '10:30')],
  )
  await sumUpDays(api.database, new Date())
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  north = api.as(await aUser(api.database, 'groupAdmin', [{ merchantId, groups: [northId] }]))
  provider = api.as(await aUser(api.database, 'superAdmin', []))
})
afterAll(() => api.close())

const of = (query: object = month, id = merchantId) => ({ params: { merchantId: id }, query })
const rate = ({ accepted, rejected }: { accepted: number; rejected: number }) => [accepted, rejected]

test('the parts of every breakdown and the machines add up to the whole, and each machine to its own KPIs', async () => {
  const [cash, down, mcbf, list] = await Promise.all([
    admin.getCashAcceptance(of()),
    admin.getFleetDowntime(of()),
    admin.getFleetMcbf(of()),
    admin.listPosKpis(of()),
  ])
  expect(cash).toMatchObject({ ...month, accepted: 244, rejected: 56, before: { accepted: 99, rejected: 1 } })
  expect(down).toMatchObject({ blockedSeconds: 3 * 7200, absentSeconds: 1800, seconds: 3 * secondsOf(month) })
  expect(mcbf).toMatchObject({ cycles: 9, faults: 3, blockingAlarms: 4, before: { cycles: 3, faults: 0 } })
  const sum = (rows: readonly object[], key: string) =>
    rows.reduce((all, row) => all + ((row as Record<string, number>)[key] ?? 0), 0)
  for (const [whole, keys] of [
    [cash, ['accepted', 'rejected']],
    [down, ['seconds', 'blockedSeconds', 'absentSeconds']],
    [mcbf, ['cycles', 'faults', 'blockingAlarms']],
  ] as const)
    for (const key of keys) {
      const { byDeviceType, byFirmware, series } = whole
      const parts = [
        byDeviceType,
        byFirmware,
        series,
        list.items,
        ...('byValidator' in whole ? [whole.byValidator, whole.byDenomination] : []),
      ]
      for (const part of parts) expect(sum(part, key), key).toBe((whole as unknown as Record<string, number>)[key])
    }
  for (const item of list.items) {
    const kpis = await admin.getMachineKpis({ params: { merchantId, posId: item.posId }, query: month })
    expect(item).toMatchObject({
      ...kpis.downtime,
      accepted: kpis.cashAcceptance.accepted,
      rejected: kpis.cashAcceptance.rejected,
    })
    expect(item).toMatchObject({
      cycles: kpis.mcbf.cycles,
      faults: kpis.mcbf.faults,
      blockingAlarms: kpis.mcbf.blockingAlarms,
    })
  }
})

test('rejections are shown by validator, denomination, model and firmware, the worst first', async () => {
  const cash = await admin.getCashAcceptance(of())
  expect(cash.byValidator).toMatchObject([
    { validator: 'bill', version: 'NV9 4.27', accepted: 80, rejected: 20 },
    { validator: 'coin', version: null, accepted: 164, rejected: 36, before: { accepted: 99, rejected: 1 } },
  ])
  expect(cash.byDenomination).toMatchObject([
    { denomination: 500, validator: 'bill', accepted: 80, rejected: 20 },
    { denomination: 100, validator: 'coin', accepted: 164, rejected: 36 },
  ])
  expect(cash.byDeviceType).toMatchObject([
    { deviceType: 'CENG', rejected: 21 },
    { deviceType: 'CUNI', rejected: 35 },
  ])
  expect(cash.byFirmware.map(({ firmwareVersion }) => firmwareVersion)).toEqual(['4.2', '4.1', null])
})

test('the totals of machines and merchants are the sums of their pieces, and any column sorts', async () => {
  const { totals } = await admin.listPosKpis(of({ ...month, size: 1 }))
  expect(totals).toEqual([
    { currency: null, values: { accepted: 244, rejected: 56, rejectionRate: expect.closeTo((100 * 56) / 300) } },
  ])
  expect((await admin.listMerchantKpis(of(month))).totals[0]?.values).toMatchObject({ accepted: 244, rejected: 56 })
  const [first, second, third] = machines.map(({ id }) => id)
  const idsBy = async (ord: string) => (await admin.listPosKpis(of({ ...month, ord }))).items.map(({ posId }) => posId)
  expect(await idsBy('accepted')).toEqual([first, second, third])
  for (const ord of ['serial', 'deviceType', 'firmware', 'merchant', 'blockingAlarms'])
    expect((await idsBy(ord)).toSorted()).toEqual([first, second, third].toSorted())
})

test('each part leads to its machines, whose figures add up to it', async () => {
  const listed = async (filter: object) => {
    const { items } = await admin.listPosKpis(of({ ...month, ...filter }))
    return items.map((item) => [item.posId, ...rate(item)])
  }
  const [first, second, third] = machines.map(({ id }) => id)
  expect(await listed({})).toEqual([
    [second, 79, 21],
    [first, 165, 35],
    [third, 0, 0],
  ])
  expect(await listed({ validators: ['bill:NV9 4.27'] })).toEqual([[first, 80, 20]])
  expect(await listed({ denominations: ['EUR:500'] })).toEqual(expect.arrayContaining([[first, 80, 20]]))
  expect(await listed({ firmwareVersions: ['-'] })).toEqual([[third, 0, 0]])
  expect(await listed({ deviceTypes: ['CUNI'] })).toEqual([[first, 165, 35]])
  expect(await listed({ bands: ['bad'] })).toEqual([[second, 79, 21]])
  expect(await listed({ bands: ['middling', 'none'] })).toEqual([
    [first, 165, 35],
    [third, 0, 0],
  ])
  const byMcbf = await listed({ ord: 'mcbf' })
  expect(byMcbf.map(([posId]) => posId)).toEqual([first, second, third])
})

test('rates of exactly 15 and 20 percent are fair', async () => {
  const machine = await aMachine(api.database, otherId, {})
  await api.database.admin('update machines set created_at = $1 where id = $2', [ago(200), machine.id])
  const bandsOf = async () => {
    const banded = []
    for (const band of ['good', 'middling', 'bad'])
      if ((await provider.listPosKpis(of({ ...month, bands: [band], deviceTypes: ['CHEX'] }, otherId))).total > 0)
        banded.push(band)
    return banded
  }
  await api.database.admin("update machines set device_type = 'CHEX' where id = $1", [machine.id])
  for (const [accepted, rejected, band] of [
    [8501, 1499, 'good'],
    [85, 15, 'middling'],
    [80, 20, 'middling'],
    [7999, 2001, 'bad'],
  ] as const) {
    await api.database.admin('delete from cash_hourly where machine_id = $1', [machine.id])
    await pieces(machine, ago(12), [[100, accepted, rejected]])
    await api.database.admin('insert into changed_days values ($1, $2, gen_random_uuid())', [otherId, dayAgo(12)])
    await sumUpDays(api.database, new Date())
    expect(await bandsOf()).toEqual([band])
  }
})

test('a user of one group sees the KPIs of its machines alone', async () => {
  const cash = await north.getCashAcceptance(of())
  expect(rate(cash)).toEqual([165, 35])
  expect(cash.byFirmware.map(({ firmwareVersion }) => firmwareVersion)).toEqual(['4.1'])
  expect(await north.getFleetMcbf(of())).toMatchObject({ cycles: 3, faults: 2 })
  const { items } = await north.listPosKpis(of())
  expect(items.map(({ posId }) => posId)).toEqual([machines[0]?.id])
  expect((await north.listMerchantKpis(of())).items.map(rate)).toEqual([[165, 35]])
  // The same machines are a filter for the admin.
  expect(rate(await admin.getCashAcceptance(of({ ...month, groupIds: [northId] })))).toEqual([165, 35])
})

test('the provider sees all merchants side by side, with the days before', async () => {
  const { items } = await provider.listMerchantKpis(of({ ...month, size: 500 }, allMerchants))
  const ownItem = items.find((item) => item.merchantId === merchantId)
  expect(ownItem).toMatchObject({
    accepted: 244,
    rejected: 56,
    faults: 3,
    before: { accepted: 99, rejected: 1, cycles: 3 },
  })
  const all = await provider.getCashAcceptance(of(month, allMerchants))
  expect(all.rejected).toBe(items.reduce((sum, { rejected }) => sum + rejected, 0))
  expect((await admin.listMerchantKpis(of(month, allMerchants))).items.map((item) => item.merchantId)).toEqual([
    merchantId,
  ])
})

test('the figures cover ended days only, thirty by default', async () => {
  const { startDate, endDate, series } = await admin.getCashAcceptance(of({}))
  expect(series).toHaveLength(30)
  expect([series[0]?.day, series.at(-1)?.day]).toEqual([startDate, endDate])
  expect(endDate < dayAgo(0)).toBe(true)
  const week = await admin.getCashAcceptance(of({ startDate: dayAgo(6), endDate: dayAgo(-1) }))
  expect(week.startDate).toBe(dayAgo(6))
  expect(week.endDate).toBe(endDate)
})

test('what a machine was on a day is kept when the day is summed up again', async () => {
  const [first] = machines as [TestMachine]
  await api.database.admin("update machines set firmware_version = '9.9' where id = $1", [first.id])
  await pieces(first, ago(5, '14:00'), [[200, 4, 1]])
  await api.database.admin('insert into changed_days values ($1, $2, gen_random_uuid())', [merchantId, dayAgo(5)])
  await sumUpDays(api.database, new Date())
  const { byFirmware, byDenomination } = await admin.getCashAcceptance(of())
  expect(byFirmware.find(({ firmwareVersion }) => firmwareVersion === '4.1')).toMatchObject({
    accepted: 169,
    rejected: 36,
  })
  expect(byFirmware.some(({ firmwareVersion, accepted }) => firmwareVersion === '9.9' && accepted > 0)).toBe(false)
  expect(byDenomination.find(({ denomination }) => denomination === 200)).toMatchObject({ accepted: 4, rejected: 1 })
})

test.each([
  [{ days: 1 }, 'rule.minimum'],
  [{ days: 366 }, 'rule.maximum'],
  [{ startDate: dayAgo(5), endDate: dayAgo(5) }, 'rule.interval'],
  [{ startDate: dayAgo(366), endDate: dayAgo(1) }, 'rule.interval'],
])('the interval %o is refused by its rule', async (query, rule) => {
  for (const call of [
    admin.getCashAcceptance,
    admin.getFleetDowntime,
    admin.getFleetMcbf,
    admin.listPosKpis,
    admin.listMerchantKpis,
  ])
    await expect(call(of(query) as never)).rejects.toMatchObject({ code: 'ValidationFailed', errors: [{ rule }] })
})

test('30 days of a machine are the same days and rates in its KPIs, its cash and the merchant’s KPIs', async () => {
  const merchantId = (await aMerchant(api.database)).id
  const machine = await aMachine(api.database, merchantId, { columns: { created_at: ago(60) } })
  const admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
  // Today's pieces and those of the 31st day count in none of them.
  await pieces(machine, new Date(), [[100, 0, 50]])
  await pieces(machine, ago(31), [[100, 0, 50]])
  await pieces(machine, ago(2), [[200, 30, 10]])
  await aSale(api.database, machine, { created_at: ago(40) })
  await sumUpDays(api.database, new Date())
  const params = { merchantId, posId: machine.id }
  const lastEnded = lastEndedDay(new Date(), 'Europe/Rome')
  const running = { startDate: addDays(lastEnded, -29), endDate: dayIn(new Date(), 'Europe/Rome') }
  for (const interval of [{}, { days: 30 }, running]) {
    const fleet = await admin.listPosKpis({ params: { merchantId }, query: { ...interval } })
    const kpis = await admin.getMachineKpis({ params, query: interval })
    const { acceptance } = await admin.getMachineCash({ params, query: interval === running ? running : {} })
    const sum = (key: 'accepted' | 'rejected') => acceptance.denominations.reduce((total, row) => total + row[key], 0)
    const cash = { accepted: sum('accepted'), rejected: sum('rejected') }
    expect(cash.rejected).toBeGreaterThan(0)
    expect(fleet.items.find(({ posId }) => posId === machine.id)).toMatchObject(cash)
    expect(kpis.cashAcceptance).toMatchObject(cash)
    expect(acceptance).toMatchObject({ startDate: addDays(lastEnded, -29), endDate: lastEnded })
    expect(kpis.series.map(({ day }) => day)).toEqual(expect.arrayContaining([acceptance.startDate, lastEnded]))
    expect(kpis.days).toBe(30)
  }
})
