import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { aFolder, ask, started } from '#testkit/servers/embedded-postgres.ts'
import { migrate } from './migrate.ts'

test('a migrated database stays unchanged', async () => {
  const { adminUrl } = await aDatabase()
  expect(await migrate(adminUrl)).toEqual([])
})

test('an edited migration is refused once it has been applied', async () => {
  const database = await aDatabase()
  await database.admin(`update migrations set digest = 'another' where name = '0002_merchants.sql'`)
  await expect(migrate(database.adminUrl)).rejects.toThrow('0002_merchants.sql was changed')
})

test('a database with other migrations is refused and not changed', async () => {
  const database = await aDatabase()
  await database.admin(`update migrations set name = '0001_another.sql' where name = '0001_frame.sql'`)
  await expect(migrate(database.adminUrl)).rejects.toThrow('begin with an empty one')
  expect(await database.admin(`select 1 from migrations where name = '0001_frame.sql'`)).toEqual([])
})

test('an older program runs beside a newer one whose migrations only add, and says so', async () => {
  const database = await aDatabase()
  await database.admin(`insert into migrations (name, digest, version) values ('9001_more.sql', 'x', '7.1.0')`)
  const newer: string[] = []
  expect(await migrate(database.adminUrl, { onNewer: (version) => newer.push(version) })).toEqual([])
  expect(newer).toEqual(['7.1.0'])
})

test('an older program refuses a schema that lacks what it needs, and says which version to start', async () => {
  const database = await aDatabase()
  await database.admin(`insert into migrations (name, digest, version, contracts, applied_at) values
    ('9001_more.sql', 'x', '7.1.0', false, '2027-01-01 10:00Z'), ('9002_less.sql', 'x', '7.2.0', true, '2027-01-02 10:00Z')`)
  await expect(migrate(database.adminUrl)).rejects.toThrow(
    'This database was upgraded by Gettone 7.2.0 at 2027-01-02T10:00:00.000Z and lacks what this version needs: start that version or a later one, or restore a backup from before.',
  )
})

test('an owner who may create roles and is no superuser migrates an empty server', async () => {
  const server = await started(aFolder())
  await ask(server.url, `create role owner login createrole password 'owner'`)
  await ask(server.url, 'create database gettone_owned owner owner')
  const ownerUrl = Object.assign(new URL(server.url), {
    username: 'owner',
    password: 'owner',
    pathname: '/gettone_owned',
  })
  expect((await migrate(ownerUrl.href)).length).toBeGreaterThan(100)
  expect(await migrate(ownerUrl.href)).toEqual([])
}, 60_000)

test('an owner who is no superuser, as services of PostgreSQL give one, sees and changes rows of all merchants in migrations', async () => {
  const database = await aDatabase()
  const role = `owner_${randomUUID().slice(0, 8)}`
  const url = new URL(database.adminUrl)
  const name = `${url.pathname.slice(1)}_owned`
  await database.admin(`create role ${role} login createrole password 'owner'`)
  await database.admin(`grant gettone_app, gettone_system to ${role} with admin option`)
  await database.admin(`create database ${name} owner ${role}`)
  onTestFinished(async () => {
    const again = new pg.Client(database.adminUrl)
    await again.connect()
    await again.query(`drop database ${name} with (force)`)
    await again.query(`drop owned by ${role}`)
    await again.query(`drop role ${role}`)
    await again.end()
  })
  const ownerUrl = Object.assign(new URL(url), { username: role, password: 'owner', pathname: `/${name}` }).href
  await migrate(ownerUrl)

  const [owner, superuser] = [ownerUrl, Object.assign(new URL(url), { pathname: `/${name}` }).href].map(
    (connectionString) => new pg.Client({ connectionString }),
  ) as [pg.Client, pg.Client]
  await Promise.all([owner.connect(), superuser.connect()])
  onTestFinished(async () => void (await Promise.all([owner.end(), superuser.end()])))
  await aMerchant({ admin: async (text, values) => (await superuser.query(text, values as unknown[])).rows })
  const { rowCount } = await owner.query('update merchant_settings set version = version + 1')
  expect(rowCount).toBe(1)
  const { rows } = await owner.query(`
    select count(*)::int as forced, count(*) filter (where not exists
      (select 1 from pg_policy p where p.polrelid = c.oid and c.relowner = any(p.polroles)))::int as shut
    from pg_class c where c.relforcerowsecurity`)
  expect(rows[0].forced).toBeGreaterThan(60)
  expect(rows[0].shut).toBe(0)
}, 60_000)
