import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runLoad } from '#simulator/load/run-load.ts'
import { aDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'

/** Moves a machine to another merchant in one transaction. Its sales stay; its journal and secret move with it. */
async function move(database: TestDatabase, { id, merchantId }: TestMachine, to: string): Promise<void> {
  const [columns] = await database.admin<{ names: string; values: string }>(
    `select string_agg(column_name, ', ') as names, string_agg('(moved).' || column_name, ', ') as values
     from information_schema.columns where table_name = 'machines' and is_generated = 'NEVER'`,
  )
  await database.admin(
    `with moved as (
       select jsonb_populate_record(m, jsonb_build_object('merchant_id', $3::uuid, 'group_id', null)) as moved
       from machines m where merchant_id = $2 and id = $1
     ), copied as (
       insert into machines (${columns?.names}) select ${columns?.values} from moved returning id
     ), journal as (
       update machine_journals set merchant_id = $3 from copied where merchant_id = $2 and machine_id = copied.id
     ), secret as (
       update machine_secrets set merchant_id = $3 from copied where merchant_id = $2 and machine_id = copied.id
     )
     update machine_directory set merchant_id = $3 from copied where machine_id = copied.id`,
    [id, merchantId, to],
  )
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
