import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StatsFilters } from '#contract/sales/transaction.ts'
import type { ReportDimension } from '#contract/vocabulary/insight/report.ts'
import { backTypes, saleTypes } from '#contract/vocabulary/transaction.ts'
import { salesByGrouping } from '#database/insight/report-sales.ts'
import { noteFormerPlaces } from '#database/sales/former-terms.ts'
import { noteNewGroups } from '#database/sales/regroup.ts'
import { sumsByMachine } from '#database/sales/sales-stats.ts'
import { crowdedDays, packSettled } from '#database/sums/sum-up.ts'
import type { SummedRow } from '#domain/insight/report-figures.ts'
import { addDays } from '#domain/time/period.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aClient, aGroup, aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { rollupsOf, storeItem } from '#testkit/machines/seller.ts'
import { sumUpDays } from './sum-up-days.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
  await database.admin(`select ensure_partitions('2026-01-01', '2026-03-31')`)
})
afterAll(() => database.close())

const isFull = process.env.TEST_RUN === 'full'

/** The end of a month is in the middle. */
const firstDay = '2026-01-24'
const dayCount = 18
const dayAt = (index: number) => addDays(firstDay, index)
/** Early in the afternoon: what was sold in the morning has settled. */
const nowOn = (index: number) => new Date(`${dayAt(index)}T13:00:00Z`)

const aSale = fc.record({
  is: fc.constant('sale' as const),
  machine: fc.nat(2),
  daysAgo: fc.oneof(fc.constant(0), fc.constant(0), fc.nat(dayCount)),
  product: fc.constantFrom('Tea', 'Water', ''),
  type: fc.constantFrom(1, 1, 1, 14, 6, 16, 4),
  value: fc.integer({ min: 1, max: 300 }),
  errorSale: fc.constantFrom(false, false, true),
})
const aStep = fc.oneof(
  { weight: 6, arbitrary: aSale },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('nextDay' as const), days: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('move' as const), machine: fc.nat(2), place: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('sumUp' as const) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('pack' as const) }) },
)
const aQuestion = fc.record({
  start: fc.nat(dayCount - 1),
  length: fc.integer({ min: 1, max: dayCount }),
  by: fc.constantFrom<ReportDimension[]>(['machine'], ['client'], ['group'], ['product'], ['client', 'product'], []),
  terms: fc.constantFrom('ofDay' as const, 'ofDay' as const, 'today' as const),
  isOfFirstClient: fc.constantFrom(false, false, true),
})

interface Sold {
  machine: number
  day: string
  product: string
  type: number
  value: number
  errorSale: boolean
}
interface Place {
  group: string | null
  client: string | null
}
const percents = [10, 25]

async function aWorld() {
  const { id: merchantId } = await aMerchant(database)
  const groups = [await aGroup(database, merchantId), await aGroup(database, merchantId)]
  const clients: string[] = []
  for (const percent of percents)
    clients.push(await aClient(database, merchantId, { commission_kind: 'percent', commission_percent: percent }))
  const places: Place[] = [
    { group: null, client: null },
    { group: groups[0] ?? null, client: clients[0] ?? null },
    { group: groups[1] ?? null, client: clients[0] ?? null },
    { group: null, client: clients[1] ?? null },
  ]
  const machines: TestMachine[] = []
  for (let at = 0; at < 3; at++) machines.push(await aMachine(database, merchantId))
  return { merchantId, clients, places, machines }
}

type World = Awaited<ReturnType<typeof aWorld>>

/** The places of each machine, each with its first day, the oldest first. */
type Moves = { since: string; place: Place }[][]

async function move({ merchantId, machines }: World, moves: Moves, machine: number, place: Place, today: number) {
  const { id } = machines[machine] as TestMachine
  await database.withTenant(wholeMerchant(merchantId), async (db) => {
    await noteFormerPlaces(db, [{ id, group_id: place.group, client_id: place.client }], nowOn(today))
    await noteNewGroups(db, new Map([[id, place.group]]))
    await db.query
      .updateTable('machines')
      .set({ group_id: place.group, client_id: place.client })
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .execute()
  })
  moves[machine]?.push({ since: dayAt(today), place })
}

type Question = typeof aQuestion extends fc.Arbitrary<infer One> ? One : never

/** The figures of a question, from the single sales. */
function expected({ machines, clients, places }: World, moves: Moves, sales: readonly Sold[], question: Question) {
  const { by, terms, isOfFirstClient } = question
  const { startDate, endDate } = periodOf(question)
  const placeOf = ({ machine, day }: Sold) => {
    const all = moves[machine] ?? []
    return (terms === 'today' ? all.at(-1) : all.findLast(({ since }) => since <= day))?.place ?? (places[0] as Place)
  }
  const keyOf = (sale: Sold) =>
    by.map((one) => {
      if (one === 'machine') return machines[sale.machine]?.id ?? null
      if (one === 'product') return sale.product || null
      return one === 'client' ? placeOf(sale).client : placeOf(sale).group
    })
  const rows = new Map<string, Record<'count' | 'value' | 'errorCount' | 'commission', number | undefined>>()
  for (const sale of sales) {
    const { type, value, errorSale, day } = sale
    const { client } = placeOf(sale)
    if (day < startDate || day > endDate || (isOfFirstClient && client !== clients[0])) continue
    const isSold = saleTypes.includes(type)
    const percent = percents[clients.indexOf(client ?? '')]
    const turnover = errorSale ? 0 : value
    // What was paid back is no turnover, but reduces what a client gets.
    const isBack = backTypes.includes(type) && percent !== undefined && turnover !== 0
    if (!isSold && !isBack) continue
    const key = JSON.stringify(keyOf(sale))
    const row = rows.get(key) ?? { count: undefined, value: undefined, errorCount: undefined, commission: undefined }
    rows.set(key, row)
    if (isSold) {
      row.count = (row.count ?? 0) + 1
      row.value = (row.value ?? 0) + turnover
      row.errorCount = (row.errorCount ?? 0) + Number(errorSale)
    }
    if (percent !== undefined)
      row.commission = (row.commission ?? 0) + ((isSold ? turnover : -Math.abs(turnover)) * percent) / 100
  }
  return [...rows].map(([key, row]) => written(key, row)).sort()
}

const written = (key: string, { count, value, errorCount, commission }: SummedRow['sums']) =>
  JSON.stringify([key, count, value, errorCount, commission === undefined ? undefined : commission.toFixed(4)])

const periodOf = ({ start, length }: Question) => ({ startDate: dayAt(start), endDate: dayAt(start + length - 1) })

test(
  'reports and statistics equal the single sales, whatever was sold late, paid back, moved, packed and summed up',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aStep, { minLength: 25, maxLength: 60 }),
        fc.array(aQuestion, { minLength: 12, maxLength: 12 }),
        async (steps, questions) => {
          const world = await aWorld()
          const { merchantId, machines, places, clients } = world
          const sales: Sold[] = []
          const moves: Moves = machines.map(() => [])
          let today = 0
          for (const step of steps) {
            if (step.is === 'nextDay') today = Math.min(dayCount - 1, today + step.days)
            else if (step.is === 'move') await move(world, moves, step.machine, places[step.place] as Place, today)
            else if (step.is === 'sumUp') await sumUpDays(database, nowOn(today))
            else if (step.is === 'pack') {
              for (const due of await crowdedDays(database, nowOn(today), 1))
                if (due.merchantId === merchantId) expect(await packSettled(database, due, nowOn(today))).toBe(true)
            } else {
              const day = dayAt(Math.max(0, today - step.daysAgo))
              const { machine, product, type, value, errorSale } = step
              const sale = { machine, product, type, errorSale, day, value: backTypes.includes(type) ? -value : value }
              sales.push(sale)
              await storeItem(database, machines[machine] as TestMachine, {
                kind: 'sale',
                seq: sales.length,
                at: `${day}T08:00:00Z`,
                more: { type, value: sale.value, errorSale, ...(product && { product }) },
              })
            }
          }
          await database.withTenant(wholeMerchant(merchantId), async (db) => {
            for (const question of questions) {
              const { by, terms, isOfFirstClient } = question
              const filters = {
                ...periodOf(question),
                terms,
                ...(isOfFirstClient && { clientIds: [clients[0] ?? ''] }),
              }
              const order = {
                ...filters,
                by,
                parameter: undefined,
                isTurnover: true,
                withCost: false,
                withCommission: true,
              }
              for (const withCost of [false, true]) {
                const rows = await salesByGrouping(db, { ...order, withCost }, 1000)
                const got = rows.map(({ keys, sums }) => written(JSON.stringify(keys), sums)).sort()
                expect(got, JSON.stringify({ question, withCost })).toEqual(expected(world, moves, sales, question))
              }
              for (const types of [undefined, [...saleTypes], [4]]) {
                const { startDate, endDate } = filters
                const { rows } = await sumsByMachine(db, { startDate, endDate, types } as StatsFilters, {
                  page: 1,
                  size: 20,
                })
                const counts = machines.map(({ id }) => rows.find((row) => row.machine_id === id)?.count)
                const meant = sales.filter(
                  ({ day, type }) => day >= startDate && day <= endDate && (types?.includes(type) ?? true),
                )
                const counted = machines.map(
                  (_, at) => meant.filter(({ machine }) => machine === at).length || undefined,
                )
                expect(counts, JSON.stringify({ question, types })).toEqual(counted)
              }
            }
          })
          const { different } = await rollupsOf(database, { merchantId, isCheck: true }, nowOn(today))
          expect(different).toEqual([])
        },
      ),
      { numRuns: isFull ? 25 : 4, endOnFailure: true },
    )
  },
  isFull ? 300_000 : undefined,
)
