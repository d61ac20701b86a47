import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Retention, retentionDefaults, retentionMaximum } from '#domain/frame/retention.ts'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { someBlobs } from '#testkit/servers/blobs.ts'
import type { Blobs } from '../files/blobs.ts'
import { dropExpired } from '../worker/drop-expired.ts'
import { ArchiveDamaged, linesIn } from './read-archive.ts'

const now = new Date('2030-06-15T12:00:00Z')
const retention: Retention = {
  ...(Object.fromEntries(
    Object.keys(retentionDefaults).map((table) => [table, retentionMaximum]),
  ) as unknown as Retention),
  transactions: 5,
}
const quickly = { pauseMs: 5 }
const december = (day: number) => ({ created_at: new Date(`2029-12-${day}T12:00:00.123456Z`) })

async function aDecember(sales = 3) {
  const database = await aDatabase()
  await database.admin(`select ensure_partitions('2029-12-01', '2030-01-01')`)
  await database.admin(
    `do $$ begin while drop_month('transactions', '2029-12-01', '{}', now()) is not null loop end loop; end $$`,
  )
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  for (let day = 10; day < 10 + sales; day++) await aSale(database, machine, december(day))
  return { database, merchantId: merchant.id, machine, blobs: someBlobs() }
}

interface Row {
  blob: string
  part: number
  rows: number
  sha256: string
  is_dropped: boolean
}
const filesOf = (database: TestDatabase, merchantId: string) =>
  database.admin<Row>(
    `select blob, part, rows::int, sha256, dropped_at is not null as is_dropped from archived_months
     where merchant_id = $1 and table_name = 'transactions' order by month, part`,
    [merchantId],
  )
const storedFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true })).filter((name) => /\.gz|\.part/.test(name)).map(String)
const liveRows = async (database: TestDatabase) =>
  (await database.admin<{ n: number }>('select count(*)::int as n from transactions'))[0]?.n
async function rowsIn(blobs: Blobs, file: Row | undefined) {
  const lines: string[] = []
  if (file) for await (const some of linesIn(blobs, file)) lines.push(...some)
  return lines.map((line) => JSON.parse(line) as { id: string; created_at: string; value: number })
}

/** What a killed worker leaves: the file store fails at once, or after the file is complete. */
const breaking = (blobs: Blobs, when: 'before' | 'within' | 'after'): Blobs => ({
  ...blobs,
  put: async (key, content, options) => {
    if (when === 'before') throw new Error('The disk is full.')
    if (when === 'within')
      return blobs.put(
        key,
        (async function* () {
          yield 'half'
          throw new Error('The disk is full.')
        })(),
      )
    await blobs.put(key, content, options)
    throw new Error('The worker is killed.')
  },
})

test('the rows of an expired month are in a verified file of their merchant before they are dropped', async () => {
  const { database, merchantId, machine, blobs } = await aDecember()
  const other = await aMachine(database, (await aMerchant(database)).id)
  await aSale(database, other, december(11))
  const [before] = await database.admin<{ rows: object[] }>(
    'select jsonb_agg(to_jsonb(t) order by created_at) as rows from transactions t where machine_id = $1',
    [machine.id],
  )
  const { dropped } = await dropExpired({ doors: database, blobs }, retention, now)
  expect(dropped).toContain('transactions_2029_12')
  expect(await liveRows(database)).toBe(0)
  const [file, ...others] = await filesOf(database, merchantId)
  expect(others).toEqual([])
  expect(file).toMatchObject({ rows: 3, part: 1, is_dropped: true })
  const rows = await rowsIn(blobs, file)
  expect(rows.map(({ created_at }) => new Date(created_at))).toEqual(
    [10, 11, 12].map((day) => december(day).created_at),
  )
  // Every column survives the way to the file and back.
  const [after] = await database.admin<{ rows: object[] }>(
    'select jsonb_agg(to_jsonb(t) order by created_at) as rows from jsonb_populate_recordset(null::transactions, $1) t',
    [JSON.stringify(rows)],
  )
  expect(after).toEqual(before)
  expect((await filesOf(database, other.merchantId))[0]).toMatchObject({ rows: 1 })
  const seenBy = (id: string) =>
    database.withTenant([{ merchantId: id, groups: 'all' }], (db) =>
      db.from('archived_months').select('archived_months.merchant_id').execute(),
    )
  expect(await seenBy(merchantId)).toEqual([{ merchant_id: merchantId }])
})

test('a file store that fails keeps the month, and the next run moves it once', async () => {
  const { database, merchantId, blobs } = await aDecember()
  for (const when of ['before', 'within', 'after'] as const) {
    const { dropped, failed } = await dropExpired({ doors: database, blobs: breaking(blobs, when) }, retention, now)
    expect(dropped).toEqual([])
    expect(failed).toMatchObject([{ table: 'transactions' }])
    expect(await liveRows(database)).toBe(3)
    expect(await filesOf(database, merchantId)).toEqual([])
  }
  await dropExpired({ doors: database, blobs }, retention, now)
  const files = await filesOf(database, merchantId)
  expect(files).toMatchObject([{ rows: 3, is_dropped: true }])
  expect(await rowsIn(blobs, files[0])).toHaveLength(3)
  expect(await storedFiles(blobs.folder)).toEqual([files[0]?.blob])
})

test('a worker that is killed between the file and the drop has lost and doubled nothing', async () => {
  const { database, merchantId, machine, blobs } = await aDecember()
  // The transaction that drops the month never commits, as after a kill.
  await database.admin(`create function refuse() returns event_trigger language plpgsql as $$ begin
    if tg_tag = 'DROP TABLE' then raise 'killed'; end if; end $$;
    create event trigger killed on ddl_command_start execute function refuse()`)
  const first = await dropExpired({ doors: database, blobs }, retention, now)
  expect(first).toMatchObject({
    dropped: [],
    failed: expect.arrayContaining([{ table: 'transactions', error: expect.anything() }]),
  })
  expect(await filesOf(database, merchantId)).toMatchObject([{ rows: 3, is_dropped: false }])
  expect(await liveRows(database)).toBe(3)
  await database.admin('drop event trigger killed')
  // A late row makes the file of the first run incomplete: it is written again.
  await aSale(database, machine, december(20))
  await dropExpired({ doors: database, blobs }, retention, now)
  const files = await filesOf(database, merchantId)
  expect(files).toMatchObject([{ rows: 4, is_dropped: true }])
  expect(await storedFiles(blobs.folder)).toEqual([files[0]?.blob])
})

test('a row that arrives between the file and the drop is in the file too', async () => {
  const { database, merchantId, machine, blobs } = await aDecember()
  let isLate = false
  const late: Blobs = {
    ...blobs,
    put: async (key, content, options) => {
      const size = await blobs.put(key, content, options)
      if (!isLate && key.includes('/transactions/')) {
        isLate = true
        await aSale(database, machine, december(20))
      }
      return size
    },
  }
  await dropExpired({ doors: database, blobs: late }, retention, now, quickly)
  expect(await filesOf(database, merchantId)).toMatchObject([{ rows: 4, is_dropped: true }])
})

test('rows that arrive after the drop become a second file of the month', async () => {
  const { database, merchantId, machine, blobs } = await aDecember()
  await dropExpired({ doors: database, blobs }, retention, now)
  await database.admin(`select ensure_partitions('2029-12-01', '2029-12-01')`)
  await aSale(database, machine, december(11))
  await dropExpired({ doors: database, blobs }, retention, now)
  expect(await filesOf(database, merchantId)).toMatchObject([
    { rows: 3, part: 1, is_dropped: true },
    { rows: 1, part: 2, is_dropped: true },
  ])
})

test('a damaged or missing file is not read as if it were whole', async () => {
  const { database, merchantId, blobs } = await aDecember()
  await dropExpired({ doors: database, blobs }, retention, now)
  const [file] = await filesOf(database, merchantId)
  const path = join(blobs.folder, file?.blob ?? '')
  const bytes = await readFile(path)
  // The header's time stamp: the content is unpacked without an error.
  bytes[4] = 1
  await writeFile(path, bytes)
  await expect(rowsIn(blobs, file)).rejects.toThrow(ArchiveDamaged)
  await writeFile(path, bytes.subarray(0, bytes.length - 20))
  await expect(rowsIn(blobs, file)).rejects.toThrow(ArchiveDamaged)
  await blobs.remove(file?.blob ?? '')
  await expect(rowsIn(blobs, file)).rejects.toThrow(ArchiveDamaged)
})
