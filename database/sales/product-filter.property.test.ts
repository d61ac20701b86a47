import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TransactionFilters } from '#contract/sales/transaction.ts'
import { dayIn } from '#domain/time/period.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aSale } from '#testkit/machines/machine-data.ts'
import { aProduct, aProductCode } from '#testkit/nouns/catalogue.ts'
import { listTransactions } from './transaction.ts'

interface Product {
  id: string
  name: string
  product_type: string
  strength: string | null
}
interface Sale {
  id: string
  at: Date
  merchant: number
  code: string | null
}

const zones = ['Europe/Rome', 'America/New_York']
/** What machines send: codes, and names that products or other codes have as well. */
const codes = ['E1', 'Espresso', 'Tea', 'W', 'Nothing']
const names = ['Espresso', 'Tea', 'E1', 'Nobody']
const month = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 7)
const dayOf = (day: number) => `${month}-${String(day).padStart(2, '0')}`

let database: TestDatabase
let machines: TestMachine[]
let products: Product[][]
const gone: Product[][] = [[], []]
const sales: Sale[] = []

beforeAll(async () => {
  database = await openTestDatabase()
  machines = []
  for (const time_zone of zones) machines.push(await aMachine(database, (await aMerchant(database, { time_zone })).id))
  const some = async (merchantId: string) => {
    const made: Product[] = []
    for (const [name, product_type, strength] of [
      ['Espresso', 'A', 'strong'],
      ['Tea', 'A', null],
      ['E1', 'B', 'mild'],
    ] as const) {
      const parameters = strength ? [{ name: 'strength', value: strength }] : []
      const id = await aProduct(database, merchantId, { name, product_type, parameters: JSON.stringify(parameters) })
      made.push({ id, name, product_type, strength })
    }
    return made
  }
  products = [await some(machines[0]?.merchantId as string), await some(machines[1]?.merchantId as string)]
  for (const [merchant, { merchantId }] of machines.entries())
    for (const product of products[merchant] ?? []) {
      const id = randomUUIDv7()
      gone[merchant]?.push({ ...product, id })
      const parameters = product.strength ? [{ name: 'strength', value: product.strength }] : []
      await database.admin(
        'insert into deleted_products (merchant_id, id, name, product_type, parameters) values ($1, $2, $3, $4, $5)',
        [merchantId, id, product.name, product.product_type, JSON.stringify(parameters)],
      )
    }
  for (let number = 0; number < 36; number++) {
    const merchant = number % 2
    const at = new Date(Date.parse(`${dayOf(10)}T03:30:00Z`) + number * 5 * 3_600_000)
    const code = codes[(number >> 1) % 6] ?? null
    const columns = number % 3 === 0 ? { product: null, product_code: code } : { product: code }
    const id = await aSale(database, machines[merchant] as TestMachine, { created_at: at, ...columns })
    sales.push({ id, at, merchant, code })
  }
}, 60_000)
afterAll(() => database?.close())

const meaning = fc.record({
  merchant: fc.nat(1),
  code: fc.constantFrom(...codes),
  product: fc.option(fc.nat(2)),
})
const former = fc.record({
  merchant: fc.nat(1),
  code: fc.constantFrom(...codes),
  product: fc.nat(2),
  until: fc.integer({ min: 9, max: 19 }),
})
const some = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: undefined })
const filtersOf = fc.record({
  products: some(names),
  productTypes: some(['A', 'B', 'C'] as const),
  parameterValues: some(['strong', 'mild', 'none']),
  without: some(['productType', 'parameter'] as const),
  terms: fc.constantFrom(undefined, 'ofDay' as const),
})

test('filters by product find the sales whose product, today or on their day, meets them, and no others', async () => {
  let shown = 0
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(meaning, { maxLength: 8, selector: ({ merchant, code }) => `${merchant} ${code}` }),
      fc.uniqueArray(former, { maxLength: 5, selector: ({ merchant, code, until }) => `${merchant} ${code} ${until}` }),
      fc.array(filtersOf, { minLength: 4, maxLength: 8 }),
      fc.subarray([0, 1], { minLength: 1 }),
      async (meanings, formers, asked, merchants) => {
        await database.admin('delete from product_codes')
        await database.admin('delete from former_product_codes')
        for (const { merchant, code, product } of meanings)
          await aProductCode(database, machines[merchant] as TestMachine, {
            code,
            product_id: product === null ? null : products[merchant]?.[product]?.id,
          })
        for (const { merchant, code, product, until } of formers)
          await database.admin(
            'insert into former_product_codes (merchant_id, code, until, product_id) values ($1, $2, $3, $4)',
            [machines[merchant]?.merchantId, code, dayOf(until), gone[merchant]?.[product]?.id],
          )
        /** One sale after the other, as a person would look it up. */
        const productOf = ({ merchant, code, at }: Sale, terms: 'ofDay' | undefined): Product | undefined => {
          const day = dayIn(at, zones[merchant] as string)
          const held = formers
            .filter((one) => one.merchant === merchant && one.code === code && dayOf(one.until) > day)
            .sort((one, other) => one.until - other.until)[0]
          if (terms === 'ofDay' && held) return gone[merchant]?.[held.product]
          const live = meanings.find((one) => one.merchant === merchant && one.code === code)?.product
          return live === undefined || live === null ? undefined : products[merchant]?.[live]
        }
        for (const { parameterValues, ...filters } of asked) {
          const wanted = sales.filter((sale) => {
            const product = productOf(sale, filters.terms)
            return (
              merchants.includes(sale.merchant) &&
              (!filters.products || filters.products.includes(product?.name ?? sale.code ?? '')) &&
              (!filters.productTypes || filters.productTypes.some((type) => type === product?.product_type)) &&
              (!parameterValues || parameterValues.includes(product?.strength ?? '')) &&
              (!filters.without?.includes('productType') || !product) &&
              (!filters.without?.includes('parameter') || !product?.strength)
            )
          })
          const query = {
            ...filters,
            parameter: 'strength',
            parameterValues,
            startDate: dayOf(9),
            endDate: dayOf(20),
          } as TransactionFilters
          const scope = merchants.flatMap((merchant) => wholeMerchant(machines[merchant]?.merchantId as string))
          const { rows, total } = await database.withTenant(scope, (db) =>
            listTransactions(db, query, { page: 1, size: 100 }),
          )
          const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id).sort()
          expect({ query, ids: ids(rows) }).toEqual({ query, ids: ids(wanted) })
          expect(total).toBe(wanted.length)
          shown += total
        }
      },
    ),
    { numRuns: 15 },
  )
  expect(shown).toBeGreaterThan(0)
}, 30_000)
