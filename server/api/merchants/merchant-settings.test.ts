import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EditedSettings } from '#contract/merchants/merchant-settings.ts'
import { settingBounds } from '#contract/merchants/merchant-settings.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { rechargeLimits } from '#contract/vocabulary/world/money-limits.ts'
import { applyRules } from '#database/alarms/alarm-rule.ts'
import { scheduleAudits } from '#database/audits/audit-schedule.ts'
import { createPins, randomPin } from '#server/gateway/pins.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser, testPin } from '#testkit/fixtures.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

async function aShop() {
  const { id: merchantId } = await aMerchant(api.database)
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const admin = api.as(user)
  const params = { merchantId }
  const now = await admin.getMerchantSettings({ params })
  const { version: _, ...settings } = now
  const save = (change: Partial<EditedSettings>, version = 1) =>
    admin.updateMerchantSettings({ params, body: { ...settings, pin: now.pin ?? testPin, ...change, version } })
  const refusal = async (change: object, version = 1) =>
    (
      await api.send('updateMerchantSettings', { params, body: { ...settings, version, ...change } }, user)
    ).json() as unknown
  return { merchantId, admin, user, params, save, refusal }
}

/** Eight digits that no other test uses. */
const aPin = randomPin

test('the settings and defaults match the specification', async () => {
  const { admin, params } = await aShop()
  expect(await admin.getMerchantSettings({ params })).toMatchObject({
    pin: testPin,
    peripheralEventsMinutes: 60,
    minimumSignalPercent: 45,
    cloudCreditUnlockHours: 24,
    largestRecharge: null,
    largestBalance: null,
    largestDailyRecharge: null,
    largestDailyRechargeOfMachine: null,
    pricesSync: 'immediate',
    priceBandPercent: 30,
    version: 1,
  })
})

test('every field is stored, returned and logged, without the PIN', async () => {
  const { merchantId, admin, params, save } = await aShop()
  const edits: EditedSettings = {
    pin: aPin(),
    maximumRefund: 2500,
    peripheralEventsMinutes: 30,
    scheduledAuditMinutes: 720,
    minimumSignalPercent: 20,
    auditExceededHours: 72,
    cloudCreditUnlockHours: 12,
    largestRecharge: 20_000,
    largestBalance: 40_000,
    largestDailyRecharge: 50_000,
    largestDailyRechargeOfMachine: null,
    pricesSync: 'afterAudit',
    priceBandPercent: 25,
    noDataMinutes: 90,
    cashBoxFullPercent: 80,
    collectionTolerance: 250,
    countsBlind: true,
    visitCost: 1250,
    clockDriftMinutes: 10,
    lowStockSelections: 5,
    temperatureMinimum: -2.5,
    temperatureMaximum: 8,
  }
  expect(await save(edits)).toEqual({ ...edits, version: 2 })
  expect(await admin.getMerchantSettings({ params })).toEqual({ ...edits, version: 2 })
  const [entry] = await api.database.admin<{ before: object; after: object }>(
    `select action, before, after from change_log where merchant_id = $1`,
    [merchantId],
  )
  expect(entry).toMatchObject({
    action: 'merchantSettings.update',
    before: { minimumSignalPercent: 45 },
    after: { minimumSignalPercent: 20, isPinChanged: true },
  })
  for (const secret of [edits.pin, testPin]) expect(JSON.stringify(entry)).not.toContain(secret)
})

describe('the PIN', () => {
  const refused = { status: 400, code: 'ValidationFailed', errors: [{ path: 'pin', rule: 'rule.pin' }] }
  test.each(['1234567', '123456789', 'abcdefgh', '1234 678', '１２３４５６７８'])('%s is invalid', async (pin) => {
    expect(await (await aShop()).refusal({ pin })).toMatchObject(refused)
  })

  test('of another merchant is refused without naming that merchant', async () => {
    const one = await aShop()
    const other = await aShop()
    const pin = aPin()
    await one.save({ pin })
    const answer = await other.refusal({ pin, minimumSignalPercent: 1 })
    expect(answer).toMatchObject({ status: 409, code: 'PinNotAvailable' })
    expect(JSON.stringify(answer)).not.toContain(one.merchantId)
    // Nothing of the save is stored.
    const now = await other.admin.getMerchantSettings({ params: other.params })
    expect(now).toMatchObject({ pin: testPin, minimumSignalPercent: 45, version: 1 })
  })

  test('that is taken or too simple gets the same response', async () => {
    const one = await aShop()
    const other = await aShop()
    const pin = aPin()
    await one.save({ pin })
    const refusal = await other.refusal({ pin })
    expect(refusal).toMatchObject({ status: 409, code: 'PinNotAvailable' })
    expect(await other.refusal({ pin: '12121212' })).toEqual({ ...(refusal as object), requestId: expect.any(String) })
  })

  test('is rate-limited when typed, taken or free: five in an hour', async () => {
    const one = await aShop()
    const shop = await aShop()
    const usedPin = aPin()
    await one.save({ pin: usedPin })
    const outcomes: string[] = []
    let version = 1
    for (const pin of [usedPin, ...Array.from({ length: 5 }, aPin)]) {
      const answer = (await shop.refusal({ pin }, version)) as { code?: string; version?: number }
      outcomes.push(answer.code ?? 'saved')
      version = answer.version ?? version
    }
    expect(outcomes).toEqual(['PinNotAvailable', 'saved', 'saved', 'saved', 'saved', 'TooManyRequests'])
    // Generated PINs are not limited, and the other settings are saved.
    const made = await shop.admin.regeneratePin({ params: shop.params, body: { version } })
    expect(made.pin).toMatch(/^\d{8}$/)
    const saved = await shop.save({ pin: made.pin as string, minimumSignalPercent: 12 }, made.version)
    expect(saved).toMatchObject({ pin: made.pin, minimumSignalPercent: 12 })
  })

  test('is rate-limited per user over all their merchants', async () => {
    const shops = [await aShop(), await aShop()]
    const user = await aUser(
      api.database,
      'merchantAdmin',
      shops.map(({ merchantId }) => ({ merchantId, groups: 'all' as const })),
    )
    const { pin: _, version: __, ...settings } = await shops[0]!.admin.getMerchantSettings({ params: shops[0]!.params })
    const type = async (shop: number, version: number) => {
      const body = { ...settings, pin: aPin(), version }
      return (await api.send('updateMerchantSettings', { params: shops[shop]!.params, body }, user)).statusCode
    }
    const answers = [
      await type(0, 1),
      await type(0, 2),
      await type(0, 3),
      await type(1, 1),
      await type(1, 2),
      await type(1, 3),
    ]
    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('stays when the field is missing', async () => {
    const { admin, params } = await aShop()
    const { pin: _, ...body } = await admin.getMerchantSettings({ params })
    expect(await admin.updateMerchantSettings({ params, body })).toMatchObject({ pin: testPin })
  })

  test('is replaced: machines join with the new PIN only', async () => {
    const { merchantId, save } = await aShop()
    const first = aPin()
    const second = aPin()
    await save({ pin: first })
    await save({ pin: second }, 2)
    const pins = createPins(api.config.secretKey)
    const owners = await api.database.admin<{ digest: string }>(
      'select digest from association_pins where merchant_id = $1',
      [merchantId],
    )
    expect(owners).toEqual([{ digest: pins.digestOf(second) }])
  })

  test('is random when generated, and unique for two simultaneous requests', async () => {
    const { merchantId, admin, params } = await aShop()
    const after = await admin.regeneratePin({ params, body: { version: 1 } })
    expect(after.pin).toMatch(/^\d{8}$/)
    expect(after.pin).not.toBe(testPin)
    await expect(admin.regeneratePin({ params, body: { version: 1 } })).rejects.toMatchObject({ code: 'EditConflict' })
    const log = JSON.stringify(
      await api.database.admin('select before, after from change_log where merchant_id = $1', [merchantId]),
    )
    expect(log).toContain('isPinChanged')
    expect(log).not.toContain(after.pin)
  })
})

describe('bad input', () => {
  const isNullable = (name: string) => ['noDataMinutes', 'visitCost', ...rechargeLimits].includes(name)
  const bounds = Object.entries(settingBounds).filter(([name]) => name !== 'temperature')
  test.each(bounds)('%s stays between its bounds', async (name, [least, most]) => {
    const { refusal } = await aShop()
    for (const value of [least - 1, most + 1, 1.5, '1', Number.MAX_SAFE_INTEGER, null].filter(
      (each) => !(each === null && isNullable(name)),
    ))
      expect(await refusal({ [name]: value })).toMatchObject({ status: 400, errors: [{ path: name }] })
  })

  test('temperatures are in order and within the possible range', async () => {
    const { refusal } = await aShop()
    expect(await refusal({ temperatureMinimum: 8, temperatureMaximum: 4 })).toMatchObject({
      errors: [{ path: 'temperatureMinimum', rule: 'rule.smallerThan' }],
    })
    expect(await refusal({ temperatureMaximum: 1000 })).toMatchObject({ errors: [{ path: 'temperatureMaximum' }] })
  })

  test.each([{ merchantId: allMerchants }, { pinSealed: 'x' }, { role: 'superAdmin' }, { apiToken: 'gtt_x' }])(
    'an unknown field is refused: %o',
    async (field) => {
      expect(await (await aShop()).refusal(field)).toMatchObject({ status: 400, code: 'ValidationFailed' })
    },
  )

  test('of two simultaneous saves the later gets the current settings and their editor', async () => {
    const { save } = await aShop()
    await save({ minimumSignalPercent: 30 })
    await expect(save({ minimumSignalPercent: 50 })).rejects.toMatchObject({
      code: 'EditConflict',
      facts: { current: { minimumSignalPercent: 30, version: 2 }, changedBy: 'Test merchantAdmin' },
    })
    expect(await save({ minimumSignalPercent: 50 }, 2)).toMatchObject({ minimumSignalPercent: 50, version: 3 })
  })

  test('do not exist for all merchants', async () => {
    const { admin } = await aShop()
    await expect(admin.getMerchantSettings({ params: { merchantId: allMerchants } })).rejects.toMatchObject({
      code: 'MerchantNotFoundException',
    })
  })
})

describe('effects of a change through the API', () => {
  const noon = new Date('2026-07-10T10:30:00Z')
  const alarmsOf = async (merchantId: string) =>
    (
      await api.database.admin<{ code: string }>(
        `select code from alarms where merchant_id = $1 and status <> 'repaired' order by code`,
        [merchantId],
      )
    ).map(({ code }) => code)
  const look = { at: noon, listeningSince: null, noDataMinutes: 60 }
  const judge = (merchantId: string, machineId: string) =>
    api.database.withTenant(wholeMerchant(merchantId), (db) =>
      applyRules(
        db,
        [machineId],
        ['signalLow', 'cashBoxFull', 'clockWrong', 'temperatureHigh', 'temperatureLow'],
        look,
      ),
    )

  test.each([
    [{ signal_percent: 30 }, 'P:SIGNAL', { minimumSignalPercent: 20 }],
    [{ clock_drift_seconds: 600 }, 'P:CLOCK', { clockDriftMinutes: 20 }],
  ] as const)('%o makes %s until %o', async (columns, code, change) => {
    const { merchantId, save } = await aShop()
    const machine = await aMachine(api.database, merchantId, { columns: { network_type: '4G', ...columns } })
    await judge(merchantId, machine.id)
    expect(await alarmsOf(merchantId)).toEqual([code])
    await save(change)
    await judge(merchantId, machine.id)
    expect(await alarmsOf(merchantId)).toEqual([])
  })

  test.each([
    [{ temperatureMaximum: 8 }, 'P:HOT', { temperature_celsius: 9 }],
    [{ temperatureMinimum: 2 }, 'P:COLD', { temperature_celsius: 1 }],
    [{ cashBoxFullPercent: 80 }, 'P:CASHBOX', { cash_in_box: 85, cash_box_capacity: 100 }],
  ] as const)('without a limit there is no alarm; with %o there is %s', async (change, code, columns) => {
    const { merchantId, save } = await aShop()
    const machine = await aMachine(api.database, merchantId, { columns })
    await judge(merchantId, machine.id)
    expect(await alarmsOf(merchantId)).toEqual([])
    await save(change)
    await judge(merchantId, machine.id)
    expect(await alarmsOf(merchantId)).toEqual([code])
  })

  test('silence and audits are overdue after the merchant’s own limits', async () => {
    const { merchantId, save } = await aShop()
    const hoursAgo = (hours: number) => new Date(noon.getTime() - hours * 3_600_000)
    const machine = await aMachine(api.database, merchantId, {
      columns: { created_at: hoursAgo(100), last_seen_at: hoursAgo(2), last_audit_at: hoursAgo(50) },
    })
    const overdue = () =>
      api.database.withTenant(wholeMerchant(merchantId), (db) =>
        applyRules(db, [machine.id], ['noData', 'auditOverdue'], { ...look, listeningSince: hoursAgo(90) }),
      )
    await save({ noDataMinutes: 600, auditExceededHours: 100 })
    await overdue()
    expect(await alarmsOf(merchantId)).toEqual([])
    await save({ noDataMinutes: 60, auditExceededHours: 48 }, 2)
    await overdue()
    expect(await alarmsOf(merchantId)).toEqual(['P:AUDIT', 'P:NODATA'])
  })

  test('audits are requested at the configured frequency, and never without one', async () => {
    const { merchantId, save } = await aShop()
    const machine = await aMachine(api.database, merchantId, {
      columns: { connection: 1, last_audit_at: new Date(noon.getTime() - 3 * 3_600_000) },
    })
    const isAuditScheduled = async () =>
      (await scheduleAudits(api.database, noon)).some((one) => one.machineId === machine.id)
    await save({ scheduledAuditMinutes: 0 })
    expect(await isAuditScheduled()).toBe(false)
    // The interval of a day started at midnight, and it has a reading.
    await save({ scheduledAuditMinutes: 1440 }, 2)
    expect(await isAuditScheduled()).toBe(false)
    // The interval of fifteen minutes started at half past twelve; every machine's turn is in its first three minutes.
    await save({ scheduledAuditMinutes: 15 }, 3)
    const later = new Date(noon.getTime() + 4 * 60_000)
    expect((await scheduleAudits(api.database, later)).map((one) => one.machineId)).toContain(machine.id)
  })

  test('a refund stays below the maximum', async () => {
    const { merchantId, admin, params, save } = await aShop()
    const machine = await aMachine(api.database, merchantId)
    const refund = () =>
      admin.sendRemoteCommand({
        params,
        body: { machines: { ids: [machine.id] }, order: { type: 7, parameters: { amount: 500 } } },
      })
    await save({ maximumRefund: 500 })
    await expect(refund()).rejects.toMatchObject({ code: 'CommandRefundTooLarge' })
    await save({ maximumRefund: 501 }, 2)
    expect((await refund()).sent).toHaveLength(1)
  })
})
