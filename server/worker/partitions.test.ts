import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Ack } from '#contract/device-protocol.ts'
import { retentionDefaults } from '#domain/frame/retention.ts'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { rollupsOf } from '#testkit/machines/seller.ts'
import { someBlobs } from '#testkit/servers/blobs.ts'
import { dropExpired } from './drop-expired.ts'
import { ensurePartitions } from './worker.ts'

const now = new Date('2030-06-15T12:00:00Z')
const keep = { ...retentionDefaults, transactions: 5 }
const quickly = { pauseMs: 5 }
const moving = (doors: TestDatabase) => ({ doors, blobs: someBlobs() })

async function aDatabaseOf2030(): Promise<TestDatabase> {
  const database = await aDatabase()
  await database.admin(`select ensure_partitions('2029-10-01', '2030-07-01')`)
  return database
}
const monthsOf = async (database: TestDatabase, table: string) =>
  (
    await database.admin<{ name: string }>(
      `select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = $1::regclass
       and c.relname > $2 order by 1`,
      [table, `${table}_2029_01`],
    )
  ).map(({ name }) => name.slice(table.length + 1))

/** A reader, such as an export, that is still running. */
async function aReader(database: TestDatabase, table: string) {
  const client = new pg.Client(database.adminUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`begin; select count(*) from ${table}`)
  return client
}

test('months are dropped at the end of their table’s retention, others are kept, and their sums stay', async () => {
  const database = await aDatabaseOf2030()
  const machine = await aMachine(database, (await aMerchant(database)).id)
  await aSale(database, machine, { created_at: new Date('2029-12-31T12:00:00Z') })
  await aSale(database, machine, { created_at: new Date('2030-01-01T12:00:00Z') })
  const { dropped, busy } = await dropExpired(moving(database), keep, now)
  expect(busy).toEqual([])
  expect(dropped.filter((name) => name.startsWith('transactions_2029'))).toEqual([
    'transactions_2029_10',
    'transactions_2029_11',
    'transactions_2029_12',
  ])
  expect(await monthsOf(database, 'transactions')).toEqual([
    '2030_01',
    '2030_02',
    '2030_03',
    '2030_04',
    '2030_05',
    '2030_06',
    '2030_07',
  ])
  expect((await monthsOf(database, 'events'))[0]).toBe('2029_10')
  expect(await database.admin('select count(*)::int as count from transactions')).toEqual([{ count: 1 }])
  expect(await database.admin('select sum(count)::int as count from sales_hourly')).toEqual([{ count: 2 }])
  expect(await dropExpired(moving(database), keep, now)).toEqual({ dropped: [], busy: [], failed: [] })
})

test('simultaneous workers drop each month once, and create each month once', async () => {
  const database = await aDatabaseOf2030()
  const dropped = await Promise.all([1, 2, 3].map(() => dropExpired(moving(database), keep, now, quickly)))
  const names = dropped.flatMap(({ dropped }) => dropped)
  expect(names).toContain('transactions_2029_12')
  expect(new Set(names).size).toBe(names.length)
  await Promise.all([1, 2, 3].map(() => ensurePartitions(database)))
  const ahead = new Date()
  ahead.setUTCMonth(ahead.getUTCMonth() + 2, 1)
  const month = ahead.toISOString().slice(0, 7).replace('-', '_')
  expect(await database.admin('select to_regclass($1) is not null as is', [`transactions_${month}`])).toEqual([
    { is: true },
  ])
})

test('dropping and creating months does not delay sales during a long read', async () => {
  const database = await aDatabaseOf2030()
  const machine = await aMachine(database, (await aMerchant(database)).id)
  const reader = await aReader(database, 'transactions')
  const sell = () => aSale(database, machine, { created_at: new Date('2030-06-01T12:00:00Z') })
  let isOver = false
  const selling = (async () => {
    for (let sold = 0; ; sold++) {
      await sell()
      if (isOver) return sold
    }
  })()
  // The reader ends only after the months exist, so it cannot be awaited here.
  await database.admin(`select ensure_partitions('2031-01-01', '2031-01-01')`)
  expect(await dropExpired(moving(database), keep, now, quickly)).toMatchObject({ busy: ['transactions'] })
  expect((await monthsOf(database, 'transactions'))[0]).toBe('2029_10')
  isOver = true
  expect(await selling).toBeGreaterThan(0)
  await reader.query('commit')
  expect((await dropExpired(moving(database), keep, now, quickly)).dropped).toContain('transactions_2029_12')
})

test('a late row of a dropped month is stored, acknowledged and summed; the month cannot be recalculated', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const then = new Date(Date.now() - 60 * 86_400_000)
  await aSale(database, machine, { created_at: then })
  const server = await aGateway(database)
  const drop = (archived: object) =>
    database.admin<{ name: string | null }>(`select drop_month('transactions', $1, $2, now()) as name`, [
      new Date(then.getTime() + 32 * 86_400_000),
      archived,
    ])
  const drops = async () => {
    for (let [month] = await drop({}); month?.name; [month] = await drop({}));
  }
  await expect(drops()).rejects.toMatchObject({ code: 'GA001' })
  await database.admin(
    `insert into archived_months (merchant_id, table_name, month, part, blob, rows, sha256, created_at)
     values ($1, 'transactions', date_trunc('month', $2::timestamptz at time zone 'UTC'), 1, 'file', 1, repeat('0', 64), now())`,
    [merchant.id, then],
  )
  await drop({ [merchant.id]: 1 })
  await drops()
  expect(await database.admin('select 1 from transactions')).toEqual([])
  const connection = await aConnection(server, machine)
  const clock = (at: Date) => at.toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).replace(' ', 'T')
  const sale = { seq: 1, at: clock(then), type: 1, mediaType: 1, mediaSource: 1, value: 100 }
  await connection.send('sale', { id: machine.id, at: clock(new Date()), epoch: 1, items: [sale] })
  expect(await connection.next<Ack>('ack')).toMatchObject({ epoch: 1, committed: 1, missing: [] })
  expect(await database.admin('select count(*)::int as count from transactions')).toEqual([{ count: 1 }])
  expect(await database.admin('select sum(count)::int as count from sales_hourly')).toEqual([{ count: 2 }])
  expect(await database.admin('select count(*)::int as count from dead_letters')).toEqual([{ count: 0 }])

  const day = clock(then).slice(0, 10)
  const { days } = await rollupsOf(database, { merchantId: merchant.id, from: day, to: day }, new Date())
  expect(days).toMatchObject([{ day, refused: ['sales_hourly'], different: [] }])
  expect(await database.admin('select sum(count)::int as count from sales_hourly')).toEqual([{ count: 2 }])
})

test('days of dropped months are refused, and the others are recalculated', async () => {
  const database = await aDatabaseOf2030()
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  for (const day of ['2029-12-30', '2030-01-02'])
    await aSale(database, machine, { created_at: new Date(`${day}T12:00:00Z`) })
  await dropExpired(moving(database), keep, now)
  await database.admin('update open_sales_hourly set count = 7')
  const { days } = await rollupsOf(database, { merchantId: merchant.id, from: '2029-12-30', to: '2030-01-02' }, now)
  expect(days.map(({ day, refused, different }) => [day, refused, different])).toEqual([
    // Sums by group consist of the remaining hours.
    ['2029-12-30', ['sales_hourly'], ['group_sales_hourly']],
    ['2029-12-31', ['sales_hourly'], []],
    // The merchant's new year started an hour before the partition's.
    ['2030-01-01', ['sales_hourly'], []],
    ['2030-01-02', [], ['sales_hourly', 'group_sales_hourly']],
  ])
  expect(await database.admin('select sum(count)::int as count from group_sales_hourly group by group_id')).toEqual([
    { count: 8 },
    { count: 8 },
  ])
  expect(await database.admin('select count from sales_hourly order by hour')).toEqual([{ count: 7 }, { count: 1 }])
})
