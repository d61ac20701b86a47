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
