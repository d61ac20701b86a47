import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteProductCodes } from '#database/catalogue/product-directory.ts'
import { watchStatements } from '#database/frame/tenant.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { inputOf } from '#testkit/machines/seller.ts'
import { aProduct } from '#testkit/nouns/catalogue.ts'
import { storeBatch } from './store-batch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(async () => {
  watchStatements(undefined)
  await database?.close()
})

let seq = 0
const aSale = (machine: TestMachine, more: { product?: string; productCode?: string }) =>
  inputOf(machine, { kind: 'sale', seq: ++seq, at: Date.now(), more })
const store = (...inputs: ReturnType<typeof aSale>[]) => storeBatch(database, inputs, () => undefined)
const codesOf = (merchantId: string) =>
  database.admin<{ code: string; machine_code: string | null; product_id: string | null }>(
    'select code, machine_code, product_id from product_codes where merchant_id = $1 order by code',
    [merchantId],
  )

test('a code that a machine sends is listed once, by its name where it has one', async () => {
  const { id } = await aMerchant(database)
  const machine = await aMachine(database, id)
  await store(
    aSale(machine, { product: 'Espresso', productCode: '11' }),
    aSale(machine, { productCode: '12' }),
    aSale(machine, {}),
  )
  expect(await codesOf(id)).toEqual([
    { code: '12', machine_code: null, product_id: null },
    { code: 'Espresso', machine_code: '11', product_id: null },
  ])
})

test('known codes cost no statement', async () => {
  const machine = await aMachine(database, (await aMerchant(database)).id)
  await store(aSale(machine, { product: 'Espresso' }))
  let statements = 0
  watchStatements(({ sql }) => {
    if (/product_codes|from products/.test(sql)) statements += 1
  })
  await store(aSale(machine, { product: 'Espresso' }))
  expect(statements).toBe(0)
  await store(aSale(machine, { product: 'Lungo' }))
  watchStatements(undefined)
  expect(statements).toBeGreaterThan(0)
})

test('codes of batches at the same time are stored once', async () => {
  const { id } = await aMerchant(database)
  const machines = await Promise.all(Array.from({ length: 4 }, () => aMachine(database, id)))
  const names = Array.from({ length: 20 }, (_, at) => `Product ${at}`)
  await Promise.all(
    machines.map((machine, at) => {
      const codes = at % 2 ? names : names.toReversed()
      return store(...codes.map((product) => aSale(machine, { product })))
    }),
  )
  expect((await codesOf(id)).map(({ code }) => code)).toEqual(names.toSorted())
})

test('codes of a transaction that fails are found again', async () => {
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId)
  const unknownCodes = [{ merchantId, machineId: machine.id, groupId: null, code: 'Lost', machineCode: null }]
  const failing = database.withTenant([{ merchantId, groups: 'all' }], async (db) => {
    expect(await noteProductCodes(db, unknownCodes, new Date())).toEqual([merchantId])
    throw new Error('lost')
  })
  await expect(failing).rejects.toThrow('lost')
  expect(await codesOf(merchantId)).toEqual([])
  await store(aSale(machine, { product: 'Lost' }))
  expect(await codesOf(merchantId)).toMatchObject([{ code: 'Lost' }])
})

test('a new code that equals a product’s code is mapped at once, ignoring case, and never to another merchant’s', async () => {
  const ownMerchantId = (await aMerchant(database)).id
  const otherMerchantId = (await aMerchant(database)).id
  const product = await aProduct(database, ownMerchantId, { code: 'kit' })
  const named = await aProduct(database, ownMerchantId, { code: 'E-11' })
  const ownMachine = await aMachine(database, ownMerchantId)
  const other = await aMachine(database, otherMerchantId)
  await store(
    aSale(ownMachine, { product: 'KIT' }),
    aSale(ownMachine, { product: 'Espresso', productCode: 'e-11' }),
    aSale(other, { product: 'KIT' }),
  )
  expect(await codesOf(ownMerchantId)).toMatchObject([
    { code: 'Espresso', product_id: named },
    { code: 'KIT', product_id: product },
  ])
  expect(await codesOf(otherMerchantId)).toMatchObject([{ code: 'KIT', product_id: null }])
})
