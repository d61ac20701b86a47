import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { anAlarm, aSale } from '#testkit/machine-data.ts'
import { planNotices } from './alarm-mail.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const noon = new Date('2026-11-20T11:00:00Z')
const daysBefore = (days: number) => new Date(noon.getTime() - days * 86_400_000)

/** A blocking alarm of noon. */
const atNoon = (machine: TestMachine, columns: Record<string, unknown> = {}) =>
  anAlarm(database, machine, { created_at: noon, last_at: noon, notice_at: noon, ...columns })

const aFleet = async () => aMachine(database, (await aMerchant(database)).id)
const look = () => planNotices(database, new Date(noon.getTime() + 5 * 60_000))

describe('cycles', () => {
  test('a blocking fault is told its machine’s MCBF: cycles by faults of thirty days', async () => {
    const machine = await aFleet()
    for (const days of [1, 2, 3, 4, 5, 6]) await aSale(database, machine, { created_at: daysBefore(days) })
    await aSale(database, machine, { created_at: daysBefore(2), error_sale: true })
    await aSale(database, machine, { created_at: daysBefore(31) })
    const old = { status: 'repaired', category: 'fault', repaired_at: noon, notice_at: null }
    await atNoon(machine, { ...old, created_at: daysBefore(3) })
    await atNoon(machine, { ...old, created_at: daysBefore(40) })
    await atNoon(machine, { ...old, created_at: daysBefore(3), category: 'jam' })
    const alarm = await atNoon(machine, { code: 'EEA', category: 'fault' })
    await look()
    const [row] = await database.admin('select mcbf, remaining_cycles from alarms where id = $1', [alarm])
    expect(row).toEqual({ mcbf: 3, remaining_cycles: null })
  })

  test('where a service is due after so many cycles, what is left since the last one', async () => {
    const machine = await aFleet()
    await database.admin(`insert into alarm_settings (merchant_id, code, service_cycles) values ($1, 'EFB', 5)`, [
      machine.merchantId,
    ])
    const serviced = { code: 'EFB', category: 'maintenance', criticity: 2 }
    await atNoon(machine, {
      ...serviced,
      status: 'repaired',
      repaired_at: daysBefore(3),
      created_at: daysBefore(4),
      notice_at: null,
    })
    for (const days of [1, 2, 5]) await aSale(database, machine, { created_at: daysBefore(days) })
    const alarm = await atNoon(machine, serviced)
    await look()
    const [row] = await database.admin('select mcbf, remaining_cycles from alarms where id = $1', [alarm])
    expect(row).toEqual({ mcbf: null, remaining_cycles: 3 })
  })
})
