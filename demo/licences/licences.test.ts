import { expect, test } from 'vitest'
import { licenceStatuses } from '#contract/vocabulary/licence.ts'
import { hashOfKey } from '#server/licences/licence-secrets.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { addLicences } from './licences.ts'

test('the demo has licences in all statuses, and computers only for those with its keys', async () => {
  const database = await aDatabase()
  const { id: merchantId } = await aMerchant(database)
  for (let at = 0; at < 9; at++) await aMachine(database, merchantId)
  const config = { secretKey: 'a secret of the tests, long enough', PORT: 8080, publicUrl: 'http://localhost:8080' }
  const add = () => addLicences({ doors: database, config }, merchantId, new Date())
  const connectors = await add()
  const rows = await database.admin<{ status: number; key_hash: string | null }>(
    'select status, key_hash from licences where merchant_id = $1',
    [merchantId],
  )
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(Object.values(licenceStatuses)))
  expect(connectors).toHaveLength(3)
  const hashes = rows.filter(({ status }) => status === 3).map(({ key_hash }) => key_hash)
  expect(connectors.map(({ licenceKey }) => hashOfKey(licenceKey)).sort()).toEqual(hashes.sort())
  // A second start adds none, and leaves out the computer whose licence got another key.
  await database.admin(`update licences set key_hash = 'another' where key_hash = $1`, [hashes[0]])
  expect(await add()).toHaveLength(2)
  expect(await database.admin('select 1 from licences where merchant_id = $1', [merchantId])).toHaveLength(9)
})
