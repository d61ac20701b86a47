import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SaleItem } from '#contract/device-protocol.ts'
import { type StockCounter, stockCounters } from '#contract/vocabulary/stock.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { manageStock, setStockCounter } from '#database/stock/manage.ts'
import { bookMovements, type UserMovement } from '#database/stock/movement.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { type Entry, storeBatch } from './store-batch.ts'

let database: TestDatabase
let merchantId: string
const planogramId = randomUUIDv7()
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
  await database.admin(
    `insert into planograms (merchant_id, id, name, planogram_type, created_at) values ($1, $2, 'Snacks', 'B', now())`,
    [merchantId, planogramId],
  )
  await database.admin(
    `insert into planogram_lines (merchant_id, planogram_id, selection, position, capacity, warning_level, refill_value)
     select $1, $2, selection, selection::int, 30, 5, 20 from unnest('{7,8}'::text[]) selection`,
    [merchantId, planogramId],
  )
})
afterAll(() => database?.close())

const start = Math.floor(Date.now() / 60_000) * 60_000 - 3 * 3_600_000
const instant = (minute: number) => start + minute * 60_000
const user = { id: randomUUIDv7(), name: 'Anna' }

/**
 * 7 and 8 are in the planogram, 9 is not. The machine reports 7 and 9; its refill event fills 7 and 8. Each thing happens at a minute of
 * its own, and the machine numbers its items in their order.
 */
type Selection = '7' | '8' | '9'
type Happened =
  | { kind: 'sale'; selection: Selection; isError: boolean }
  | { kind: 'report'; levels: { selection: '7' | '9'; level: number }[]; isRefilled: boolean }
  | { kind: 'refilled' }
  | { kind: UserMovement['kind']; selection: '7' | '8'; amount: number }

const happened: fc.Arbitrary<Happened> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sale' as const),
      selection: fc.constantFrom<Selection>('7', '8', '9'),
      isError: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      levels: fc.uniqueArray(
        fc.record({ selection: fc.constantFrom<'7' | '9'>('7', '9'), level: fc.integer({ min: 0, max: 30 }) }),
        { minLength: 1, maxLength: 2, selector: ({ selection }) => selection },
      ),
      isRefilled: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refilled' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('refill', 'waste', 'correction'),
      selection: fc.constantFrom<'7' | '8'>('7', '8'),
      amount: fc.integer({ min: 0, max: 20 }),
    }),
  },
)

/** What each selection has when everything is known in its order. Where the portal counts, a report changes nothing. */
function modelOf(all: readonly Happened[], counter: StockCounter): Map<string, number> {
  const left = new Map<string, number>([
    ['7', 20],
    ['8', 20],
  ])
  // A refill event fills up, and what a user books soon after it is the same refill.
  const filled = new Set<string>()
  const count = (selection: string, level: number) => {
    left.set(selection, level)
    filled.delete(selection)
  }
  const add = (selection: string, amount: number) => {
    const now = left.get(selection)
    // A refill starts at nothing at least.
    if (now !== undefined) left.set(selection, (amount > 0 ? Math.max(now, 0) : now) + amount)
  }
  for (const one of all) {
    if (one.kind === 'sale') add(one.selection, one.isError ? 0 : -1)
    else if (one.kind === 'report') {
      if (counter === 'machine') for (const { selection, level } of one.levels) count(selection, level)
    } else if (one.kind === 'refilled')
      for (const selection of ['7', '8']) {
        left.set(selection, 20)
        filled.add(selection)
      }
    else if (one.kind === 'correction') count(one.selection, one.amount)
    else if (!filled.has(one.selection)) add(one.selection, one.kind === 'waste' ? -one.amount : one.amount)
  }
  return left
}

const clock = (minute: number) =>
  new Date(instant(minute)).toLocaleString('sv-SE', { timeZone: 'Europe/Rome' }).replace(' ', 'T')

function entryOf(one: Happened, minute: number): Entry {
  const head = { seq: minute, at: instant(minute), machineTime: null }
  const item = { seq: minute, at: clock(minute) }
  if (one.kind === 'sale')
    return {
      ...head,
      kind: 'sale',
      item: {
        ...item,
        type: 1,
        mediaType: 1,
        mediaSource: 1,
        priceLine: Number(one.selection),
        value: 100,
        valueCharge: 0,
        freeSale: false,
        errorSale: one.isError,
      } as SaleItem,
    }
  if (one.kind === 'report') {
    const refilled = one.isRefilled ? { refilledAt: clock(minute) } : {}
    const levels = one.levels.map((level) => ({ ...level, ...refilled, gone: false }))
    return { ...head, kind: 'stock', item: { ...item, levels } }
  }
  return { ...head, kind: 'event', item: { ...item, code: 'OA1B', active: true } }
}

async function aTrial(counter: StockCounter) {
  const machine = await aMachine(database, merchantId, { columns: { planogram_id: planogramId } })
  const knownMachine = { id: machine.id, merchantId, timeZone: 'Europe/Rome', currency: 'EUR' } as KnownMachine
  const asOne = <T>(work: Parameters<TestDatabase['withTenant']>[1]) =>
    database.withTenant(wholeMerchant(merchantId), async (db) => {
      await lockJournals(db, [machine])
      return work(db) as T
    })
  const key = { merchantId, machineId: machine.id }
  return {
    machineId: machine.id,
    manage: (isOn: boolean, minute: number) => asOne((db) => manageStock(db, [key], isOn, new Date(instant(minute)))),
    count: () => asOne((db) => setStockCounter(db, [key], counter, new Date(instant(0)))),
    store: (entries: Entry[]) =>
      storeBatch(database, [{ machine: knownMachine, epoch: 1, entries, setAside: [], isReplay: false }], () => {}),
    book: (one: Extract<Happened, { amount: number }>, minute: number) =>
      asOne((db) => bookMovements(db, [{ ...key, ...one, at: new Date(instant(minute)), user }])),
  }
}

const stored = async (machineId: string) => {
  const rows = await database.admin<{ selection: string; level: number; balance: number; sum: number }>(
    `select selection, level, balance, carried + (select coalesce(sum(amount), 0)::int from stock_entries m
       where m.machine_id = s.machine_id and m.selection = s.selection) as sum
     from machine_stock s where machine_id = $1 and not gone order by selection`,
    [machineId],
  )
  for (const { level, balance, sum } of rows) expect([sum, level]).toEqual([balance, Math.max(0, balance)])
  return new Map(rows.map(({ selection, balance }) => [selection, balance]))
}

const arrivals = fc.array(happened, { minLength: 2, maxLength: 18 }).chain((all) =>
  fc.record({
    all: fc.constant(all),
    order: fc.shuffledSubarray(
      all.map((_, index) => index),
      { minLength: all.length },
    ),
    /** Where a message ends, and which messages are sent twice. */
    ends: fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length }),
    again: fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length }),
  }),
)

test.each(stockCounters)(
  'where the %s counts, the levels are those of the true order, whatever the order of what arrives',
  { timeout: 300_000 },
  async (counter) => {
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ all, order, ends, again }) => {
        const { machineId, manage, count, store, book } = await aTrial(counter)
        // The machine reported before its books were opened; a planogram alone would be an assumption that its first report replaces.
        const opening = { kind: 'report' as const, levels: [{ selection: '7' as const, level: 20 }], isRefilled: false }
        await store([entryOf(opening, 1)])
        await count()
        await manage(true, 1)
        let message: Entry[] = []
        const send = async (isTwice: boolean) => {
          if (message.length > 0) for (let n = 0; n < (isTwice ? 2 : 1); n++) await store(message)
          message = []
        }
        for (const [place, index] of order.entries()) {
          const one = all[index] as Happened
          if ('amount' in one) await book(one, index + 2)
          else message.push(entryOf(one, index + 2))
          if (ends[place]) await send(again[place] as boolean)
        }
        await send(true)
        const levels = await stored(machineId)
        // The portal opens 9, which no planogram has, with the first report that arrives.
        if (counter === 'portal') levels.delete('9')
        expect(levels).toEqual(modelOf(all, counter))
        const [counted] = await database.admin<{ sold: number; ids: number }>(
          `select count(*)::int as sold, count(distinct id)::int as ids from stock_entries
         where machine_id = $1 and kind = 'sale'`,
          [machineId],
        )
        const sales = all.filter((one) => one.kind === 'sale' && !one.isError && one.selection !== '9')
        expect(counted?.sold).toBe(counted?.ids)
        expect(counted?.sold).toBeGreaterThanOrEqual(sales.length)
      }),
      { numRuns: 20 },
    )
  },
)

test('books that are closed and opened again know what was sold since the last report, each sale once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(happened, fc.record({ kind: fc.constant('switch' as const) })), {
        minLength: 3,
        maxLength: 20,
      }),
      async (steps) => {
        const { machineId, manage, count, store, book } = await aTrial('machine')
        await count()
        const report = { kind: 'report' as const, levels: [{ selection: '7' as const, level: 25 }], isRefilled: false }
        await store([entryOf(report, 1)])
        let isOn = false
        let isFilled = false
        let left = 25
        let reported = 25
        for (const [index, one] of steps.entries()) {
          const minute = index + 2
          if (one.kind === 'switch') {
            isOn = !isOn
            await manage(isOn, minute)
          } else if ('amount' in one) {
            await book(one, minute)
            if (isOn && one.selection === '7') {
              if (one.kind === 'correction') [left, isFilled] = [one.amount, false]
              else if (isFilled) continue
              else if (one.kind === 'waste') left -= one.amount
              else if (one.amount > 0) left = Math.max(left, 0) + one.amount
            }
          } else {
            await store([entryOf(one, minute)])
            if (one.kind === 'sale' && one.selection === '7' && !one.isError) left -= 1
            if (one.kind === 'refilled' && isOn) [left, isFilled] = [20, true]
            const reportedLine = one.kind === 'report' && one.levels.find(({ selection }) => selection === '7')
            if (reportedLine) [left, reported, isFilled] = [reportedLine.level, reportedLine.level, false]
          }
          const [row] = await database.admin<{ level: number; balance: number; sum: number }>(
            `select level, balance, (select coalesce(sum(amount), 0)::int from stock_entries m
               where m.machine_id = s.machine_id and m.selection = s.selection) as sum
             from machine_stock s where machine_id = $1 and selection = '7'`,
            [machineId],
          )
          expect(row?.sum).toBe(row?.balance)
          expect(row?.level).toBe(isOn ? Math.max(0, left) : reported)
          if (isOn) expect(row?.balance).toBe(left)
        }
      },
    ),
    { numRuns: 12 },
  )
}, 300_000)
