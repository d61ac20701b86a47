import { expect, test } from 'vitest'
import { planFleet } from '#demo/fleet/fleet.ts'
import { encodeNoVend, type MachineNoVend } from '#domain/catalogue/no-vend.ts'
import { zoneClock } from '../clock.ts'
import { freshMemory } from '../memory.ts'
import { editOnePrice, ownStateOf, personalPlan, setPrices } from '../own-state.ts'
import { tenders } from '../plan.ts'
import { randomFrom } from '../random.ts'
import { pricesOf, priceTableOf, priceTablesOf } from '../stock-report.ts'
import { openVending } from '../vending.ts'
import type { MachineItem } from './item-writer.ts'

const [demo] = planFleet({ seed: 'till', machines: 1, salesPerDay: 100, secretKey: '' })
if (!demo) throw new Error('No machine was planned')
const makers = { ...demo.plan, timeZone: 'Europe/Rome', driftSeconds: 0, payments: tenders.map(() => 1) }

function aMachine() {
  const memory = freshMemory(makers)
  const plan = personalPlan(makers, memory)
  const items: MachineItem[] = []
  const random = randomFrom('till')
  const vending = openVending(plan, memory, random, zoneClock(plan.timeZone), (one) => items.push(one))
  const paid = () =>
    items.flatMap((one) =>
      one.kind === 'sale' && one.sale.priceTable !== undefined && one.sale.value > 0 && !one.sale.valueCharge
        ? [one.sale]
        : [],
    )
  return { memory, plan, random, items, vending, paid }
}

test('a sale costs what the price table of its way to pay says', () => {
  const { memory, plan, vending, paid } = aMachine()
  setPrices(
    plan,
    makers,
    memory,
    plan.selections.flatMap((selection) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((priceTable) => ({ selection, priceTable, price: priceTable * 10 })),
    ),
  )
  for (let sale = 0; sale < 300; sale++) vending.sellOne(Date.now())
  expect(new Set(paid().map(({ priceTable }) => priceTable))).toEqual(new Set(Object.values(priceTableOf)))
  for (const { priceTable = 0, value } of paid()) expect(value).toBe(priceTable * 10)
})

test('prices of all price tables are reported', () => {
  const { plan } = aMachine()
  expect(pricesOf(plan)).toHaveLength(8 * plan.selections.length)
})

const school: MachineNoVend = {
  selections: [],
  priceTables: [],
  windows: [{ days: [1, 2, 3, 4, 5], from: '08:00', to: '13:00' }],
  holidays: [],
  onHolidays: 'asUsual',
}
// Monday in Rome.
const morning = Date.parse('2026-11-23T08:00Z')
const afternoon = Date.parse('2026-11-23T14:00Z')

test('a machine makes no sale that its no-vend profile withholds, and all others', () => {
  const { memory, plan, vending, paid } = aMachine()
  const line = plan.selections[0]?.line ?? 0
  Object.assign(ownStateOf(memory).settings, encodeNoVend({ ...school, selections: [String(line)], priceTables: [2] }))
  const sell = (at: number) => {
    const before = paid().length
    for (let sale = 0; sale < 300; sale++) vending.sellOne(at)
    return paid().slice(before)
  }
  const early = sell(morning)
  expect(early.length).toBeGreaterThan(50)
  expect(early.filter(({ priceLine, priceTable }) => priceLine === line || priceTable === 2)).toEqual([])
  vending.visit(afternoon, true)
  const later = sell(afternoon)
  expect(later.some(({ priceLine }) => priceLine === line)).toBe(true)
  expect(later.some(({ priceTable }) => priceTable === 2)).toBe(true)
})

test('a withheld vend changes neither stock nor counters', () => {
  const { memory, plan, vending, items } = aMachine()
  const all = plan.selections.map(({ line }) => String(line))
  Object.assign(ownStateOf(memory).settings, encodeNoVend({ ...school, selections: all }))
  const before = structuredClone({ stock: memory.stock, sold: memory.sold })
  for (let sale = 0; sale < 100; sale++) expect(vending.sellOne(morning)).toBe(false)
  expect({ stock: memory.stock, sold: memory.sold }).toEqual(before)
  expect(items).toEqual([])
})

test('a technician raises one price, and resets it the next time', () => {
  const { memory, plan, random } = aMachine()
  const changed = () =>
    plan.selections.flatMap(({ prices }, index) =>
      prices.flatMap((price, at) => (price === makers.selections[index]?.prices[at] ? [] : [price])),
    )
  const before = makers.selections.map(({ prices }) => Math.max(...prices))
  editOnePrice(plan, makers, memory, random)
  expect(changed()).toHaveLength(1)
  expect(changed()[0]).toBeGreaterThan(Math.min(...before) - 1)
  const one = { ...plan, selections: plan.selections.slice(0, 1), payments: [1, 0, 0, 0, 0, 0, 0, 0] }
  const made = { ...makers, selections: makers.selections.slice(0, 1) }
  const fresh = freshMemory(made)
  const effective = personalPlan({ ...one, selections: made.selections }, fresh)
  expect(priceTablesOf(effective)).toEqual([1])
  editOnePrice(effective, made, fresh, random)
  expect(effective.selections[0]?.prices[0]).toBeGreaterThan(made.selections[0]?.prices[0] ?? 0)
  editOnePrice(effective, made, fresh, random)
  expect(effective.selections[0]?.prices).toEqual(made.selections[0]?.prices)
})
