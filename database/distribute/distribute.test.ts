import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { tables } from '../frame/registry.ts'
import { distribute, NoCoordinatorError, readCatalog } from './distribute.ts'
import { moveLock } from './move.ts'
import { type Catalog, planOf } from './plan.ts'

const named = (kind: string) => Object.entries(tables).flatMap(([name, is]) => (is === kind ? [name] : []))
const nothing: Catalog = { distributed: new Set(), policies: [], keys: [], functions: [], deafRoles: [], unforced: [] }

async function ownerOf({ adminUrl }: TestDatabase) {
  const owner = new pg.Client({ connectionString: adminUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  return owner
}

/** The parts of Citus that a run uses: functions that record their calls, and the list of tables. */
const stub = `
  create table pg_dist_partition (logicalrelid regclass primary key, key text, beside text);
  create table pg_dist_object (classid oid, objid oid);
  create function create_distributed_function(name regprocedure) returns void language sql as
    $$ insert into pg_dist_object values ('pg_proc'::regclass, name) $$;
  create function run_command_on_all_nodes(command text) returns table (result text) language plpgsql as $$
  begin
    return query execute command;
  end $$;
  create function create_reference_table(name regclass) returns void language sql as
    $$ insert into pg_dist_partition values (name) $$;
  create function create_distributed_table(name regclass, key text, colocate_with text) returns void language plpgsql as $$
  begin
    if exists (select 1 from pg_constraint where contype = 'f' and conparentid = 0 and name in (conrelid, confrelid)) then
      raise 'the foreign keys of % are still there', name;
    end if;
    if exists (select 1 from pg_policies where tablename = name::text and concat(qual, with_check) ~* 'select') then
      raise 'a policy of % has a sub-select', name;
    end if;
    insert into pg_dist_partition values (name, key, colocate_with);
  end $$;`

test('a run replaces policies, drops foreign keys, distributes the tables and restores the same keys', () => {
  const key = {
    table: 'groups',
    name: 'groups_merchant',
    target: 'merchants',
    definition: 'FOREIGN KEY (merchant_id) REFERENCES merchants(id)',
  }
  const steps = planOf({
    ...nothing,
    policies: [
      { table: 'groups', name: 'tenant', hasSubSelect: true },
      { table: 'clients', name: 'tenant', hasSubSelect: false },
      { table: 'users', name: 'tenant', hasSubSelect: true },
    ],
    keys: [key, { ...key, table: 'users', target: 'user_groups', name: 'local' }],
  })
  expect(steps.slice(0, 4).map(({ sql }) => sql)).toEqual([
    `alter policy "tenant" on "groups" using ("merchant_id" = any(nullif(current_setting('app.merchant_ids', true), '')::uuid[])) with check ("merchant_id" = any(nullif(current_setting('app.merchant_ids', true), '')::uuid[]))`,
    'alter table "groups" drop constraint "groups_merchant"',
    `select create_reference_table('merchants')`,
    `select create_distributed_table('merchant_settings', 'merchant_id', colocate_with => 'none')`,
  ])
  const spread = steps
    .filter(({ sql }) => sql.includes('create_distributed_table'))
    .map(({ does }) => does.split(':')[0])
  expect(spread.toSorted()).toEqual(named('tenant').toSorted())
  expect(steps.at(-1)?.sql).toBe(`alter table "groups" add constraint "groups_merchant" ${key.definition}`)
  expect(steps.filter(({ sql }) => sql.includes('constraint'))).toHaveLength(2)
})

test('a table added later is distributed alone, with its own keys', () => {
  const all = [...named('tenant'), ...named('reference')]
  const keys = ['notes', 'alarms'].map((table) => ({
    table,
    name: `${table}_machine`,
    target: 'machines',
    definition: 'FOREIGN KEY …',
  }))
  const steps = planOf({ ...nothing, distributed: new Set(all.filter((name) => name !== 'notes')), keys })
  expect(steps.map(({ does }) => does)).toEqual([
    'notes: foreign key notes_machine dropped',
    'notes: distributed by merchant_id',
    'notes: foreign key notes_machine added',
  ])
  expect(planOf({ ...nothing, distributed: new Set(all), keys })).toEqual([])
})

test('a real schema is prepared once: all keys are restored, policies work without sub-selects, and a second run changes nothing', async () => {
  const database = await aDatabase()
  const owner = await ownerOf(database)
  await expect(distribute(owner, () => {})).rejects.toThrow(NoCoordinatorError)
  await owner.query(stub)
  const before = await readCatalog(owner)
  expect(before.keys.length).toBeGreaterThan(30)
  const lines: string[] = []
  const steps = await distribute(owner, (line) => lines.push(line))
  expect(lines).toEqual(steps.map(({ does }) => does))
  const after = await readCatalog(owner)
  expect(after.keys).toEqual(before.keys)
  expect(after.policies.filter(({ hasSubSelect }) => hasSubSelect)).toEqual([])
  expect([...after.distributed].sort()).toEqual([...named('tenant'), ...named('reference')].sort())
  const { rows } = await owner.query('select distinct key, beside from pg_dist_partition order by 1, 2')
  expect(rows).toEqual([
    { key: 'merchant_id', beside: 'merchant_settings' },
    { key: 'merchant_id', beside: 'none' },
    { key: null, beside: null },
  ])
  expect(await distribute(owner, () => {})).toEqual([])

  const ownMerchant = await aMerchant(database)
  const other = await aMerchant(database)
  await aMachine(database, other.id)
  const machine = await aMachine(database, ownMerchant.id)
  const visible = await database.withTenant(wholeMerchant(ownMerchant.id), (db) =>
    db.from('machines').select('machines.id').execute(),
  )
  expect(visible).toEqual([{ id: machine.id }])
  const foreign = database.withTenant(wholeMerchant(ownMerchant.id), (db) =>
    db.query
      .insertInto('groups')
      .values({ merchant_id: other.id, id: crypto.randomUUID(), name: 'x', created_at: new Date() })
      .execute(),
  )
  await expect(foreign).rejects.toMatchObject({ code: '42501' })
})

test('a failed run leaves keys and policies unchanged', async () => {
  const database = await aDatabase()
  const owner = await ownerOf(database)
  await owner.query(`${stub}
    create or replace function create_distributed_table(name regclass, key text, colocate_with text) returns void
      language plpgsql as $$ begin raise 'a node is away'; end $$;`)
  const before = await readCatalog(owner)
  await expect(distribute(owner, () => {})).rejects.toThrow('a node is away')
  expect(await readCatalog(owner)).toEqual(before)
})

test('a role that does not send its settings to every node is set first', () => {
  const [first] = planOf({ ...nothing, deafRoles: ['gettone_app'] })
  expect(first?.sql).toBe(`alter role "gettone_app" set citus.propagate_set_commands = 'local'`)
})

test('a table that the move of a merchant left open to its owner is guarded again', async () => {
  const database = await aDatabase()
  const owner = await ownerOf(database)
  await owner.query(stub)
  await distribute(owner, () => {})
  await owner.query('alter table machines no force row level security')
  const moving = await ownerOf(database)
  await moving.query(`select pg_advisory_lock(${moveLock})`)
  expect(await distribute(owner, () => {})).toEqual([])
  await moving.query(`select pg_advisory_unlock(${moveLock})`)
  const steps = await distribute(owner, () => {})
  expect(steps.map(({ does }) => does)).toEqual(['machines: guarded against its owner again'])
  expect(await distribute(owner, () => {})).toEqual([])
})

test('a tenant table that a later migration guards is distributed by it, and has no sub-select in its policies', async () => {
  const database = await aDatabase()
  const owner = await ownerOf(database)
  await owner.query(
    `create table earlier_things (merchant_id uuid primary key); call guard_tenant_table('earlier_things')`,
  )
  await owner.query(stub)
  await owner.query(`insert into pg_dist_partition values ('merchants')`)
  await owner.query(`create table later_things (merchant_id uuid primary key); call guard_tenant_table('later_things')`)
  const { rows } = await owner.query(
    'select logicalrelid::text as name, key, beside from pg_dist_partition where key is not null',
  )
  expect(rows).toEqual([{ name: 'later_things', key: 'merchant_id', beside: 'merchant_settings' }])
  const { policies } = await readCatalog(owner)
  const hasSubSelect = (table: string) => policies.filter((one) => one.table === table).some((one) => one.hasSubSelect)
  expect([hasSubSelect('earlier_things'), hasSubSelect('later_things')]).toEqual([true, false])
})
