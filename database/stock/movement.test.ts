import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockJournals } from '#database/ingest/journal.ts'
import { retentionDefaults } from '#domain/frame/retention.ts'
import { stockStatusOf } from '#domain/stock/stock.ts'
import { dropExpired } from '#server/worker/drop-expired.ts'
import { wrongBooks } from '#server/worker/rollups.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale, aStock } from '#testkit/machines/machine-data.ts'
import { someBlobs } from '#testkit/servers/blobs.ts'
import { bookMovements, type UserMovement } from './movement.ts'

let database: TestDatabase
let merchantId: string
let machine: TestMachine
const planogramId = randomUUIDv7()
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
  await database.admin(
    `insert into planograms (merchant_id, id, name, planogram_type, created_at) values ($1, $2, 'Snacks', 'B', now())`,
    [merchantId, planogramId],
  )
  await database.admin(
    `insert into planogram_lines (merchant_id, planogram_id, selection, position, capacity, warning_level, refill_value)
     values ($1, $2, '7', 0, 12, 3, 10)`,
    [merchantId, planogramId],
  )
})
afterAll(() => database?.close())
beforeEach(async () => {
  machine = await aMachine(database, merchantId, { columns: { manage_stock: true, planogram_id: planogramId } })
  await aStock(database, machine, { selection: '12', level: 9, at: minute(-60) })
})

const minute = (n: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 + n * 60_000)
const user = { id: randomUUIDv7(), name: 'Anna' }
const book = (...list: Partial<UserMovement>[]) =>
  database.withTenant(wholeMerchant(merchantId), async (db) => {
    await lockJournals(db, [machine])
    const base = { merchantId, machineId: machine.id, selection: '12', at: minute(0), user }
    return bookMovements(
      db,
      list.map((one) => ({ ...base, kind: 'refill' as const, amount: 1, ...one })),
    )
  })
const stock = (selection = '12') =>
  database
    .admin<{ level: number; balance: number; sum: number; status: number; refilled_at: Date | null }>(
      `select level, balance, status, refilled_at, carried + (select coalesce(sum(amount), 0)::int from stock_entries m
         where m.merchant_id = s.merchant_id and m.machine_id = s.machine_id and m.selection = s.selection) as sum
       from machine_stock s where merchant_id = $3 and machine_id = $1 and selection = $2`,
      [machine.id, selection, merchantId],
    )
    .then(([row]) => row)
const movements = () =>
  database.admin(
    'select selection, kind, amount, opening, late, changed_by_name from stock_entries where machine_id = $1 order by at, id',
    [machine.id],
  )

test('a count, what was filled and what was thrown away at one visit add up to the level, in the order of the list', async () => {
  await book({ kind: 'correction', amount: 4 }, { kind: 'waste', amount: 1 }, { amount: 6 })
  expect(await stock()).toMatchObject({ level: 9, balance: 9, sum: 9 })
  expect(await movements()).toMatchObject([
    { kind: 'correction', amount: 4, opening: true, changed_by_name: 'Anna' },
    { kind: 'waste', amount: -1 },
    { kind: 'refill', amount: 6 },
  ])
  expect((await stock())?.refilled_at).toEqual(new Date(minute(0).getTime() + 2))
})

test('a refill from before the newest count changes no level, and the books still add up', async () => {
  await book({ kind: 'correction', amount: 5 })
  await book({ amount: 7, at: minute(-10) }, { kind: 'correction', amount: 1, at: minute(-5) })
  expect(await stock()).toMatchObject({ level: 5, balance: 5, sum: 5 })
  expect(await movements()).toMatchObject([{ amount: 7 }, { amount: 5 }, { amount: -7, late: true }])
})

test('an earlier count that arrives later keeps what was filled after it', async () => {
  await book({ amount: 7, at: minute(-3) })
  await book({ kind: 'correction', amount: 2, at: minute(-5) })
  expect(await stock()).toMatchObject({ level: 9, balance: 9, sum: 9 })
})

test('more thrown away than booked leaves an empty selection and a negative balance', async () => {
  await book({ kind: 'waste', amount: 3 })
  expect(await stock()).toMatchObject({ level: 0, balance: -3, sum: -3, status: 1 })
})

test('a selection of the planogram is opened at its refill value; an unknown one is returned and not booked', async () => {
  const { unknown } = await book({ selection: '7', kind: 'waste', amount: 2 }, { selection: '99', amount: 5 })
  expect(unknown).toEqual([{ machineId: machine.id, selection: '99' }])
  expect(await stock('7')).toMatchObject({ level: 8, balance: 8, sum: 8 })
  expect(await movements()).toMatchObject([{ amount: 10, opening: true }, { amount: -2 }])
})

test('a machine whose stock is not managed gets no movements', async () => {
  machine = await aMachine(database, merchantId)
  await aStock(database, machine, { selection: '12', level: 9 })
  expect((await book({ amount: 5 })).unknown).toHaveLength(1)
  expect(await movements()).toEqual([])
})

test('the low-stock alarm follows what users book', async () => {
  const alarms = () => database.admin('select status, detail from alarms where machine_id = $1', [machine.id])
  expect((await book({ kind: 'correction', amount: 0, at: minute(-1) })).alarmed).toHaveLength(1)
  expect(await alarms()).toMatchObject([{ status: 'active', detail: '∅ 12' }])
  await book({ amount: 10 })
  expect(await alarms()).toMatchObject([{ status: 'repaired' }])
})

test('movements and sales are never changed or removed', async () => {
  await book({ amount: 5 })
  const harms = ['update stock_movements set amount = 9', 'delete from stock_movements']
  for (const harm of [...harms, 'update transactions set lowers_line = null', 'delete from transactions'])
    for (const role of ['gettone_app', 'gettone_system'])
      await expect(database.admin(`do $$ begin set local role ${role}; ${harm}; end $$`)).rejects.toMatchObject({
        code: '42501',
      })
})

test('sales of a dropped month are carried too', async () => {
  const old = new Date(Date.now() - 200 * 86_400_000)
  await database.admin('select ensure_partitions($1, $1)', [old])
  await book({ kind: 'correction', amount: 7, at: minute(-1) })
  await aSale(database, machine, { created_at: old, price_line: 12, lowers_line: true, lowers_total: '13' })
  await aSale(database, machine, { price_line: 12, lowers_line: true })
  await database.admin('update machine_stock set balance = 5, level = 5 where machine_id = $1', [machine.id])
  await aStock(database, machine, { selection: '13', level: 0 })
  await database.admin(`update machine_stock set balance = -1 where machine_id = $1 and selection = '13'`, [machine.id])
  expect(await wrongBooks(database, merchantId)).toEqual([])
  await dropExpired({ doors: database, blobs: someBlobs() }, { ...retentionDefaults, transactions: 5 }, new Date())
  expect(await database.admin('select 1 from transactions where machine_id = $1', [machine.id])).toHaveLength(1)
  expect(await wrongBooks(database, merchantId)).toEqual([])
})

test('the database gives each level the status of the rule', async () => {
  const values = [null, 1, 2, 5, 10, 35]
  const rows = await database.admin<{ level: number; capacity: number | null; warning: number | null; status: number }>(
    `with trial as (
       insert into machine_stock (merchant_id, machine_id, selection, level, capacity, warning_level, gone, at, epoch, seq)
       select $1, $2, row_number() over (), level, capacity, warning, true, now(), 1, 1
       from generate_series(0, 11) level, unnest($3::int[]) capacity, unnest($4::int[]) warning
       returning level, capacity, warning_level as warning, status)
     select * from trial`,
    [merchantId, (await aMachine(database, merchantId)).id, values, [null, 0, 3, 10]],
  )
  expect(rows).toHaveLength(12 * 6 * 4)
  for (const { status, warning: warningLevel, ...row } of rows)
    expect({ ...row, warningLevel, status }).toEqual({
      ...row,
      warningLevel,
      status: stockStatusOf({ ...row, warningLevel }),
    })
})

test('movements of a dropped month are carried, so the books still add up, and a broken balance is found', async () => {
  const old = new Date(Date.now() - 200 * 86_400_000)
  await database.admin('select ensure_partitions($1, $1)', [old])
  await book({ kind: 'correction', amount: 7, at: old }, { amount: 2, at: minute(0) })
  expect(await wrongBooks(database, merchantId)).toEqual([])
  const { dropped } = await dropExpired(
    { doors: database, blobs: someBlobs() },
    { ...retentionDefaults, stock_movements: 5 },
    new Date(),
  )
  expect(dropped.some((name) => name.startsWith('stock_movements'))).toBe(true)
  expect(await movements()).toMatchObject([{ amount: 2 }])
  expect(await stock()).toMatchObject({ balance: 9, sum: 9 })
  expect(await wrongBooks(database, merchantId)).toEqual([])
  await database.admin('update machine_stock set balance = 8 where machine_id = $1 and balance = 9', [machine.id])
  expect(await wrongBooks(database, merchantId)).toMatchObject([{ selection: '12', balance: 8, sum: 9 }])
})
