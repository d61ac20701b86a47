import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { features } from '#contract/vocabulary/feature.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { applyRules } from '#database/alarms/alarm-rule.ts'
import { alarmSettings } from '#database/alarms/alarm-setting.ts'
import { raiseOverdue } from '#database/machines/silence.ts'
import { sources } from '#server/api/export-sources.ts'
import { runExport } from '#server/export/run.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm, aSale, aStock } from '#testkit/machines/machine-data.ts'
import { narrowHint } from '../api/platform/live.ts'

/* Data hidden from merchants without a feature, beyond the answer fields that features.test.ts covers. */

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

async function aShop(with_: object = {}) {
  const { id: merchantId } = await aMerchant(api.database, with_)
  const machine = await aMachine(api.database, merchantId, { columns: { connection: 1, last_seen_at: new Date() } })
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const turnOff = () =>
    api.database.admin(`update merchant_features set features = '{}' where merchant_id = $1`, [merchantId])
  return { merchantId, machine, user, admin: api.as(user), params: { merchantId }, turnOff }
}
const now = new Date()
const dayAt = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
/** Where the machine is, it may be tomorrow already. */
const today = { startDate: dayAt(-1), endDate: dayAt(1) }

test('a search does not match columns that the list hides', async () => {
  const { admin, params, machine, turnOff } = await aShop()
  await aSale(api.database, machine, { product: 'Macchiato', media_serial: 'CARD7788' })
  const totalOf = async (search: string) =>
    (await admin.listTransactions({ params, query: { ...today, search } })).total
  expect([await totalOf('Macchiato'), await totalOf('CARD7788'), await totalOf(machine.serial)]).toEqual([1, 1, 1])
  await turnOff()
  expect([await totalOf('Macchiato'), await totalOf('CARD7788'), await totalOf(machine.serial)]).toEqual([0, 0, 1])
})

test('the change log leaves out fields of features', async () => {
  const { admin, params, turnOff, machine } = await aShop()
  const settings = await admin.getMerchantSettings({ params })
  const body = { ...settings, pin: settings.pin ?? '', minimumSignalPercent: 12, auditExceededHours: 77 }
  await admin.updateMerchantSettings({ params, body })
  const alarmId = await anAlarm(api.database, machine, { mcbf: 4321 })
  await admin.repairAlarm({ params: { ...params, posId: machine.id, alarmId }, body: {} })
  const changeLog = async () => JSON.stringify((await admin.listChangeLog({ params })).items)
  for (const word of ['"minimumSignalPercent":12', '"mcbf":4321']) expect(await changeLog()).toContain(word)
  await turnOff()
  expect(await changeLog()).toContain('"auditExceededHours":77')
  expect(await changeLog()).not.toMatch(/minimumSignalPercent|mcbf|4321/)
})

test('without their features, weak signal and low stock raise no alarm, open alarms end, and past alarms are hidden', async () => {
  const { admin, params, machine, merchantId, turnOff } = await aShop()
  await api.database.admin('update machines set signal_percent = 3 where id = $1', [machine.id])
  await aStock(api.database, machine, { selection: '1', level: 0 })
  const look = { at: now, listeningSince: null, noDataMinutes: 60 }
  await api.database.withTenant(wholeMerchant(merchantId), (db) =>
    applyRules(db, [machine.id], ['signalLow', 'stockLow'], look),
  )
  const at = { ...params, posId: machine.id }
  const codes = async () => (await admin.listAlarms({ params })).items.map(({ code }) => code).sort()
  const story = async () => (await admin.getTimeline({ params: at })).filter(({ kind }) => kind === 'alarm').length
  expect([await codes(), await story()]).toEqual([['P:SIGNAL', 'P:STOCK'], 2])
  await turnOff()
  await raiseOverdue(api.database, look)
  expect([await codes(), await story()]).toEqual([[], 0])
  expect(await admin.getMachine({ params: at })).toMatchObject({ state: 'selling', posStatus: 1, openAlarms: 0 })
  const { items } = await admin.listAlarmSettings({ params, query: { search: 'P:S', size: 100 } })
  expect(items.map(({ code }) => code)).toEqual([])
})

test('only merchants with the feature get hints of stock and configurations', async () => {
  const { merchantId, turnOff } = await aShop()
  const scope = wholeMerchant(merchantId)
  const topicsOf = async (...topics: ('stock' | 'configuration' | 'alarm')[]) =>
    (await narrowHint(api.database, scope, { merchantId, topics, posIds: [] }))?.topics
  expect(await topicsOf('stock', 'configuration', 'alarm')).toEqual(['stock', 'configuration', 'alarm'])
  await turnOff()
  expect(await topicsOf('stock', 'configuration', 'alarm')).toEqual(['alarm'])
  expect(await topicsOf('stock')).toBeUndefined()
})

test('the dashboard of all merchants counts sold-out machines only for merchants with product stock', async () => {
  const shops = [await aShop(), await aShop({ features: [] })]
  for (const { machine } of shops) await aStock(api.database, machine, { selection: '1', level: 0 })
  const scope = shops.map(({ merchantId }) => ({ merchantId, groups: 'all' as const }))
  const both = api.as(await aUser(api.database, 'merchantAdmin', scope))
  expect(await both.getDashboard({ params: { merchantId: allMerchants } })).toMatchObject({ soldOut: 1 })
})

test('an export with a column of a feature that was switched off meanwhile fails with the reason', async () => {
  const { admin, params, turnOff } = await aShop()
  const order = { list: 'machines', format: 'csv', language: 'en', columns: ['name', 'signalPercent'], filter: {} }
  const ordered = async () => (await admin.createExport({ params, body: order as never })).id
  const run = (id: string) =>
    runExport({ sources, doors: api.database, blobs: api.blobs, log: pino({ level: 'silent' }), hours: 1 }, id, {
      isLastTry: true,
    })
  const before = await ordered()
  const after = await ordered()
  await run(before)
  await turnOff()
  await run(after)
  const job = (exportId: string) => admin.getExport({ params: { ...params, exportId } })
  expect(await job(before)).toMatchObject({ status: 'done' })
  expect(await job(after)).toMatchObject({ status: 'failed', failure: 'FeatureNotEnabled' })
})

test('without advanced alarms nothing is escalated and no guide is shown; the settings stay stored', async () => {
  const { admin, params, merchantId, turnOff } = await aShop()
  const call = { params: { ...params, code: 'ENE' } }
  const { version, ...rest } = await admin.getAlarmSetting(call)
  const {
    code: _,
    source: _s,
    category: _c,
    ownCriticity: _o,
    origin: _r,
    changedAt: _a,
    changedBy: _b,
    ...fields
  } = rest
  const escalation = { escalationHours: 2, escalationAddresses: ['boss@example.com'] }
  await admin.updateAlarmSetting({ ...call, body: { ...fields, ...escalation, version } })
  const effective = async () =>
    (await api.database.withTenant(wholeMerchant(merchantId), alarmSettings)).get(merchantId)?.get('ENE')
  expect(await effective()).toMatchObject(escalation)
  await turnOff()
  expect(await effective()).toMatchObject({ escalationHours: null, escalationAddresses: [] })
  const guide = { params: { code: 'ENE' }, query: { language: 'en' } } as const
  await expect(admin.getRepairGuide(guide)).rejects.toMatchObject({ code: 'FeatureNotEnabled' })
  await api.database.admin('update merchant_features set features = $2 where merchant_id = $1', [merchantId, features])
  expect(await admin.getAlarmSetting(call)).toMatchObject(escalation)
})
