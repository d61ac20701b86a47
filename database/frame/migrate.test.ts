import { expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { migrate } from './migrate.ts'

test('a migrated database is left as it is', async () => {
  const { adminUrl } = await aDatabase()
  expect(await migrate(adminUrl)).toEqual([])
})

test('a migration that was edited after it had been applied is refused', async () => {
  const database = await aDatabase()
  await database.admin(`update migrations set digest = 'another' where name = '0002_merchants.sql'`)
  await expect(migrate(database.adminUrl)).rejects.toThrow('0002_merchants.sql was changed')
})

test('a database that begins with another set of migrations is refused and not touched', async () => {
  const database = await aDatabase()
  await database.admin(`update migrations set name = '0001_another.sql' where name = '0001_frame.sql'`)
  await expect(migrate(database.adminUrl)).rejects.toThrow('begin with an empty one')
  expect(await database.admin(`select from migrations where name = '0001_frame.sql'`)).toEqual([])
})
