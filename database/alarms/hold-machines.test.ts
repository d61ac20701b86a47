import { expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { holdMachines } from './alarm-rule.ts'

test('machines of several merchants are locked in the order of their ids', async () => {
  const database = await aDatabase()
  const merchants = [await aMerchant(database), await aMerchant(database)]
  const machines = await Promise.all(merchants.map(({ id }) => aMachine(database, id)))
  const ids = machines.map(({ id }) => id).sort()
  const scope = merchants.map(({ id }) => ({ merchantId: id, groups: 'all' as const }))
  const held = await database.withTenant(scope, (db) => holdMachines(db, ids.toReversed()))
  expect(held.map(({ id }) => id)).toEqual(ids)
})
