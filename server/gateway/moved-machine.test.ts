import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { runLoad } from '#simulator/load/run-load.ts'
import { aDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'

/** Moves a machine to another merchant in one transaction. Its sales stay; its journal and secret move with it, to another node too. */
async function move(database: TestDatabase, { id, merchantId }: TestMachine, to: string): Promise<void> {
  const owner = new pg.Client({ connectionString: database.adminUrl })
  await owner.connect()
  const copy = async (table: string, key: string) => {
    const { rows } = await owner.query<{ names: string }>(
      `select string_agg(column_name, ', ') as names from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
      [table],
    )
    const { rows: found } = await owner.query<{ row: object }>(
      `select to_jsonb(t) as row from ${table} t where merchant_id = $1 and ${key} = $2 for update`,
      [merchantId, id],
    )
    await owner.query(
      `insert into ${table} (${rows[0]?.names}) select ${rows[0]?.names} from jsonb_populate_record(null::${table}, $1)`,
      [{ ...found[0]?.row, merchant_id: to, ...(table === 'machines' && { group_id: null }) }],
    )
  }
  try {
    await owner.query('begin')
    await copy('machines', 'id')
    for (const table of ['machine_journals', 'machine_secrets']) {
      await copy(table, 'machine_id')
      await owner.query(`delete from ${table} where merchant_id = $1 and machine_id = $2`, [merchantId, id])
    }
    await owner.query('update machine_directory set merchant_id = $2 where machine_id = $1', [id, to])
    await owner.query('commit')
  } finally {
    await owner.end()
  }
}

test('when a machine moves to another merchant in mid-stream, each sale belongs once to the merchant of its moment', async () => {
  const database = await aDatabase()
  const before = await aMerchant(database)
  const after = await aMerchant(database)
  const machine = await aMachine(database, before.id)
  const server = await aGateway(database)
  const { promise: ready, resolve: onReady } = Promise.withResolvers<void>()
  const moving = ready
    .then(() => pause(1_500))
    .then(() => move(database, machine, after.id))
    .then(() => pause(1_500))
  const report = await runLoad({
    broker: server.mqttUrl,
    members: [{ serial: machine.serial, secret: machine.secret, epoch: 1, lastSeq: 0 }],
    timeZone: 'Europe/Rome',
    rate: 100,
    seconds: 1,
    itemsPerMessage: 1,
    duplicated: 0.1,
    reordered: 0,
    patienceSeconds: 30,
    onReady,
    until: moving,
  })
  expect(report.lost).toBe(0)

  const seenBy = (merchantId: string) =>
    database.withTenant(wholeMerchant(merchantId), async (db) => {
      const rows = await db.from('transactions').select(['seq', 'merchant_id']).orderBy('seq').execute()
      const hours = await db.from('sales_hourly').select('count').execute()
      return {
        merchants: [...new Set(rows.map(({ merchant_id }) => merchant_id))],
        seqs: rows.map(({ seq }) => Number(seq)),
        summed: hours.reduce((sum, { count }) => sum + Number(count), 0),
      }
    })
  const old = await seenBy(before.id)
  const young = await seenBy(after.id)
  expect([old.merchants, young.merchants]).toEqual([[before.id], [after.id]])
  expect(old.seqs.length).toBeGreaterThan(0)
  expect(young.seqs.length).toBeGreaterThan(0)
  expect([...old.seqs, ...young.seqs]).toEqual(Array.from({ length: report.sent }, (_, index) => index + 1))
  expect([old.summed, young.summed]).toEqual([old.seqs.length, young.seqs.length])
}, 90_000)
