import { expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
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
