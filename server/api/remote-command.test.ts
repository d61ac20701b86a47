import { afterAll, beforeAll, expect, test } from 'vitest'
import { maximumCommandMachines } from '#contract/remote-command.ts'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { aCommand } from '#testkit/machine-data.ts'

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

test('a command waits as scheduled, for a day unless told otherwise', async () => {
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

test('of several machines those that are free get the command, the others are named', async () => {
  const [free, busy] = [await aMachine(api.database, merchantId), await aMachine(api.database, merchantId)]
  await aCommand(api.database, busy, { type: 3 })
  const outcome = await admin.sendRemoteCommand({
    params: params(),
    body: { machines: { ids: [free.id, busy.id] }, order: { type: 3 } },
  })
  expect(outcome.sent.map((command) => command.posId)).toEqual([free.id])
  expect(outcome.refused).toEqual([{ posId: busy.id, posName: busy.name, code: 'RemoteCommandPending' }])
})

test('two orders at the same time give one command', async () => {
  const machine = await aMachine(api.database, merchantId)
  const send = () =>
    admin.sendRemoteCommand({ params: params(), body: { machines: { ids: [machine.id] }, order: { type: 4 } } })
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, send))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
})

test('credit must be above zero and whole, and a window must end after it begins', async () => {
  const machine = await aMachine(api.database, merchantId)
  const send = (order: object) =>
    admin.sendRemoteCommand({ params: params(), body: { machines: { ids: [machine.id] }, order: order as never } })
  const refused = { code: 'ValidationFailed' }
  for (const amount of [0, -1, 1.5, '100', 10_000_000_000]) {
    await expect(send({ type: 5, parameters: { amount } })).rejects.toMatchObject(refused)
  }
  await expect(send({ type: 5 })).rejects.toMatchObject(refused)
  await expect(send({ type: 18 })).rejects.toMatchObject(refused)
  const [later, soon] = [7200, 3600].map((seconds) => new Date(Date.now() + seconds * 1000).toISOString())
  await expect(send({ type: 1, notBefore: later, expiresAt: soon })).rejects.toMatchObject(refused)
})

test('a cancelled command is not executed; one that its machine has begun cannot be cancelled', async () => {
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

test('an order goes to all machines that match, but the excepted', async () => {
  const own = (await aMerchant(api.database)).id
  const sender = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: own, groups: 'all' }]))
  const at = { connection: 1 }
  const machines = [
    await aMachine(api.database, own, { columns: at }),
    await aMachine(api.database, own, { columns: at }),
    await aMachine(api.database, own, { columns: at }),
    await aMachine(api.database, own, { columns: { connection: 0 } }),
  ]
  const [first, busy] = machines as [(typeof machines)[0], (typeof machines)[0]]
  await aCommand(api.database, busy, { type: 4 })
  const send = (count: number) =>
    sender.sendRemoteCommand({
      params: { merchantId: own },
      body: { machines: { matching: { states: ['selling'] }, count, except: [first.id] }, order: { type: 4 } },
    })
  await expect(send(3)).rejects.toMatchObject({ status: 409, code: 'SelectionChanged', facts: { count: 2 } })
  const { sent, refused } = await send(2)
  expect(sent.map(({ posId }) => posId)).toEqual([machines[2]?.id])
  expect(refused).toMatchObject([{ posId: busy.id, code: 'RemoteCommandPending' }])
})

test('one order reaches two thousand machines, and not one more', async () => {
  const own = (await aMerchant(api.database)).id
  const sender = api.as(await aUser(api.database, 'merchantAdmin', [{ merchantId: own, groups: 'all' }]))
  const more = (count: number) =>
    api.database.admin(
      `insert into machines (merchant_id, id, serial, name, device_type, created_at)
       select $1, gen_random_uuid(), 'S' || n, 'M ' || gen_random_uuid(), 'AZVT', now() from generate_series(1, $2::int) n`,
      [own, count],
    )
  await more(maximumCommandMachines)
  const send = (count: number) =>
    sender.sendRemoteCommand({
      params: { merchantId: own },
      body: { machines: { matching: {}, count }, order: { type: 4 } },
    })
  const { sent } = await send(maximumCommandMachines)
  expect(new Set(sent.map(({ posId }) => posId)).size).toBe(maximumCommandMachines)
  await expect(send(maximumCommandMachines + 1)).rejects.toMatchObject({ code: 'ValidationFailed' })
})
