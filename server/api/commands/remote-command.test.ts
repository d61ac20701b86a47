import { afterAll, beforeAll, expect, test } from 'vitest'
import { maximumCommandMachines } from '#contract/commands/remote-command.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aCommand } from '#testkit/machines/machine-data.ts'
import { aCashDatabase, aFirmware } from '#testkit/nouns/updates.ts'

let api: TestApi
let merchantId: string
let admin: TestClient
beforeAll(async () => {
  api = await openTestApi()
  merchantId = (await aMerchant(api.database)).id
  admin = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId, groups: 'all' }]))
})
afterAll(() => api.close())

const params = () => ({ merchantId })

test('a command stays scheduled for a day by default', async () => {
  const machine = await aMachine(api.database, merchantId)
  const { sent } = await admin.sendRemoteCommand({
    params: params(),
    body: { machines: { ids: [machine.id] }, order: { type: 1 } },
  })
  expect(sent).toMatchObject([{ posId: machine.id, type: 1, status: 0, result: null, createdBy: 'Test merchantAdmin' }])
  const { notBefore, expiresAt } = sent[0] ?? { notBefore: '', expiresAt: '' }
  expect(Date.parse(`${expiresAt}Z`) - Date.parse(`${notBefore}Z`)).toBe(24 * 3_600_000)
})

test('another pending command of the same type on the machine is a 409; another type is not', async () => {
  const machine = await aMachine(api.database, merchantId)
  const send = (type: 1 | 4) =>
    admin.sendRemoteCommand({ params: params(), body: { machines: { ids: [machine.id] }, order: { type } } })
  await send(1)
  await expect(send(1)).rejects.toMatchObject({ code: 'RemoteCommandPending', status: 409 })
  await send(4)
})

test('a batch is sent to free machines, and busy machines are listed', async () => {
  const free = await aMachine(api.database, merchantId)
  const busy = await aMachine(api.database, merchantId)
  await aCommand(api.database, busy, { type: 3 })
  const outcome = await admin.sendRemoteCommand({
    params: params(),
    body: { machines: { ids: [free.id, busy.id] }, order: { type: 3 } },
  })
  expect(outcome.sent.map((command) => command.posId)).toEqual([free.id])
  expect(outcome.refused).toEqual([{ posId: busy.id, posName: busy.name, code: 'RemoteCommandPending' }])
})

test('two simultaneous orders create one command', async () => {
  const machine = await aMachine(api.database, merchantId)
  const send = () =>
    admin.sendRemoteCommand({ params: params(), body: { machines: { ids: [machine.id] }, order: { type: 4 } } })
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, send))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
})

test('credit must be a whole number above zero, and a window must end after its start', async () => {
  const machine = await aMachine(api.database, merchantId)
  const send = (order: object) =>
    admin.sendRemoteCommand({ params: params(), body: { machines: { ids: [machine.id] }, order: order as never } })
  const refused = { code: 'ValidationFailed' }
  for (const amount of [0, -1, 1.5, '100', 10_000_000_000]) {
    await expect(send({ type: 5, parameters: { amount } })).rejects.toMatchObject(refused)
  }
  await expect(send({ type: 5 })).rejects.toMatchObject(refused)
  await expect(send({ type: 20 })).rejects.toMatchObject(refused)
  const [later, soon] = [7200, 3600].map((seconds) => new Date(Date.now() + seconds * 1000).toISOString())
  await expect(send({ type: 1, notBefore: later, expiresAt: soon })).rejects.toMatchObject(refused)
})

test('a cancelled command is not executed; an accepted command cannot be cancelled', async () => {
  const machine = await aMachine(api.database, merchantId)
  const waiting = await aCommand(api.database, machine, { type: 1 })
  const begun = await aCommand(api.database, machine, { type: 4, status: 1, started_at: new Date() })
  const cancelled = await admin.cancelRemoteCommand({ params: { merchantId, commandId: waiting } })
  expect(cancelled).toMatchObject({ status: 3, result: -3, cancelRequested: true })
  for (const commandId of [waiting, begun]) {
    const again = admin.cancelRemoteCommand({ params: { merchantId, commandId } })
    await expect(again).rejects.toMatchObject({ code: 'RemoteCommandNotCancellable' })
  }
})

test('a batch is sent to all machines that match, except the excluded', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const sender = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const at = { connection: 1 }
  const machines = [
    await aMachine(api.database, ownMerchantId, { columns: at }),
    await aMachine(api.database, ownMerchantId, { columns: at }),
    await aMachine(api.database, ownMerchantId, { columns: at }),
    await aMachine(api.database, ownMerchantId, { columns: { connection: 0 } }),
  ]
  const [first, busy] = machines as [(typeof machines)[0], (typeof machines)[0]]
  await aCommand(api.database, busy, { type: 4 })
  const send = (count: number) =>
    sender.sendRemoteCommand({
      params: { merchantId: ownMerchantId },
      body: { machines: { matching: { states: ['selling'] }, count, except: [first.id] }, order: { type: 4 } },
    })
  await expect(send(3)).rejects.toMatchObject({ status: 409, code: 'SelectionChanged', facts: { count: 2 } })
  const { sent, refused } = await send(2)
  expect(sent.map(({ posId }) => posId)).toEqual([machines[2]?.id])
  expect(refused).toMatchObject([{ posId: busy.id, code: 'RemoteCommandPending' }])
})

test('one order reaches two thousand machines, and not one more', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const sender = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const more = (count: number) =>
    api.database.admin(
      `insert into machines (merchant_id, id, serial, name, device_type, created_at)
       select $1, gen_random_uuid(), 'S' || n, 'M ' || gen_random_uuid(), 'AZVT', now() from generate_series(1, $2::int) n`,
      [ownMerchantId, count],
    )
  await more(maximumCommandMachines)
  const send = (count: number) =>
    sender.sendRemoteCommand({
      params: { merchantId: ownMerchantId },
      body: { machines: { matching: {}, count }, order: { type: 4 } },
    })
  const { sent } = await send(maximumCommandMachines)
  expect(new Set(sent.map(({ posId }) => posId)).size).toBe(maximumCommandMachines)
  await expect(send(maximumCommandMachines + 1)).rejects.toMatchObject({ code: 'ValidationFailed' })
})

test('a window in local time is a different instant at each machine, even on the day of a clock change', async () => {
  const rome = await aMerchant(api.database)
  const bogota = await aMerchant(api.database, { time_zone: 'America/Bogota', currency: 'COP' })
  const sender = api.as(
    await aUser(
      api.database,
      'merchantAdmin',
      [rome, bogota].map(({ id }) => ({ merchantId: id, groups: 'all' as const })),
    ),
  )
  const machines = [await aMachine(api.database, rome.id), await aMachine(api.database, bogota.id)]
  const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  const { sent } = await sender.sendRemoteCommand({
    params: { merchantId: allMerchants },
    body: {
      machines: { ids: machines.map(({ id }) => id) },
      order: { type: 4, localWindow: { day, from: '02:00', until: '05:00' } },
    },
  })
  const windows = new Map(sent.map(({ posId, notBefore, expiresAt }) => [posId, [notBefore, expiresAt]]))
  for (const machine of machines) {
    const zone = machine.merchantId === rome.id ? 'Europe/Rome' : 'America/Bogota'
    const [first] = await api.database.admin<{ from: Date; until: Date }>(
      `select ($1::date + time '02:00') at time zone $2 as "from", ($1::date + time '05:00') at time zone $2 as until`,
      [day, zone],
    )
    const [notBefore, expiresAt] = windows.get(machine.id) ?? []
    expect([new Date(`${notBefore}Z`), new Date(`${expiresAt}Z`)]).toEqual([first?.from, first?.until])
  }
})

test('a window that is over at one machine and ahead at another is refused at the first only', async () => {
  const kiritimati = await aMerchant(api.database, { time_zone: 'Pacific/Kiritimati' })
  const samoa = await aMerchant(api.database, { time_zone: 'Pacific/Pago_Pago' })
  const sender = api.as(
    await aUser(
      api.database,
      'merchantAdmin',
      [kiritimati, samoa].map(({ id }) => ({ merchantId: id, groups: 'all' as const })),
    ),
  )
  const early = await aMachine(api.database, kiritimati.id)
  const late = await aMachine(api.database, samoa.id)
  // The two clocks are 25 hours apart: an hour ago at one is a day ahead at the other.
  const ago = new Date(Date.now() + 14 * 3_600_000 - 3_600_000).toISOString()
  const [from, until] = [ago, new Date(Date.parse(ago) + 60_000).toISOString()].map((at) => at.slice(11, 16))
  const order = { type: 4 as const, localWindow: { day: ago.slice(0, 10), from: from ?? '', until: until ?? '' } }
  const send = (ids: string[]) =>
    sender.sendRemoteCommand({ params: { merchantId: allMerchants }, body: { machines: { ids }, order } })
  const { sent, refused } = await send([early.id, late.id])
  expect(sent.map(({ posId }) => posId)).toEqual([late.id])
  expect(refused).toEqual([{ posId: early.id, posName: early.name, code: 'CommandWindowPassed' }])
  await expect(send([early.id])).rejects.toMatchObject({
    status: 409,
    code: 'CommandWindowPassed',
    facts: { refused: [{ posId: early.id, code: 'CommandWindowPassed' }] },
  })
})

test('a window too far ahead is refused, and nothing is stored', async () => {
  const machine = await aMachine(api.database, merchantId)
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const order = { type: 4 as const, localWindow: { day, from: '02:00', until: '05:00' } }
  const send = admin.sendRemoteCommand({ params: params(), body: { machines: { ids: [machine.id] }, order } })
  await expect(send).rejects.toMatchObject({ code: 'ValidationFailed', status: 400 })
  expect(await api.database.admin('select 1 from remote_commands where machine_id = $1', [machine.id])).toEqual([])
})

test('each command is stored with its parameters; commands of a missing feature are refused machine by machine', async () => {
  const full = await aMerchant(api.database)
  const bare = await aMerchant(api.database, { features: [] })
  const sender = api.as(
    await aUser(
      api.database,
      'merchantAdmin',
      [full, bare].map(({ id }) => ({ merchantId: id, groups: 'all' as const })),
    ),
  )
  const able = await aMachine(api.database, full.id)
  const unable = await aMachine(api.database, bare.id)
  const refusedAs = async (order: object, parameters?: object) => {
    const { sent, refused } = await sender.sendRemoteCommand({
      params: { merchantId: allMerchants },
      body: {
        machines: { ids: [able.id, unable.id] },
        order: { ...order, ...(parameters && { parameters }) } as never,
      },
    })
    expect(sent.find(({ posId }) => posId === able.id)).toMatchObject(order)
    return refused.map(({ posId, code }) => [posId === unable.id, code])
  }
  const nobody: never[] = []
  expect(await refusedAs({ type: 2 })).toEqual(nobody)
  expect(await refusedAs({ type: 7, parameters: { amount: 100 } })).toEqual(nobody)
  expect(await refusedAs({ type: 8 })).toEqual(nobody)
  expect(await refusedAs({ type: 16 })).toEqual(nobody)
  const settings = { boiler: '92' }
  expect(await refusedAs({ type: 6, parameters: { settings } })).toEqual([[true, 'FeatureNotEnabled']])
  expect(await refusedAs({ type: 9 })).toEqual([[true, 'FeatureNotEnabled']])
  const prices = [{ selection: '12', price: 120 }]
  expect(await refusedAs({ type: 10, parameters: { prices } })).toEqual([[true, 'FeatureNotEnabled']])
  const firmwareId = await aFirmware(api.database, { deviceTypes: ['AZVT'], hasFile: true })
  const cashDatabaseId = await aCashDatabase(api.database, full.id, { deviceTypes: ['AZVT'] })
  expect(await refusedAs({ type: 11 }, { firmwareId })).toEqual([[true, 'FirmwareNotEnabledException']])
  expect(await refusedAs({ type: 13 }, { cashDatabaseId })).toEqual([[true, 'CashDatabaseNotEnabledException']])
  const { id: vpConfigurationId } = await sender.createVpConfiguration({
    params: { merchantId: full.id },
    body: { name: 'Summer', deviceType: 'AZVT' },
  })
  expect(await refusedAs({ type: 19 }, { vpConfigurationId })).toEqual([[true, 'SendVpConfigNotAllowed']])
})

test('an order of a visual-programmer configuration names one of the merchant, and it becomes the target', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const sender = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const fitting = await aMachine(api.database, ownMerchantId)
  const ofOtherType = await aMachine(api.database, ownMerchantId, { deviceType: 'CENG' })
  const { id, sha256 } = await sender.createVpConfiguration({
    params: { merchantId: ownMerchantId },
    body: { name: 'Summer', deviceType: 'AZVT' },
  })
  const send = (vpConfigurationId: string, by = sender) =>
    by.sendRemoteCommand({
      params: { merchantId: ownMerchantId },
      body: {
        machines: { ids: [fitting.id, ofOtherType.id] },
        order: { type: 19, parameters: { vpConfigurationId } },
      },
    })
  const { sent, refused } = await send(id)
  expect(sent).toMatchObject([{ posId: fitting.id, parameters: { name: 'Summer', sha256 } }])
  expect(refused).toMatchObject([{ posId: ofOtherType.id, code: 'SendVpConfigNotAllowed' }])
  const machine = await sender.getVpMachine({
    params: { merchantId: ownMerchantId, vpConfigurationId: id, posId: fitting.id },
  })
  expect(machine).toMatchObject({ sentVersion: 1, command: { id: sent[0]?.id } })
  const foreign = await admin.createVpConfiguration({ params: params(), body: { name: 'Theirs', deviceType: 'AZVT' } })
  await expect(send(foreign.id)).rejects.toMatchObject({ status: 404, code: 'VpConfigurationNotFound' })
})

test('only machines of merchants with recyclers can pay out cash', async () => {
  const merchants = [
    await aMerchant(api.database, { productFamilies: ['cashlogy'] }),
    await aMerchant(api.database, { productFamilies: ['gettone'] }),
  ]
  const whole = merchants.map(({ id }) => ({ merchantId: id, groups: 'all' as const }))
  const sender = api.as(await aUser(api.database, 'merchantAdmin', whole))
  const [able, unable] = await Promise.all(merchants.map(({ id }) => aMachine(api.database, id)))
  if (!able || !unable) throw new Error('There are two machines')
  const send = (path: string, ids: string[], order: object) =>
    sender.sendRemoteCommand({ params: { merchantId: path }, body: { machines: { ids }, order: order as never } })
  const refund = { type: 7, parameters: { amount: 100 } }
  const code = 'ProductFamilyNotEnabled'
  const { sent, refused } = await send(allMerchants, [able.id, unable.id], refund)
  expect(sent.map(({ posId }) => posId)).toEqual([able.id])
  expect(refused).toEqual([{ posId: unable.id, posName: unable.name, code }])
  await expect(send(unable.merchantId, [unable.id], refund)).rejects.toMatchObject({ status: 403, code })
  expect(await api.database.admin('select 1 from remote_commands where machine_id = $1', [unable.id])).toEqual([])
  expect((await send(unable.merchantId, [unable.id], { ...refund, type: 5 })).sent).toHaveLength(1)
  // A merchant without features has no family.
  await api.database.admin('delete from merchant_features where merchant_id = $1', [able.merchantId])
  await expect(send(able.merchantId, [able.id], refund)).rejects.toMatchObject({ code })
})

test('cash of a refund stays below the merchant’s maximum', async () => {
  const machine = await aMachine(api.database, merchantId)
  await api.database.admin('update merchant_settings set maximum_refund = 500 where merchant_id = $1', [merchantId])
  const send = (amount: number) =>
    admin.sendRemoteCommand({
      params: params(),
      body: { machines: { ids: [machine.id] }, order: { type: 7, parameters: { amount } } },
    })
  await expect(send(500)).rejects.toMatchObject({ code: 'CommandRefundTooLarge', status: 409 })
  expect((await send(499)).sent).toHaveLength(1)
})

test('money is sent to machines of a single currency only', async () => {
  const euro = await aMerchant(api.database)
  const peso = await aMerchant(api.database, { currency: 'COP', time_zone: 'America/Bogota' })
  const sender = api.as(
    await aUser(
      api.database,
      'merchantAdmin',
      [euro, peso].map(({ id }) => ({ merchantId: id, groups: 'all' as const })),
    ),
  )
  const ids = [(await aMachine(api.database, euro.id)).id, (await aMachine(api.database, peso.id)).id]
  const send = (order: object) =>
    sender.sendRemoteCommand({
      params: { merchantId: allMerchants },
      body: { machines: { ids }, order: order as never },
    })
  for (const order of [
    { type: 5, parameters: { amount: 100 } },
    { type: 7, parameters: { amount: 100 } },
    { type: 10, parameters: { prices: [{ selection: '1', price: 100 }] } },
  ])
    await expect(send(order)).rejects.toMatchObject({ code: 'CommandCurrenciesDiffer', status: 400 })
  expect((await send({ type: 4 })).sent).toHaveLength(2)
})

test('a message above the maximum size is refused before anything is stored', async () => {
  const machine = await aMachine(api.database, merchantId)
  const settings = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`s${index}`, 'x'.repeat(490)]))
  const order = { type: 6 as const, parameters: { settings } }
  const send = admin.sendRemoteCommand({ params: params(), body: { machines: { ids: [machine.id] }, order } })
  await expect(send).rejects.toMatchObject({ code: 'ValidationFailed', status: 400 })
  expect(await api.database.admin('select 1 from remote_commands where machine_id = $1', [machine.id])).toEqual([])
})

test('a command is shown with its machine, its sending and its batch', async () => {
  const lastSeen = new Date('2026-11-20T08:00:00Z')
  const away = await aMachine(api.database, merchantId, { columns: { connection: 0, last_seen_at: lastSeen } })
  const { orderId, sent } = await admin.sendRemoteCommand({
    params: params(),
    body: { machines: { ids: [away.id] }, order: { type: 1 } },
  })
  const common = { orderId, posConnection: 0, posLastSeenAt: '2026-11-20T08:00:00.000', sentAt: null, attempts: 0 }
  expect(sent).toMatchObject([common])
  const { items } = await admin.listRemoteCommands({ params: params(), query: { orderIds: [orderId] } })
  expect(items).toMatchObject([common])
})

test('commands can be filtered by machine, batch, type, status, result and date of order', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const reader = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }]))
  const first = await aMachine(api.database, ownMerchantId, { name: 'Beside the lift' })
  const other = await aMachine(api.database, ownMerchantId)
  const day = 86_400_000
  const hour = 3_600_000
  const ago = (ms: number) => new Date(Date.now() - ms)
  const lost = { status: 3, result: -2, created_at: ago(20 * day), expires_at: ago(19 * day) }
  const ids = {
    waiting: await aCommand(api.database, first, { type: 9 }),
    lost: await aCommand(api.database, first, { type: 4, ...lost }),
    done: await aCommand(api.database, other, {
      type: 4,
      status: 2,
      result: 0,
      started_at: ago(hour),
      executed_at: ago(hour),
    }),
  }
  const search = async (query: NonNullable<Parameters<typeof reader.listRemoteCommands>[0]['query']>) => {
    const { items, total } = await reader.listRemoteCommands({ params: { merchantId: ownMerchantId }, query })
    expect(total).toBe(items.length)
    return new Set(items.map(({ id }) => id))
  }
  const dayOf = (at: Date) => at.toISOString().slice(0, 10)
  expect(await search({})).toEqual(new Set(Object.values(ids)))
  expect(await search({ search: 'beside the l' })).toEqual(new Set([ids.waiting, ids.lost]))
  expect(await search({ types: [4] })).toEqual(new Set([ids.lost, ids.done]))
  expect(await search({ statuses: [3], types: [4, 9] })).toEqual(new Set([ids.lost]))
  expect(await search({ results: [-2] })).toEqual(new Set([ids.lost]))
  expect(await search({ results: [0] })).toEqual(new Set([ids.done]))
  expect(await search({ startDate: dayOf(ago(22 * day)), endDate: dayOf(ago(18 * day)) })).toEqual(new Set([ids.lost]))
  expect(await search({ posIds: [other.id] })).toEqual(new Set([ids.done]))
  const reversed = search({ startDate: '2026-11-21', endDate: '2026-11-20' })
  await expect(reversed).rejects.toMatchObject({ code: 'PeriodReversed' })
})

test('many commands are cancelled at once; started and ended commands do not change', async () => {
  const ownMerchantId = (await aMerchant(api.database)).id
  const person = await aUser(api.database, 'merchantAdmin', [{ merchantId: ownMerchantId, groups: 'all' }])
  const sender = api.as(person)
  const machines = await Promise.all(Array.from({ length: 4 }, () => aMachine(api.database, ownMerchantId)))
  const [one, two, begun, waiting] = machines as [TestMachine, TestMachine, TestMachine, TestMachine]
  const ids = [
    await aCommand(api.database, one, { type: 4 }),
    await aCommand(api.database, two, { type: 4, status: 1 }),
    await aCommand(api.database, begun, { type: 4, status: 1, started_at: new Date() }),
  ]
  const excepted = await aCommand(api.database, waiting, { type: 4 })
  const cancel = (count: number) =>
    sender.cancelRemoteCommands({
      params: { merchantId: ownMerchantId },
      body: { commands: { matching: { types: [4] }, count, except: [excepted] } },
    })
  await expect(cancel(2)).rejects.toMatchObject({ code: 'SelectionChanged', facts: { count: 3 } })
  expect(await cancel(3)).toEqual({ cancelled: 2, tooLate: 1 })
  const rows = await api.database.admin('select id, status, result from remote_commands where merchant_id = $1', [
    ownMerchantId,
  ])
  const states = new Map(rows.map(({ id, status, result }) => [id, `${status} ${result}`]))
  expect(ids.map((id) => states.get(id))).toEqual(['3 -3', '3 -3', '1 null'])
  expect(states.get(excepted)).toBe('0 null')
  const entries = await api.database.admin<{ n: number }>(
    `select count(*)::int as n from change_log where action = 'remoteCommand.cancel' and user_id = $1`,
    [person.id],
  )
  expect(entries).toEqual([{ n: 2 }])
  const foreign = await aCommand(api.database, await aMachine(api.database, merchantId), { type: 4 })
  const refused = sender.cancelRemoteCommands({
    params: { merchantId: ownMerchantId },
    body: { commands: { ids: [foreign] } },
  })
  await expect(refused).rejects.toMatchObject({ code: 'RemoteCommandNotFound' })
})

test('the status “received” requires a machine that has accepted the command and sent a result', async () => {
  const machine = await aMachine(api.database, merchantId)
  for (const status of [2, 4, 5])
    await expect(aCommand(api.database, machine, { status, result: 0 })).rejects.toMatchObject({ code: '23514' })
  await expect(aCommand(api.database, machine, { status: 3 })).rejects.toMatchObject({ code: '23514' })
  await expect(aCommand(api.database, machine, { status: 0, result: -2 })).rejects.toMatchObject({ code: '23514' })
})
