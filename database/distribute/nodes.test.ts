import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { nodeUrls } from '#testkit/cluster/nodes.ts'
import { aDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { withoutGuard } from '#testkit/statement-guard.ts'
import { tables, views } from '../frame/registry.ts'
import { distribute } from './distribute.ts'
import { joinNodes } from './nodes.ts'

const named = (kind: string) => Object.entries(tables).flatMap(([name, is]) => (is === kind ? [name] : []))

beforeAll(() => expect(nodeUrls.length).toBeGreaterThan(1))

async function ownerOf({ adminUrl }: TestDatabase) {
  const owner = new pg.Client({ connectionString: adminUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  return owner
}

test('every tenant table is distributed, and a second run of each step finds nothing', async () => {
  const database = await aDatabase()
  const kindOf = (type: string) =>
    database.admin<{ name: string }>(
      `select table_name::text as name from citus_tables where citus_table_type = $1
       and table_name not in (select inhrelid::regclass from pg_inherits)`,
      [type],
    )
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name).toSorted()
  expect(names(await kindOf('distributed'))).toEqual(named('tenant').toSorted())
  expect(names(await kindOf('reference'))).toEqual(named('reference').toSorted())
  expect(await distribute(await ownerOf(database), () => {})).toEqual([])
  const workers = nodeUrls.slice(1).map((url) => new URL(url).host)
  expect(await joinNodes(database.adminUrl, workers, () => {})).toBe(0)
})

test('every tenant table and view can be read by its merchant, and by no other', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const other = await aMerchant(database)
  await database.withTenant(wholeMerchant(merchant.id), async (db) => {
    for (const name of [...named('tenant'), ...views])
      await sql`select * from ${sql.table(name)} where merchant_id = ${merchant.id} limit 1`.execute(db.query)
  })
  const idsFor = (id: string) =>
    database.withTenant(wholeMerchant(id), (db) =>
      withoutGuard(async () => (await sql<{ id: string }>`select id from machines`.execute(db.query)).rows),
    )
  expect(await idsFor(merchant.id)).toEqual([{ id: machine.id }])
  expect(await idsFor(other.id)).toEqual([])
})

test('a later migration distributes its own table, with its keys and months', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const owner = await ownerOf(database)
  for (const statement of [
    'begin',
    `set local citus.multi_shard_modify_mode = 'sequential'`,
    `create table later_rows (merchant_id uuid not null, machine_id uuid not null, at timestamptz not null,
      primary key (merchant_id, machine_id, at)) partition by range (at)`,
    `call guard_tenant_table('later_rows')`,
    'create table later_things (merchant_id uuid not null, machine_id uuid not null, primary key (merchant_id, machine_id))',
    `call guard_tenant_table('later_things')`,
    'alter table later_things add foreign key (merchant_id, machine_id) references machines (merchant_id, id)',
    'alter table later_things add foreign key (merchant_id) references merchants (id)',
    'alter table machines add column later int',
    'create index machines_by_later on machines (merchant_id, later)',
    'commit',
  ])
    await owner.query(statement)
  await owner.query('select ensure_partitions(now(), now())')
  const { rows } = await owner.query(
    `select count(*)::int as n from pg_dist_partition where logicalrelid::text like 'later_%'`,
  )
  expect(rows).toEqual([{ n: 3 }])
  const add = (merchantId: string, machineId: string) =>
    database.withTenant(wholeMerchant(merchant.id), (db) =>
      withoutGuard(() => sql`insert into later_things values (${merchantId}, ${machineId})`.execute(db.query)),
    )
  await add(merchant.id, machine.id)
  await expect(add(merchant.id, randomUUID())).rejects.toMatchObject({ code: '23503' })
  await expect(add(randomUUID(), machine.id)).rejects.toMatchObject({ code: '42501' })
})

test('a later migration changes the rows of all merchants, with those of other tables', async () => {
  const database = await aDatabase()
  const machines = await Promise.all(
    Array.from({ length: 6 }, async () => aMachine(database, (await aMerchant(database)).id)),
  )
  const owner = await ownerOf(database)
  for (const statement of [
    'begin',
    `set local citus.multi_shard_modify_mode = 'sequential'`,
    'alter table machines add column later text',
    `create table later_counts (merchant_id uuid primary key, machines int not null)`,
    `call guard_tenant_table('later_counts')`,
    `update machines set later = lower(serial)`,
    `insert into later_counts select merchant_id, count(*) from machines group by 1`,
    `update later_counts c set machines = c.machines + m.length
     from (select merchant_id, max(length(later)) as length from machines group by 1) m where m.merchant_id = c.merchant_id`,
    `delete from later_counts c using machines m where m.merchant_id = c.merchant_id and m.id = '${machines[0]?.id}'`,
    'commit',
  ])
    await owner.query(statement)
  const { rows } = await owner.query<{ serial: string; later: string; machines: number | null }>(
    `select m.serial, m.later, c.machines from machines m left join later_counts c on c.merchant_id = m.merchant_id`,
  )
  expect(rows.toSorted((one, other) => (one.serial < other.serial ? -1 : 1))).toEqual(
    machines
      .map(({ serial }, place) => ({
        serial,
        later: serial.toLowerCase(),
        machines: place === 0 ? null : 1 + serial.length,
      }))
      .toSorted((one, other) => (one.serial < other.serial ? -1 : 1)),
  )
})
