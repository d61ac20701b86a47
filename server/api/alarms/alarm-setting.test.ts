import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EditedAlarmSetting } from '#contract/alarms/alarm-setting.ts'
import { anyCode } from '#contract/vocabulary/alarm-code.ts'
import { applyRules } from '#database/alarms/alarm-rule.ts'
import type { Message } from '#server/mail/mail.ts'
import { mailAlarms } from '#server/worker/watch.ts'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { anAlarm } from '#testkit/machines/machine-data.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

/** Noon in Rome, a Friday. */
const noon = new Date('2026-11-20T11:00:00Z')
const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)
const hour = 60

async function aShop() {
  const { id: merchantId } = await aMerchant(api.database)
  const user = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  const admin = api.as(user)
  const machine = await aMachine(api.database, merchantId)
  const get = (code: string) => admin.getAlarmSetting({ params: { merchantId, code } })
  const bodyOf = async (code: string, change: Partial<EditedAlarmSetting>) => {
    const { version, ...held } = await get(code)
    const { source, category, ownCriticity, origin, changedAt, changedBy, code: _, ...setting } = held
    expect([source, category, ownCriticity, origin, changedAt, changedBy]).toBeDefined()
    return { ...setting, ...change, version }
  }
  const save = async (code: string, change: Partial<EditedAlarmSetting>) =>
    admin.updateAlarmSetting({ params: { merchantId, code }, body: await bodyOf(code, change) })
  const refusal = async (code: string, change: object) =>
    (
      await api.send(
        'updateAlarmSetting',
        { params: { merchantId, code }, body: { ...(await bodyOf(code, {})), ...change } },
        user,
      )
    ).json() as unknown
  /** A bill jam at noon, which blocks its machine. */
  const jam = (columns: Record<string, unknown> = {}) =>
    anAlarm(api.database, machine, {
      code: 'ENC',
      category: 'jam',
      created_at: noon,
      last_at: noon,
      notice_at: noon,
      ...columns,
    })
  const sent: Message[] = []
  const look = async (minutes: number) => {
    const mail = { send: async (message: Message) => void sent.push(message) }
    const config = { NO_DATA_MINUTES: 60, publicUrl: 'https://portal.example.com' }
    const live = { announce: () => {} }
    // The second check sends mails that waited to be combined.
    for (const at of [after(minutes), after(minutes + 2)])
      await mailAlarms({ doors: api.database, mail, live, config }, at)
  }
  const reader = await aUser(api.database, 'merchantUser', [{ merchantId, groups: 'all' }])
  await api.database.admin('update users set receive_notifications = true where id = $1', [reader.id])
  const to = (address: string) => sent.filter((message) => message.to === address).length
  return {
    merchantId,
    admin,
    user,
    machine,
    get,
    save,
    refusal,
    jam,
    look,
    sent,
    to,
    asker: reader.email,
    askerId: reader.id,
  }
}

/** Queries over all merchants' mail also find mail of other tests, so each merchant has its own addresses. */
const anAddress = () => `a${Math.random().toString(36).slice(2)}@example.com`

describe('effective settings', () => {
  test('are the product’s defaults, then the merchant’s default, then those of the code', async () => {
    const { merchantId, admin, get, save } = await aShop()
    expect(await get('ENC')).toMatchObject({ origin: 'product', mailFrom: 4, delayMinutes: 5, version: 0 })
    await save(anyCode, { delayMinutes: 30 })
    expect(await get('ENC')).toMatchObject({ origin: 'any', delayMinutes: 30, version: 0 })
    await save('ENC', { delayMinutes: 1 })
    expect(await get('ENC')).toMatchObject({
      origin: 'own',
      delayMinutes: 1,
      version: 1,
      changedBy: 'Test merchantAdmin',
    })
    expect(await get('EAD')).toMatchObject({ origin: 'any', delayMinutes: 30 })
    await admin.deleteAlarmSetting({ params: { merchantId, code: 'ENC' } })
    expect(await get('ENC')).toMatchObject({ origin: 'any', delayMinutes: 30, version: 0 })
    await admin.deleteAlarmSetting({ params: { merchantId, code: anyCode } })
    expect(await get('ENC')).toMatchObject({ origin: 'product', delayMinutes: 5 })
  })

  test('of a code apply to each of its selections', async () => {
    const { get, save } = await aShop()
    await save('EJA_12', { delayMinutes: 7 })
    expect(await get('EJA')).toMatchObject({ code: 'EJA', origin: 'own', delayMinutes: 7 })
  })

  test('are one list with the default first, searchable by name in any language', async () => {
    const { merchantId, admin, save } = await aShop()
    await save('ENC', { enabled: false })
    const list = (query: object) => admin.listAlarmSettings({ params: { merchantId }, query })
    const all = await list({ size: 500 })
    expect(all.items[0]).toMatchObject({ code: anyCode, source: null })
    expect(all.total).toBe(all.items.length)
    expect(all.items.length).toBeGreaterThan(100)
    expect((await list({ origins: ['own'] })).items.map(({ code }) => code)).toEqual(['ENC'])
    expect((await list({ enabled: false })).items.map(({ code }) => code)).toEqual(['ENC'])
    expect((await list({ search: 'banknote jam' })).items.map(({ code }) => code)).toContain('ENC')
    const { items } = await list({ criticities: [0], size: 500 })
    expect(new Set(items.map(({ ownCriticity }) => ownCriticity))).toEqual(new Set([0]))
    expect((await list({ page: 2 })).items).toEqual(all.items.slice(20, 40))
  })

  test('are logged with old and new values for each save', async () => {
    const { merchantId, save } = await aShop()
    await save('ENC', { delayMinutes: 9 })
    const log = await api.database.admin(
      'select action, subject_id, before, after from change_log where merchant_id = $1',
      [merchantId],
    )
    expect(log).toMatchObject([
      { action: 'alarmSetting.update', subject_id: 'ENC', before: { delayMinutes: 5 }, after: { delayMinutes: 9 } },
    ])
  })
})

describe('a mail', () => {
  test('is sent after the configured delay', async () => {
    const { save, jam, look, to, asker } = await aShop()
    await save('ENC', { delayMinutes: 60 })
    await jam()
    await look(30)
    expect(to(asker)).toBe(0)
    await look(61)
    expect(to(asker)).toBe(1)
  })

  test('is sent from the configured severity up, for open alarms too', async () => {
    const { save, jam, look, to, asker } = await aShop()
    await jam({ criticity: 2 })
    await look(10)
    expect(to(asker)).toBe(0)
    await save('ENC', { mailFrom: 2 })
    await api.database.admin('update alarms set notice_at = $1 where notice_at > $1', [after(11)])
    await look(12)
    expect(to(asker)).toBe(1)
    await save('ENC', { mailFrom: null })
  })

  test('is not sent without a minimum severity', async () => {
    const { save, jam, look, to, asker } = await aShop()
    await save('ENC', { mailFrom: null })
    await jam()
    await look(90)
    expect(to(asker)).toBe(0)
  })

  test('is sent to the listed addresses, and to users unless excluded', async () => {
    const { save, jam, look, to, asker } = await aShop()
    const address = anAddress()
    await save('ENC', { addresses: [address.toUpperCase()], toPeople: false })
    await jam()
    await look(10)
    expect([to(address), to(asker)]).toEqual([1, 0])
  })

  test('waits for the end of quiet hours on their days, unless blocking alarms may interrupt them', async () => {
    const quiet = { from: 11 * hour, to: 14 * hour, days: [5] }
    const patient = await aShop()
    const urgent = await aShop()
    const another = await aShop()
    await patient.save('ENC', { quietHours: quiet, blockingBreaksQuiet: false })
    await urgent.save('ENC', { quietHours: quiet, blockingBreaksQuiet: true })
    await another.save('ENC', { quietHours: { ...quiet, days: [6, 7] }, blockingBreaksQuiet: false })
    for (const shop of [patient, urgent, another]) await shop.jam()
    for (const shop of [patient, urgent, another]) await shop.look(30)
    const mailCounts = () =>
      [patient, urgent, another].map(
        (shop) => [...patient.sent, ...urgent.sent, ...another.sent].filter(({ to }) => to === shop.asker).length,
      )
    expect(mailCounts()).toEqual([0, 1, 1])
    await patient.look(121)
    expect(mailCounts()).toEqual([1, 1, 1])
  })

  test('is repeated at the configured interval, and never without one', async () => {
    const reminded = await aShop()
    const once = await aShop()
    await reminded.save('ENC', { reminderHours: 2 })
    await once.save('ENC', { reminderHours: null })
    for (const shop of [reminded, once]) await shop.jam()
    for (const minutes of [6, 3 * hour]) for (const shop of [reminded, once]) await shop.look(minutes)
    const all = [...reminded.sent, ...once.sent]
    expect(all.filter(({ to }) => to === reminded.asker)).toHaveLength(2)
    expect(all.filter(({ to }) => to === once.asker)).toHaveLength(1)
  })

  test('is escalated once, to the configured users and addresses', async () => {
    const { save, jam, look, to, merchantId } = await aShop()
    const chief = await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
    const address = anAddress()
    await save('ENC', { escalationHours: 4, escalationPeople: [chief.id], escalationAddresses: [address] })
    await jam()
    await look(3 * hour)
    expect([to(chief.email), to(address)]).toEqual([0, 0])
    await look(4 * hour + 1)
    await look(9 * hour)
    expect([to(chief.email), to(address)]).toEqual([1, 1])
  })
})

describe('an alarm', () => {
  const judge = ({ merchantId }: { merchantId: string }, machineId: string) =>
    api.database.withTenant(wholeMerchant(merchantId), (db) =>
      applyRules(db, [machineId], ['signalLow'], { at: noon, listeningSince: null, noDataMinutes: 60 }),
    )
  const weakIn = ({ merchantId }: { merchantId: string }) =>
    aMachine(api.database, merchantId, { columns: { network_type: '4G', signal_percent: 10 } })
  const alarmsOf = ({ merchantId }: { merchantId: string }) =>
    api.database.admin('select code, criticity, status from alarms where merchant_id = $1', [merchantId])

  test('is not raised when its code is switched off', async () => {
    const shop = await aShop()
    await shop.save('P:SIGNAL', { enabled: false })
    await judge(shop, (await weakIn(shop)).id)
    expect(await alarmsOf(shop)).toEqual([])
    await shop.save('P:SIGNAL', { enabled: true })
    await judge(shop, (await weakIn(shop)).id)
    expect(await alarmsOf(shop)).toMatchObject([{ code: 'P:SIGNAL', criticity: 0, status: 'notification' }])
  })

  test('has the configured severity', async () => {
    const shop = await aShop()
    await shop.save('P:SIGNAL', { criticity: 4 })
    await judge(shop, (await weakIn(shop)).id)
    expect(await alarmsOf(shop)).toMatchObject([{ code: 'P:SIGNAL', criticity: 4, status: 'active' }])
  })

  test('shows the cycles left until the configured service', async () => {
    const shop = await aShop()
    await shop.save('P:SIGNAL', { serviceCycles: 1000 })
    await judge(shop, (await weakIn(shop)).id)
    const rows = await api.database.admin('select remaining_cycles from alarms where merchant_id = $1', [
      shop.merchantId,
    ])
    expect(rows).toEqual([{ remaining_cycles: 1000 }])
  })
})

describe('bad input', () => {
  test.each([
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\nSubject: x',
    '"a" <a@example.com>',
    'a@example.com, b@example.com',
    'a@example.com\0',
    `${'a'.repeat(260)}@example.com`,
    'a',
  ])('an entry that is not one email address is refused: %j', async (address) => {
    const { refusal } = await aShop()
    for (const field of ['addresses', 'escalationAddresses'])
      expect(await refusal('ENC', { [field]: [address] })).toMatchObject({
        status: 400,
        errors: [{ path: `${field}.0` }],
      })
  })

  test.each([
    [{ delayMinutes: -1 }, 'delayMinutes'],
    [{ delayMinutes: 1441 }, 'delayMinutes'],
    [{ reminderHours: 0 }, 'reminderHours'],
    [{ escalationHours: 721, escalationAddresses: ['a@example.com'] }, 'escalationHours'],
    [{ escalationHours: 2 }, 'escalationAddresses'],
    [{ serviceCycles: 0 }, 'serviceCycles'],
    [{ serviceCycles: 1e12 }, 'serviceCycles'],
    [{ criticity: 3 }, 'criticity'],
    [{ quietHours: { from: 1440, to: 0, days: [1] } }, 'quietHours.from'],
    [{ quietHours: { from: 0, to: 1, days: [] } }, 'quietHours.days'],
    [{ quietHours: { from: 0, to: 1, days: [8] } }, 'quietHours.days.0'],
    [{ quietHours: { from: 0, to: 1, days: [1, 1] } }, 'quietHours.days'],
    [{ addresses: ['a@example.com', 'A@example.com'] }, 'addresses'],
    [{ addresses: Array.from({ length: 21 }, (_, at) => `a${at}@example.com`) }, 'addresses'],
  ])('%o is refused at %s', async (change, path) => {
    expect(await (await aShop()).refusal('ENC', change)).toMatchObject({ status: 400, errors: [{ path }] })
  })

  test('users of other merchants cannot be recipients of an escalation', async () => {
    const one = await aShop()
    const other = await aShop()
    const change = { escalationHours: 1, escalationPeople: [other.askerId] }
    expect(await one.refusal('ENC', change)).toMatchObject({ status: 400, errors: [{ path: 'escalationPeople' }] })
    const recipients = await one.admin.listAlarmRecipients({ params: { merchantId: one.merchantId } })
    expect(recipients.map(({ id }) => id)).not.toContain(other.askerId)
    expect(recipients).toContainEqual({ id: one.askerId, name: 'Test merchantUser', email: one.asker, isAsking: true })
  })

  test('the merchant’s default cannot switch everything off', async () => {
    const { refusal } = await aShop()
    expect(await refusal(anyCode, { enabled: false })).toMatchObject({ status: 400, errors: [{ path: 'enabled' }] })
    expect(await refusal(anyCode, { criticity: 4 })).toMatchObject({ status: 400, errors: [{ path: 'criticity' }] })
  })

  test('of two simultaneous saves the later gets a conflict with the current values', async () => {
    const { merchantId, admin, save } = await aShop()
    const first = await save('ENC', { delayMinutes: 1 })
    const { source, category, ownCriticity, origin, changedAt, changedBy, code, version, ...setting } = first
    expect([source, category, ownCriticity, origin, changedAt, changedBy, code, version]).toHaveLength(8)
    const late = admin.updateAlarmSetting({ params: { merchantId, code: 'ENC' }, body: { ...setting, version: 0 } })
    await expect(late).rejects.toMatchObject({
      code: 'EditConflict',
      facts: { current: { delayMinutes: 1, version: 1 }, changedBy: 'Test merchantAdmin' },
    })
  })

  test.each([{ code: 'EAD' }, { merchantId: 'x' }, { origin: 'own' }])(
    'an unknown field is refused: %o',
    async (field) => {
      expect(await (await aShop()).refusal('ENC', field)).toMatchObject({ status: 400, code: 'ValidationFailed' })
    },
  )
})
