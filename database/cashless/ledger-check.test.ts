import { randomUUIDv7 } from 'node:crypto'
import { expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { ledgerFaults, ledgerSize } from './ledger-check.ts'

test('the check names operations that do not balance, wrong balances and wrong reserved credit, of the right merchant', async () => {
  const database = await aDatabase()
  const { id: sound } = await aMerchant(database)
  const { id: merchantId } = await aMerchant(database)
  await aCredit(database, sound, await aMedia(database, sound), 100)
  const mediaId = await aMedia(database, merchantId)
  await aCredit(database, merchantId, mediaId, 500)
  expect(await ledgerFaults(database)).toEqual([])
  expect(await ledgerSize(database, merchantId)).toEqual({ operations: 1, accounts: 3 })

  const [account] = await database.admin<{ id: string }>(
    `update ledger_accounts set balance = 700, reserved = 20 where merchant_id = $1 and kind = 'credit' returning id`,
    [merchantId],
  )
  const operation = randomUUIDv7()
  await database.admin(
    `insert into ledger_operations (merchant_id, id, kind, key, at, booked_at) values ($1, $2, 'correction', 'by hand', now(), now())`,
    [merchantId, operation],
  )
  await database.admin(
    'insert into ledger_entries (merchant_id, operation_id, account_id, amount) values ($1, $2, $3, 30)',
    [merchantId, operation, account?.id],
  )
  const faults = [
    { merchantId, what: 'unbalancedOperation', id: operation, found: 30, expected: 0 },
    { merchantId, what: 'wrongBalance', id: account?.id, found: 700, expected: 530 },
    { merchantId, what: 'wrongReserved', id: account?.id, found: 20, expected: 0 },
  ]
  expect(await ledgerFaults(database)).toEqual(faults)
  expect(await ledgerFaults(database, merchantId)).toEqual(faults)
  expect(await ledgerFaults(database, sound)).toEqual([])
})
