import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UpKind } from '#contract/device-protocol.ts'
import { raiseOverdue } from '#database/machines/silence.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

let database: TestDatabase
let server: TestGateway
beforeAll(async () => {
  database = await openTestDatabase()
  server = await openGateway(database)
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

/** The local time of a machine in Rome, a number of seconds ahead. */
const clock = (ahead = 0) =>
  new Date(Date.now() + ahead * 1000).toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).replace(' ', 'T')

const aFleet = async (columns: Record<string, unknown> = {}) => {
  const { id } = await aMerchant(database)
  return aMachine(database, id, { columns: { last_audit_at: new Date(), ...columns } })
}

let seq = 0
async function send(machine: TestMachine, kind: UpKind, payload: object): Promise<void> {
  const answer = await fetch(`${server.httpUrl}/device/v1/${machine.serial}/${kind}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ id: randomUUID(), ...payload }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}
const state = (machine: TestMachine, facts: object) => send(machine, 'state', { online: true, ...facts })
const items = (machine: TestMachine, kind: UpKind, item: object) =>
  send(machine, kind, { at: clock(), epoch: 1, items: [{ seq: ++seq, at: clock(), ...item }] })

const alarmsOf = (machine: TestMachine) =>
  database.admin<{ code: string; status: string; count: number; detail: string; source: string }>(
    'select code, status, count, detail, source from alarms where machine_id = $1 order by created_at, id',
    [machine.id],
  )

/** Alarms once all sent messages are stored. */
async function alarmsOnce(machine: TestMachine, expected: object[]): Promise<void> {
  await expect.poll(() => alarmsOf(machine), { timeout: 15_000, interval: 50 }).toMatchObject(expected)
}

/** Sends a value and waits until it is in the machine's row. */
async function changed(machine: TestMachine, facts: Record<string, unknown>, column: string): Promise<void> {
  await state(machine, facts)
  const row = async () => (await database.admin(`select ${column} as it from machines where id = $1`, [machine.id]))[0]
  await expect.poll(row, { timeout: 15_000, interval: 50 }).toEqual({ it: Object.values(facts)[0] })
}

describe('a signal that flaps around the minimum', () => {
  test('raises one alarm, which counts and ends', async () => {
    const machine = await aFleet()
    for (const signalPercent of [44, 46, 44, 47]) await changed(machine, { signalPercent }, 'signal_percent')
    const alarm = { code: 'P:SIGNAL', status: 'notification', source: 'portal', detail: '44 % < 45 %' }
    await alarmsOnce(machine, [{ ...alarm, count: 2 }])
    await changed(machine, { signalPercent: 50 }, 'signal_percent')
    await alarmsOnce(machine, [{ ...alarm, status: 'repaired', count: 2 }])
  })

  test('is the same alarm when it is low again soon after its end, and another one later', async () => {
    const machine = await aFleet()
    for (const signalPercent of [44, 60, 43]) await changed(machine, { signalPercent }, 'signal_percent')
    await alarmsOnce(machine, [{ code: 'P:SIGNAL', status: 'notification', count: 2, detail: '43 % < 45 %' }])
    const pauses = 'select alarm_id from alarm_pauses where machine_id = $1'
    expect(await database.admin(pauses, [machine.id])).toHaveLength(1)
    await changed(machine, { signalPercent: 60 }, 'signal_percent')
    await alarmsOnce(machine, [{ status: 'repaired', count: 2 }])
    await database.admin(`update alarms set repaired_at = now() - interval '31 minutes' where machine_id = $1`, [
      machine.id,
    ])
    await changed(machine, { signalPercent: 42 }, 'signal_percent')
    await alarmsOnce(machine, [
      { status: 'repaired', count: 2 },
      { status: 'notification', count: 1 },
    ])
  })

  test('is the same alarm when another process ended it with a clock that is ahead', async () => {
    const machine = await aFleet()
    for (const signalPercent of [44, 60]) await changed(machine, { signalPercent }, 'signal_percent')
    await alarmsOnce(machine, [{ status: 'repaired', count: 1 }])
    await database.admin(`update alarms set repaired_at = now() + interval '1 hour' where machine_id = $1`, [
      machine.id,
    ])
    await changed(machine, { signalPercent: 43 }, 'signal_percent')
    await alarmsOnce(machine, [{ status: 'notification', count: 2 }])
    const lengths = `select (raised_at - ended_at)::text as length from alarm_pauses where machine_id = $1`
    expect(await database.admin(lengths, [machine.id])).toEqual([{ length: '00:00:00' }])
  })

  test('uses the merchant’s own minimum', async () => {
    const machine = await aFleet()
    await database.admin('update merchant_settings set minimum_signal_percent = 20 where merchant_id = $1', [
      machine.merchantId,
    ])
    await changed(machine, { signalPercent: 21 }, 'signal_percent')
    await changed(machine, { signalPercent: 19 }, 'signal_percent')
    await alarmsOnce(machine, [{ code: 'P:SIGNAL', count: 1, detail: '19 % < 20 %' }])
  })
})

test('a temperature outside the limits raises one alarm, which ends when it is back in range', async () => {
  const machine = await aFleet()
  await database.admin('update merchant_settings set temperature_maximum = 8 where merchant_id = $1', [
    machine.merchantId,
  ])
  await changed(machine, { temperatureCelsius: 8.4 }, 'temperature_celsius::float')
  await alarmsOnce(machine, [{ code: 'P:HOT', status: 'active', detail: '8.4 °C > 8 °C' }])
  const [row] = await database.admin('select pos_status from machines where id = $1', [machine.id])
  expect(row).toEqual({ pos_status: 3 })
  await changed(machine, { temperatureCelsius: 7 }, 'temperature_celsius::float')
  await alarmsOnce(machine, [{ code: 'P:HOT', status: 'repaired' }])
})

test('an impossible temperature is ignored, and the other readings are stored', async () => {
  const machine = await aFleet({ connection: 0 })
  await changed(machine, { signalPercent: 71, temperatureCelsius: 151 }, 'signal_percent')
  expect(
    await database.admin('select connection, temperature_celsius from machines where id = $1', [machine.id]),
  ).toEqual([{ connection: 1, temperature_celsius: null }])
})

test('a clock that is an hour ahead raises an alarm, which ends when the clock is corrected', async () => {
  const machine = await aFleet()
  await state(machine, { at: clock(3600) })
  await alarmsOnce(machine, [{ code: 'P:CLOCK', status: 'notification', detail: '+60 min ≥ 5 min' }])
  await state(machine, { at: clock() })
  await alarmsOnce(machine, [{ code: 'P:CLOCK', status: 'repaired' }])
})

test('a full cash box raises an alarm, which ends with the first reading after its collection', async () => {
  const machine = await aFleet()
  await items(machine, 'cash', { box: 18_000, boxCapacity: 20_000 })
  expect(await alarmsOf(machine)).toMatchObject([{ code: 'P:CASHBOX', status: 'active', detail: '90 % ≥ 90 %' }])
  await items(machine, 'cash', { box: 17_000 })
  expect(await alarmsOf(machine)).toMatchObject([{ code: 'P:CASHBOX', status: 'active', count: 1 }])
  await items(machine, 'cash', { box: 0 })
  expect(await alarmsOf(machine)).toMatchObject([{ code: 'P:CASHBOX', status: 'repaired' }])
})

test('an audit ends the overdue audit alarm in the same transaction', async () => {
  const machine = await aFleet({ last_audit_at: new Date(Date.now() - 50 * 3_600_000), last_seen_at: new Date() })
  await raiseOverdue(database, { at: new Date(), noDataMinutes: 60 })
  expect(await alarmsOf(machine)).toMatchObject([{ code: 'P:AUDIT', status: 'active', detail: '50 h ≥ 48 h' }])
  const data = Buffer.from(`DXS*LAB*VA*V0/6*1\r\nID1*${machine.serial}*LAB*1\r\nDXE*1*1\r\n`).toString('base64')
  await send(machine, 'audit', { at: clock(), epoch: 1, seq: ++seq, data })
  expect(await alarmsOf(machine)).toMatchObject([{ code: 'P:AUDIT', status: 'repaired' }])
})

test('a silent machine that sends again is back online', async () => {
  const machine = await aFleet({ last_seen_at: new Date(Date.now() - 7_200_000) })
  await database.admin(`update gateway_listening set since = now() - interval '3 hours'`)
  await raiseOverdue(database, { at: new Date(), noDataMinutes: 60 })
  await alarmsOnce(machine, [{ code: 'P:NODATA', status: 'active' }])
  server.hints.length = 0
  await items(machine, 'sale', { type: 1, value: 100 })
  await alarmsOnce(machine, [{ code: 'P:NODATA', status: 'repaired' }])
  expect(server.hints).toContainEqual({ merchantId: machine.merchantId, topic: 'alarm', machineId: machine.id })
})

describe('events of machines', () => {
  const setting = (machine: TestMachine, code: string, columns: string, values: string) =>
    database.admin(`insert into alarm_settings (merchant_id, code, ${columns}) values ($1, $2, ${values})`, [
      machine.merchantId,
      code,
    ])

  test('have the severity that the merchant set, for every selection', async () => {
    const machine = await aFleet()
    await setting(machine, 'EJC', 'criticity', '0')
    await items(machine, 'event', { code: 'EJC_12' })
    expect(await alarmsOf(machine)).toMatchObject([{ code: 'EJC_12', status: 'notification' }])
    const [row] = await database.admin('select pos_status from machines where id = $1', [machine.id])
    expect(row).toEqual({ pos_status: 1 })
  })

  test('are stored without an alarm when the merchant has switched their code off', async () => {
    const machine = await aFleet()
    await setting(machine, 'ENC', 'enabled', 'false')
    await items(machine, 'event', { code: 'ENC' })
    expect(await alarmsOf(machine)).toEqual([])
    expect(await database.admin('select code from events where machine_id = $1', [machine.id])).toHaveLength(1)
  })

  test('cannot use the codes of the portal’s own alarms', async () => {
    const machine = await aFleet()
    await expect(items(machine, 'event', { code: 'P:NODATA' })).rejects.toThrow('invalidItem')
    expect(await alarmsOf(machine)).toEqual([])
    expect(await database.admin('select reason from dead_letters where serial = $1', [machine.serial])).toHaveLength(1)
  })
})

test('several empty or low selections raise one alarm of low stock until the refill', async () => {
  const machine = await aFleet()
  const event = (code: string, active = true) => items(machine, 'event', { code, active })
  const stock = async () => (await alarmsOf(machine)).filter(({ code }) => code === 'P:STOCK')
  await event('ELE_11')
  await event('ELB_11')
  await event('ELB_12')
  // A selection that ran low and then sold out counts; a fault does not.
  await event('ENC')
  expect(await stock()).toEqual([])
  await event('OBD')
  const alarm = { code: 'P:STOCK', status: 'active', source: 'portal', detail: '3 ≥ 3', count: 1 }
  expect(await stock()).toMatchObject([alarm])
  await event('OA1C_12')
  await event('ELB_14')
  expect(await stock()).toMatchObject([{ ...alarm, count: 2 }])
  await event('OA1B')
  expect(await stock()).toMatchObject([{ ...alarm, status: 'repaired', count: 2 }])
})

test('low stock ends with the next check when all its selections are marked as repaired', async () => {
  const machine = await aFleet()
  for (const selection of [1, 2, 3]) await items(machine, 'event', { code: `ELB_${selection}` })
  const stock = async () => (await alarmsOf(machine)).filter(({ code }) => code === 'P:STOCK')
  expect(await stock()).toMatchObject([{ status: 'active' }])
  await database.admin(
    `update alarms set status = 'repairedManually', repaired_at = now() where machine_id = $1 and code like 'ELB%'`,
    [machine.id],
  )
  // A check leaves out a machine whose condition is being written; the next one covers it.
  const afterCheck = async () => {
    await raiseOverdue(database, { at: new Date(), noDataMinutes: 60 })
    return stock()
  }
  await expect.poll(afterCheck, { timeout: 15_000, interval: 50 }).toMatchObject([{ status: 'repaired' }])
})
