import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { anAlarm, aSale } from '#testkit/machines/machine-data.ts'

// A gateway alone: no mail, no worker.
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

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
/** The local time of a machine in Rome, a number of days ago. */
const clock = (days = 0) =>
  daysAgo(days).toLocaleString('sv-SE', { timeZone: 'Europe/Rome', hour12: false }).replace(' ', 'T')

/** A machine with one sale on each of these days, and a function that sends events for it. */
async function aSeller(days: readonly number[], columns: Record<string, unknown> = {}) {
  const machine = await aMachine(database, (await aMerchant(database)).id, { columns })
  for (const day of days) await aSale(database, machine, { created_at: daysAgo(day) })
  const { send } = await aConnection(server, machine)
  let seq = 0
  const says = (...events: { code: string; active: boolean; days?: number }[]) =>
    send('event', {
      id: randomUUID(),
      at: clock(),
      epoch: 1,
      items: events.map(({ days, ...event }) => ({ ...event, at: clock(days), seq: ++seq })),
    })
  return { machine, says, send }
}
const isServicedAfter = ({ merchantId }: TestMachine, code: string, cycles: number) =>
  database.admin('insert into alarm_settings (merchant_id, code, service_cycles) values ($1, $2, $3)', [
    merchantId,
    code,
    cycles,
  ])
const notesOf = ({ id }: TestMachine) =>
  database.admin<{ code: string; status: string; mcbf: number | null; left: number | null }>(
    `select code, status, mcbf, remaining_cycles as left from alarms where machine_id = $1 and category <> 'jam' and created_at > $2
     order by created_at, code`,
    [id, daysAgo(2.5)],
  )
const brewer = { code: 'EEA', active: true }
const filter = { code: 'EFB', active: true }

describe('the MCBF of a blocking fault', () => {
  test('is the machine’s cycles by its faults of thirty days', async () => {
    const { machine, says } = await aSeller([1, 2, 3, 4, 5, 6, 31])
    await aSale(database, machine, { created_at: daysAgo(2), error_sale: true })
    const old = { status: 'repaired', category: 'fault', repaired_at: new Date(), created_at: daysAgo(3) }
    await anAlarm(database, machine, old)
    await anAlarm(database, machine, { ...old, created_at: daysAgo(40) })
    await anAlarm(database, machine, { ...old, category: 'jam' })
    await anAlarm(database, machine, { ...old, criticity: 2 })
    await says(brewer)
    expect(await notesOf(machine)).toEqual([{ code: 'EEA', status: 'active', mcbf: 3, left: null }])
  })

  test('is stored when the fault is repaired at once', async () => {
    const { machine, says } = await aSeller([1, 2])
    await says(brewer, { ...brewer, active: false })
    expect(await notesOf(machine)).toEqual([{ code: 'EEA', status: 'repaired', mcbf: 2, left: null }])
  })

  test('is stored for a hidden machine', async () => {
    const { machine, says } = await aSeller([1, 2], { hidden: true })
    await says(brewer)
    expect(await notesOf(machine)).toMatchObject([{ mcbf: 2 }])
  })

  test('is calculated at the time of each fault when several arrive together', async () => {
    const { machine, says } = await aSeller([20, 15, 10, 1.5, 1.4, 1.3])
    await says(
      ...[
        { ...brewer, days: 2 },
        { ...brewer, active: false, days: 1.9 },
      ],
      ...[
        { ...brewer, days: 1.1 },
        { ...brewer, active: false, days: 1 },
      ],
      { ...brewer, code: 'EDT' },
    )
    expect(await notesOf(machine)).toMatchObject([{ mcbf: 3 }, { mcbf: 3 }, { code: 'EDT', mcbf: 2 }])
  })

  test('does not change when the same fault arrives again', async () => {
    const { machine, says } = await aSeller([1, 2])
    await says(brewer)
    await aSale(database, machine)
    await says(brewer)
    expect(await notesOf(machine)).toMatchObject([{ mcbf: 2 }])
  })

  test('is stored with alarms that the portal raises', async () => {
    const { machine, send } = await aSeller([1, 2])
    await database.admin('update merchant_settings set temperature_maximum = 8 where merchant_id = $1', [
      machine.merchantId,
    ])
    await send('state', { id: randomUUID(), online: true, temperatureCelsius: 21 })
    await expect.poll(() => notesOf(machine), { timeout: 5000 }).toMatchObject([{ mcbf: 2 }])
  })

  test('is not stored for warnings and for faults that do not block', async () => {
    const { machine, says } = await aSeller([1])
    await says({ code: 'EA', active: true }, { code: 'ENE', active: true })
    expect(await notesOf(machine)).toMatchObject([{ mcbf: null }, { mcbf: null }])
  })
})

describe('an alarm with a service interval shows the cycles left', () => {
  test('since the last repair of its code', async () => {
    const { machine, says } = await aSeller([1, 2, 5])
    await isServicedAfter(machine, 'EFB', 5)
    const serviced = { code: 'EFB', category: 'maintenance', status: 'repaired' }
    await anAlarm(database, machine, { ...serviced, created_at: daysAgo(4), repaired_at: daysAgo(3) })
    await says(filter)
    expect(await notesOf(machine)).toEqual([{ code: 'EFB', status: 'active', mcbf: null, left: 3 }])
  })

  test('since the machine was attached if it was never serviced; negative when the service is overdue', async () => {
    const { machine, says } = await aSeller([1, 2, 5], { created_at: daysAgo(4) })
    await isServicedAfter(machine, 'EFB', 1)
    await says(filter, { code: 'OAK', active: true })
    expect(await notesOf(machine)).toEqual([{ code: 'EFB', status: 'repaired', mcbf: null, left: -1 }])
  })

  test('beside its MCBF if it is a blocking fault', async () => {
    const { machine, says } = await aSeller([1, 2, 5], { created_at: daysAgo(4) })
    await isServicedAfter(machine, 'EEA', 100)
    await says(brewer, { code: 'EDT', active: true })
    expect(await notesOf(machine)).toMatchObject([
      { code: 'EDT', mcbf: 2, left: null },
      { code: 'EEA', mcbf: 2, left: 98 },
    ])
  })
})
