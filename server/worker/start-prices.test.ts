import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPlannedPrices } from '#database/catalogue/price-start.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aPlannedPrice, aPrice } from '#testkit/machines/machine-data.ts'

let database: TestDatabase
let merchantId: string
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
})
afterAll(() => database?.close())

const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000)
const due = { starts_at: minutesAgo(1) }
const wantedOf = (machine: TestMachine) =>
  database.admin(
    'select selection, wanted::int, is_wrong from machine_prices where machine_id = $1 order by selection',
    [machine.id],
  )
const rowsOf = (table: string, machine: TestMachine) =>
  database.admin(
    `select * from ${table} where machine_id = $1 order by ${table === 'planned_prices' ? 'selection' : 'id'}`,
    [machine.id],
  )

test('planned prices start when they are due, are sent if wanted, and are in history and log', async () => {
  const machine = await aMachine(database, merchantId)
  await aPrice(database, machine)
  await aPlannedPrice(database, machine, { ...due, plan: { send: true } })
  await aPlannedPrice(database, machine, { selection: '12', starts_at: new Date(Date.now() + 60_000) })
  const outcome = await startPlannedPrices(database, new Date())
  expect(outcome).toMatchObject({ started: [{ machineId: machine.id }], sent: [{ machineId: machine.id }] })
  expect(await wantedOf(machine)).toEqual([{ selection: '11', wanted: 170, is_wrong: true }])
  expect(await rowsOf('planned_prices', machine)).toMatchObject([
    { selection: '11', status: 'started' },
    { selection: '12', status: 'planned' },
  ])
  expect(await rowsOf('price_changes', machine)).toMatchObject([
    { source: 'start', after: '170', changed_by_name: 'Anna' },
  ])
  expect(await rowsOf('remote_commands', machine)).toMatchObject([
    { type: 10, created_by_name: 'Anna', parameters: { prices: [{ selection: '11', priceTable: 1, price: 170 }] } },
  ])
  const [entry] = await database.admin(`select action, user_name from change_log where subject_id = $1`, [machine.id])
  expect(entry).toEqual({ action: 'price.update', user_name: 'Anna' })
})

test('several workers start each planned price once', async () => {
  const machines: TestMachine[] = []
  for (let n = 0; n < 30; n++) {
    const machine = await aMachine(database, merchantId)
    await aPrice(database, machine)
    await aPlannedPrice(database, machine, { ...due, plan: { send: true } })
    machines.push(machine)
  }
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => startPlannedPrices(database, new Date())))
  const started = outcomes.flatMap((outcome) => outcome.started.map(({ machineId }) => machineId))
  expect(started.toSorted()).toEqual(machines.map(({ id }) => id).toSorted())
  for (const machine of machines) {
    expect(await rowsOf('price_changes', machine)).toHaveLength(1)
    expect(await rowsOf('remote_commands', machine)).toHaveLength(1)
  }
})

test('a machine that was deleted or moved to another merchant loses its planned prices', async () => {
  const deleted = await aMachine(database, merchantId)
  await aPlannedPrice(database, deleted, due)
  await database.admin('update machines set deleted_at = now(), hidden = true where id = $1', [deleted.id])
  await database.admin('delete from machine_journals where machine_id = $1', [deleted.id])
  expect(await startPlannedPrices(database, new Date())).toEqual({ started: [], sent: [] })
  expect(await rowsOf('planned_prices', deleted)).toMatchObject([{ status: 'lost' }])
  expect(await wantedOf(deleted)).toEqual([])
})

test('several plans of one price start each on its day; those of a worker that was late start in their order', async () => {
  const machine = await aMachine(database, merchantId)
  await aPrice(database, machine)
  await aPlannedPrice(database, machine, { starts_at: minutesAgo(5), price: 180, plan: { send: true } })
  await aPlannedPrice(database, machine, { starts_at: minutesAgo(9), price: 160 })
  await aPlannedPrice(database, machine, { price: 200 })
  await startPlannedPrices(database, new Date())
  expect(await wantedOf(machine)).toMatchObject([{ wanted: 180 }])
  expect(await rowsOf('price_changes', machine)).toMatchObject([{ after: '160' }, { before: '160', after: '180' }])
  const commands = await rowsOf('remote_commands', machine)
  expect(commands).toMatchObject([{ parameters: { prices: [{ price: 180 }] } }])
  await startPlannedPrices(database, new Date(Date.now() + 2 * 86_400_000))
  expect(await wantedOf(machine)).toMatchObject([{ wanted: 200 }])
})
