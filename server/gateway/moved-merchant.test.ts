import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { distribute } from '#database/distribute/distribute.ts'
import { moveMerchant, UnplacedMerchantError } from '#database/distribute/move.ts'
import { runLoad } from '#simulator/load/run-load.ts'
import { nodeUrls } from '#testkit/cluster/nodes.ts'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'

async function ownerOf({ adminUrl }: TestDatabase) {
  const owner = new pg.Client({ connectionString: adminUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  return owner
}

async function nodeOf({ admin }: TestDatabase, merchantId: string) {
  const [place] = await admin<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_placement join pg_dist_node using (groupid)
     where shardid = get_shard_id_for_distribution_column('merchant_settings', $1::uuid)`,
    [merchantId],
  )
  return place?.node
}

/** A merchant's node, and another one. */
async function twoNodes(database: TestDatabase, merchantId: string) {
  const home = await nodeOf(database, merchantId)
  const other = nodeUrls
    .slice(1)
    .map((url) => new URL(url).host)
    .find((host) => host !== home)
  if (home === undefined || other === undefined) throw new Error('There is no second node.')
  return { home, other }
}

/** How often each machine's sales are stored and counted. */
async function salesOf({ admin }: TestDatabase, machineId: string) {
  const [sales] = await admin<{ rows: number; numbers: number }>(
    'select count(*)::int as rows, count(distinct seq)::int as numbers from transactions where machine_id = $1',
    [machineId],
  )
  const [sums] = await admin<{ summed: number }>(
    'select coalesce(sum(count), 0)::int as summed from sales_hourly where machine_id = $1',
    [machineId],
  )
  return { ...sales, ...sums }
}

/** Distributed tables that are not guarded against their owner. */
const openTables = ({ admin }: TestDatabase) =>
  admin(
    `select relname from pg_class join pg_dist_partition on logicalrelid = oid where relrowsecurity and not relforcerowsecurity`,
  )

/** Ends the connection that moves a merchant, once it has done so for a second. */
async function killMove({ admin }: TestDatabase): Promise<void> {
  for (;;) {
    const ended = await admin(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'active'
       and query like 'select citus_move_shard%' and query_start < clock_timestamp() - interval '1 second'`,
    )
    if (ended.length > 0) return
    await pause(100)
  }
}

test('a merchant moves to another node and back while its machines sell: no sale is lost or doubled', async () => {
  const database = await aDatabase()
  const merchants = await Promise.all(Array.from({ length: 4 }, () => aMerchant(database)))
  const machines = await Promise.all(merchants.flatMap(({ id }) => [1, 2, 3].map(() => aMachine(database, id))))
  const members = machines.map(({ serial, secret, epoch }) => ({ serial, secret, epoch, lastSeq: 0 }))
  const server = await aGateway(database)
  const owner = await ownerOf(database)
  const merchantId = merchants[0]?.id ?? ''
  const { home, other } = await twoNodes(database, merchantId)

  const steps: string[] = []
  const moves = Promise.withResolvers<void>()
  async function moveThereAndBack() {
    await moveMerchant(owner, merchantId, other, (step) => steps.push(step))
    expect(await nodeOf(database, merchantId)).toBe(other)
    await moveMerchant(owner, merchantId, home, (step) => steps.push(step))
    expect(await nodeOf(database, merchantId)).toBe(home)
  }
  const report = await runLoad({
    broker: server.mqttUrl,
    timeZone: 'Europe/Rome',
    members,
    rate: 30,
    seconds: 2,
    itemsPerMessage: 1,
    duplicated: 0,
    reordered: 0,
    patienceSeconds: 60,
    onReady: () => void moveThereAndBack().then(moves.resolve, moves.reject),
    until: moves.promise,
  })
  await moves.promise
  expect(steps).toHaveLength(4)
  expect(report).toMatchObject({ committed: report.sent, lost: 0 })
  for (const { id, serial } of machines) {
    const last = report.acknowledgedUpTo.get(serial)
    expect(await salesOf(database, id)).toEqual({ rows: last, numbers: last, summed: last })
  }
  expect(await openTables(database)).toEqual([])
})

test('after a killed move the merchant is where it was, its tables are guarded again, and a second move succeeds', async () => {
  const database = await aDatabase()
  const { id } = await aMerchant(database)
  const machine = await aMachine(database, id)
  const { home, other } = await twoNodes(database, id)
  const owner = await ownerOf(database)
  owner.on('error', () => {})
  const kill = killMove(database)
  await expect(moveMerchant(owner, id, other, () => {})).rejects.toThrow()
  await kill
  expect(await nodeOf(database, id)).toBe(home)

  const next = await ownerOf(database)
  expect((await distribute(next, () => {})).length).toBeGreaterThan(100)
  expect(await openTables(database)).toEqual([])
  await moveMerchant(next, id, other, () => {})
  expect(await nodeOf(database, id)).toBe(other)
  expect(await database.admin('select id from machines where merchant_id = $1', [id])).toEqual([{ id: machine.id }])
})

test('a merchant on the node already stays, and a merchant that does not exist is refused', async () => {
  const database = await aDatabase()
  const owner = await ownerOf(database)
  const { id } = await aMerchant(database)
  const { home } = await twoNodes(database, id)
  const steps: string[] = []
  await moveMerchant(owner, id, home, (step) => steps.push(step))
  expect(steps).toEqual([`Nothing to do: the merchant is on ${home}.`])
  const unknown = moveMerchant(owner, crypto.randomUUID(), home, () => {})
  await expect(unknown).rejects.toThrow(UnplacedMerchantError)
})
