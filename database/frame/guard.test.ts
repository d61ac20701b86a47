import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aGroup, aMachine, aMerchant } from '#testkit/fixtures.ts'
import { withoutGuard } from '#testkit/statement-guard.ts'
import { isDistributed } from './distributed.ts'
import { tables } from './registry.ts'
import { systemReasons } from './system-reasons.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

describe('the catalog', () => {
  interface Row {
    name: string
    owner: string
    enabled: boolean
    forced: boolean
    kind: string
  }
  const catalog = () =>
    database.admin<Row & Record<string, unknown>>(
      `select c.relname as name, pg_get_userbyid(c.relowner) as owner, c.relrowsecurity as enabled,
         c.relforcerowsecurity as forced, c.relkind as kind
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
    )
  const guarded = Object.entries(tables).filter(([, kind]) => kind !== 'local')
  const tenant = Object.entries(tables).filter(([, kind]) => kind === 'tenant')
  /** The owner's functions change their rows. */
  const changedByOwner = ['archived_months', 'machine_stock']

  test('the registry lists every table, and only tables', async () => {
    const rows = await catalog()
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.map((row) => row.name).sort()).toEqual(Object.keys(tables).sort())
  })

  test.each(guarded)('%s has forced row-level security, and no product role owns it', async (name) => {
    const row = (await catalog()).find((one) => one.name === name)
    expect(row).toMatchObject({ enabled: true, forced: true })
    expect(['gettone_app', 'gettone_system']).not.toContain(row?.owner)
    const policies = await database.admin(
      `select roles::text as roles, cmd, qual is not null as has_using, with_check is not null as has_check
       from pg_policies where schemaname = 'public' and tablename = $1 order by 1`,
      [name],
    )
    const roles = ['gettone_app', 'gettone_system', ...(changedByOwner.includes(name) ? [String(row?.owner)] : [])]
    expect(policies).toEqual(
      roles.map((role) => ({ roles: `{${role}}`, cmd: 'ALL', has_using: true, has_check: true })),
    )
  })

  test('policies read the merchants of the scope once per statement, not once per row; on several nodes without a sub-select', async () => {
    const other = await database.admin<{ name: string }>(
      `select tablename as name from pg_policies
       where schemaname = 'public' and roles = '{gettone_app}' and (qual ~* '\\mselect\\M' and with_check ~* '\\mselect\\M') = $1`,
      [isDistributed()],
    )
    expect(other).toEqual([])
  })

  test.each(tenant)('%s: merchant_id leads its primary key, unique and foreign keys', async (name) => {
    const keys = await database.admin<{ def: string }>(
      `select pg_get_constraintdef(oid) as def from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'f')`,
      [name],
    )
    expect(keys.length).toBeGreaterThan(0)
    for (const { def } of keys) expect(def).toMatch(/^(PRIMARY KEY|UNIQUE|FOREIGN KEY) \(merchant_id/)
    const unique = await database.admin<{ def: string }>(
      `select pg_get_indexdef(indexrelid) as def from pg_index where indrelid = $1::regclass and indisunique`,
      [name],
    )
    for (const { def } of unique) expect(def).toMatch(/\(merchant_id/)
  })

  test('the tenant role cannot read local tables', async () => {
    for (const [name, kind] of Object.entries(tables)) {
      if (kind !== 'local') continue
      const [row] = await database.admin<{ may: boolean }>(
        `select has_table_privilege('gettone_app', $1, 'select, insert, update, delete') as may`,
        [name],
      )
      expect(row, name).toEqual({ may: false })
    }
  })

  test('neither role is a superuser, bypasses row-level security or may create roles', async () => {
    const rows = await database.admin(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname in ('gettone_app', 'gettone_system')`,
    )
    const none = { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false }
    expect(rows).toEqual([none, none])
  })

  test('no tenant table has a trigger', async () => {
    const rows = await database.admin(
      `select tgrelid::regclass::text as table from pg_trigger where not tgisinternal
       and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
    )
    expect(rows).toEqual([])
  })
})

describe('the tenant door', () => {
  test('a query without a scope sees no rows, and the connection keeps no scope', async () => {
    const { id } = await aMerchant(database)
    const count = (scope: Parameters<TestDatabase['withTenant']>[0]) =>
      database.withTenant(scope, async (db) => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from merchants`.execute(db.query)
        return rows[0]?.n
      })
    expect(await count(wholeMerchant(id))).toBe(1)
    for (let again = 0; again < 10; again++) expect(await count([])).toBe(0)
  })

  test('hand-written SQL cannot read, write or move rows of another merchant', async () => {
    const ownMerchant = await aMerchant(database)
    const otherMerchant = await aMerchant(database)
    const machine = await aMachine(database, otherMerchant.id)
    const run = (text: ReturnType<typeof sql>) =>
      withoutGuard(() => database.withTenant(wholeMerchant(ownMerchant.id), (db) => text.execute(db.query)))
    expect((await run(sql`select 1 from machines where id = ${machine.id}`)).rows).toEqual([])
    expect((await run(sql`update machines set name = 'x' where id = ${machine.id}`)).numAffectedRows).toBe(0n)
    expect((await run(sql`delete from machines where id = ${machine.id}`)).numAffectedRows).toBe(0n)
    const refused = expect.objectContaining({ code: '42501' })
    await expect(
      run(
        sql`insert into groups (merchant_id, id, name, created_at) values (${otherMerchant.id}, gen_random_uuid(), 'x', now())`,
      ),
    ).rejects.toEqual(refused)
    const ownGroup = await aGroup(database, ownMerchant.id)
    // Several nodes refuse to move any row.
    await expect(
      run(sql`update groups set merchant_id = ${otherMerchant.id} where id = ${ownGroup}`),
    ).rejects.toMatchObject({ code: isDistributed() ? '0A000' : '42501' })
    await expect(run(sql`select 1 from users`)).rejects.toEqual(refused)
    await expect(run(sql`select 1 from ${sql.table(`transactions_${monthNow()}`)}`)).rejects.toEqual(refused)
  })

  test('groups of a scope narrow tables of machines; pairs are not merged', async () => {
    const a = await aMerchant(database)
    const b = await aMerchant(database)
    const a1 = await aGroup(database, a.id)
    const a2 = await aGroup(database, a.id)
    const b1 = await aGroup(database, b.id)
    const visible = [await aMachine(database, a.id, { groupId: a1 }), await aMachine(database, b.id, { groupId: b1 })]
    await aMachine(database, a.id, { groupId: a2 })
    await aMachine(database, b.id)
    const scope = [
      { merchantId: a.id, groups: [a1, b1] },
      { merchantId: b.id, groups: [b1, a2] },
    ]
    const rows = await database.withTenant(scope, (db) => db.from('machines').select('machines.id').execute())
    expect(rows.map((row) => row.id).sort()).toEqual(visible.map((machine) => machine.id).sort())
    const all = await database.withTenant([{ merchantId: a.id, groups: [] }], (db) =>
      db.from('machines').select('machines.id').execute(),
    )
    expect(all).toEqual([])
  })

  test('a failed transaction stores nothing and runs no callback', async () => {
    const { id } = await aMerchant(database)
    let announced = 0
    const work = database.withTenant(wholeMerchant(id), async (db) => {
      db.afterCommit(() => announced++)
      await sql`insert into groups (merchant_id, id, name, created_at) values (${id}, gen_random_uuid(), 'x', now())`.execute(
        db.query,
      )
      throw new Error('on purpose')
    })
    await expect(work).rejects.toThrow('on purpose')
    const rows = await database.withTenant(wholeMerchant(id), (db) => db.from('groups').select('groups.id').execute())
    expect([rows, announced]).toEqual([[], 0])
  })

  test('change logs are append-only; tenants cannot read the provider’s', async () => {
    const { id } = await aMerchant(database)
    const run = (text: ReturnType<typeof sql>) =>
      withoutGuard(() => database.withTenant(wholeMerchant(id), (db) => text.execute(db.query)))
    await run(sql`insert into change_log (merchant_id, id, at, user_name, action, subject_type, subject_id)
      values (${id}, gen_random_uuid(), now(), 'x', 'x', 'x', 'x')`)
    const refused = expect.objectContaining({ code: '42501' })
    await expect(run(sql`update change_log set user_name = 'y'`)).rejects.toEqual(refused)
    await expect(run(sql`delete from change_log`)).rejects.toEqual(refused)
    const asSystem = (text: ReturnType<typeof sql>) =>
      withoutGuard(() => database.withSystem('health', (db) => text.execute(db)))
    await expect(asSystem(sql`delete from change_log`)).rejects.toEqual(refused)
    await asSystem(sql`insert into provider_log (id, at, user_id, user_name, action, subject_type, subject_id)
      values (gen_random_uuid(), now(), gen_random_uuid(), 'x', 'x', 'x', 'x')`)
    await expect(asSystem(sql`update provider_log set user_name = 'y'`)).rejects.toEqual(refused)
    await expect(asSystem(sql`delete from provider_log`)).rejects.toEqual(refused)
    await expect(run(sql`select 1 from provider_log`)).rejects.toEqual(refused)
  })

  test('a scope without a valid UUID is refused before any SQL', async () => {
    await expect(database.withTenant([{ merchantId: "'; drop", groups: 'all' }], async () => 1)).rejects.toThrow('UUID')
  })
})

test('every system call gives a listed reason, and every listed reason is used', () => {
  const root = join(import.meta.dirname, '..', '..')
  const files = ['database', 'server', 'simulator', 'demo'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  )
  const used = new Set(
    files.flatMap((text) => [...text.matchAll(/withSystem\(\s*'([^']+)'/g)].map((match) => match[1])),
  )
  expect(used.size).toBeGreaterThan(3)
  expect([...used].sort()).toEqual(Object.keys(systemReasons).sort())
})

const monthNow = () => new Date().toISOString().slice(0, 7).replace('-', '_')
