import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { reopenAlarms, repairAlarms } from '../alarms/alarm-repair.ts'
import { noteListening, raiseOverdue } from './silence.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const now = new Date()
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const look = (at = now) => raiseOverdue(database, { at, noDataMinutes: 60 })

/** Sets a gateway as listening from an instant until now. */
async function listening(from: Date, until = now): Promise<void> {
  await database.admin('delete from gateway_listening')
  await database.admin('insert into gateway_listening (since, last_at) values ($1, $2)', [from, until])
}
beforeEach(() => listening(ago(10_000)))

const alarmsOf = (machine: TestMachine) =>
  database.admin<{ id: string; code: string; status: string; count: number; criticity: number; detail: string }>(
    'select id, code, status, count, criticity, detail from alarms where machine_id = $1 order by created_at, id',
    [machine.id],
  )

const heardAt = (machine: TestMachine, at: Date) =>
  database.admin('update machines set last_seen_at = $2 where id = $1', [machine.id, at])

const aSilentMachine = async (merchantId: string, columns: Record<string, unknown> = {}) =>
  aMachine(database, merchantId, { columns: { last_seen_at: ago(90), last_audit_at: now, ...columns } })

describe('a silent machine', () => {
  test('raises one warning, however often the check runs', async () => {
    const machine = await aSilentMachine((await aMerchant(database)).id)
    expect(await look()).toContainEqual({ merchantId: machine.merchantId, machineId: machine.id })
    expect(await look()).not.toContainEqual({ merchantId: machine.merchantId, machineId: machine.id })
    expect(await alarmsOf(machine)).toMatchObject([
      { code: 'P:NODATA', status: 'active', count: 1, criticity: 2, detail: '90 min ≥ 60 min' },
    ])
    const [row] = await database.admin('select pos_status from machines where id = $1', [machine.id])
    expect(row).toEqual({ pos_status: 2 })
  })

  test('raises one alarm when two workers check at the same time', async () => {
    const { id } = await aMerchant(database)
    const machines = await Promise.all(Array.from({ length: 40 }, () => aSilentMachine(id)))
    const looks = await Promise.all([look(), look(), look(), look()])
    const missed = looks.flat().filter(({ merchantId }) => merchantId === id)
    expect(missed.map(({ machineId }) => machineId).sort()).toEqual(machines.map((machine) => machine.id).sort())
    for (const machine of machines) expect(await alarmsOf(machine)).toHaveLength(1)
  })

  test('follows its merchant’s own limit', async () => {
    const patient = await aMerchant(database)
    const impatient = await aMerchant(database)
    await database.admin('update merchant_settings set no_data_minutes = 120 where merchant_id = $1', [patient.id])
    await database.admin('update merchant_settings set no_data_minutes = 5 where merchant_id = $1', [impatient.id])
    const waited = await aSilentMachine(patient.id)
    const missed = await aSilentMachine(impatient.id, { last_seen_at: ago(6) })
    await look()
    expect([(await alarmsOf(waited)).length, (await alarmsOf(missed)).length]).toEqual([0, 1])
  })

  test('loses its alarm when the merchant allows a longer silence', async () => {
    const { id } = await aMerchant(database)
    const machine = await aSilentMachine(id)
    await look()
    await database.admin('update merchant_settings set no_data_minutes = 120 where merchant_id = $1', [id])
    await look()
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'repaired' }])
  })

  test('raises no alarm when it is hidden', async () => {
    const machine = await aSilentMachine((await aMerchant(database)).id, { hidden: true })
    await look()
    expect(await alarmsOf(machine)).toEqual([])
  })

  test('raises no alarm unless a gateway has listened for as long as the limit', async () => {
    const machine = await aSilentMachine((await aMerchant(database)).id)
    await listening(ago(10_000), ago(5))
    await look()
    await listening(ago(59))
    await look()
    expect(await alarmsOf(machine)).toEqual([])
    await listening(ago(61))
    await look()
    expect(await alarmsOf(machine)).toHaveLength(1)
  })

  test('raises no new alarm after a manual repair until it has sent a message', async () => {
    const { id } = await aMerchant(database)
    const machine = await aSilentMachine(id)
    await look()
    const [alarm] = await alarmsOf(machine)
    const by = { id: machine.id, name: 'Test', at: now, note: undefined }
    await database.withTenant(wholeMerchant(id), (db) => repairAlarms(db, [alarm?.id ?? ''], by))
    await look()
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'repairedManually' }])
    await heardAt(machine, now)
    await look()
    await heardAt(machine, ago(90))
    await look()
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'repairedManually' }, { status: 'active' }])
  })

  test('closes its alarm automatically even after the manual repair was undone', async () => {
    const { id } = await aMerchant(database)
    const machine = await aSilentMachine(id)
    await look()
    const [alarm] = await alarmsOf(machine)
    const changed = { merchant_id: id, machine_id: machine.id, id: alarm?.id ?? '' }
    const by = { id: machine.id, name: 'Test', at: now, note: undefined }
    await database.withTenant(wholeMerchant(id), async (db) => {
      await repairAlarms(db, [changed.id], by)
      await reopenAlarms(db, [changed], by)
    })
    await heardAt(machine, now)
    await look()
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'repaired' }])
  })
})

describe('an audit', () => {
  test('is overdue after the merchant’s hours, whether or not a gateway listens', async () => {
    await database.admin('delete from gateway_listening')
    const { id } = await aMerchant(database)
    const overdue = await aMachine(database, id, { columns: { last_seen_at: now, last_audit_at: ago(48 * 60 + 1) } })
    const inTime = await aMachine(database, id, { columns: { last_seen_at: now, last_audit_at: ago(48 * 60 - 1) } })
    await look()
    expect(await alarmsOf(overdue)).toMatchObject([{ code: 'P:AUDIT', criticity: 2 }])
    expect(await alarmsOf(inTime)).toEqual([])
  })
})

describe('a merchant’s alarm setting', () => {
  test('changes the severity or switches the alarm off', async () => {
    const loud = await aMerchant(database)
    const mute = await aMerchant(database)
    const set = (merchantId: string, columns: string, values: string) =>
      database.admin(`insert into alarm_settings (merchant_id, code, ${columns}) values ($1, 'P:NODATA', ${values})`, [
        merchantId,
      ])
    await set(loud.id, 'criticity', '4')
    await set(mute.id, 'enabled', 'false')
    const one = await aSilentMachine(loud.id)
    const other = await aSilentMachine(mute.id)
    await look()
    expect(await alarmsOf(one)).toMatchObject([{ criticity: 4, status: 'active' }])
    expect(await alarmsOf(other)).toEqual([])
    const [row] = await database.admin('select pos_status from machines where id = $1', [one.id])
    expect(row).toEqual({ pos_status: 3 })
  })
})

test('listening gateways share one row, which restarts after a gap', async () => {
  const row = async () => (await database.admin('select since, last_at from gateway_listening'))[0]
  await database.admin('delete from gateway_listening')
  await Promise.all([noteListening(database, ago(10)), noteListening(database, ago(10))])
  await noteListening(database, ago(8))
  expect(await row()).toEqual({ since: ago(10), last_at: ago(8) })
  await noteListening(database, ago(4))
  expect(await row()).toEqual({ since: ago(4), last_at: ago(4) })
})

test('more machines than one page are all checked', async () => {
  const { id } = await aMerchant(database)
  await database.admin(
    `insert into machines (merchant_id, id, serial, name, device_type, created_at, last_seen_at, last_audit_at)
     select $1, gen_random_uuid(), 'P' || n, 'Page ' || n, 'AZVT', $2, $2, $3 from generate_series(1, 1203) n`,
    [id, ago(500), now],
  )
  const changed = await look()
  expect(changed.filter(({ merchantId }) => merchantId === id)).toHaveLength(1203)
})
