import { randomBytes, randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SaleItem } from '#contract/device-protocol.ts'
import { writeWanted } from '#database/catalogue/price-edit.ts'
import { closeWrongPrices } from '#database/catalogue/wrong-price/wrong-price-closing.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import type { AuditFacts } from './audits/audit-entry.ts'
import { type Entry, storeBatch } from './store-batch.ts'

let database: TestDatabase
let merchantId: string
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
})
afterAll(() => database?.close())

const start = Date.now() - 3_600_000
const minute = (n: number) => start + n * 60_000
const instant = (n: number) => new Date(minute(n))
const audit = readAudit(new TextEncoder().encode('DXS*X*VA*V0/6*1\r\n'))
const user = { id: randomUUIDv7(), name: 'Anna' }

/** What happens: at a minute, for a price table; late things happened some minutes before they arrive. */
type Step =
  | { kind: 'sales'; sales: { table: number; price: number; late: number; isFree: boolean }[]; isRepeated: boolean }
  | { kind: 'report'; table: number; price: number; late: number; gone: boolean }
  | { kind: 'audit'; table: number; price: number; late: number }
  | { kind: 'edit'; table: number; price: number | null }
  | { kind: 'close' }

const table = fc.constantFrom(1, 2)
const price = fc.constantFrom(100, 110, 120)
const late = fc.integer({ min: 0, max: 12 })
const sale = fc.record({ table, price, late, isFree: fc.boolean() })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('sales' as const),
      sales: fc.array(sale, { minLength: 1, maxLength: 5 }),
      isRepeated: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      table,
      price,
      late,
      gone: fc.constantFrom(false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('audit' as const), table, price, late }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), table, price: fc.option(price) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'close' as const }) },
)

interface PriceReading {
  price: number
  at: number
}
/** A price in plain words: the last sights of it. */
interface Line {
  wanted: PriceReading | null
  report: (PriceReading & { seq: number }) | null
  isGone: boolean
  audit: PriceReading | null
  charge: PriceReading | null
  isKnown: boolean
  /** All targets so far; a null price removed the target. */
  targets: { price: number | null; at: number }[]
  /** What wrong sales cost since it was closed last. */
  loss: Loss
  isOpen: boolean
  /** A user closed it while the price was wrong. */
  isLeft: boolean
}
interface Loss {
  sales: number
  lost: number
}
const noLoss: Loss = { sales: 0, lost: 0 }
const noLine = (): Line => ({
  wanted: null,
  report: null,
  isGone: false,
  audit: null,
  charge: null,
  isKnown: false,
  targets: [],
  loss: noLoss,
  isOpen: false,
  isLeft: false,
})

/** The newest sight of the price is another one than wanted; at the same instant the wrong one counts. */
function isWrong({ wanted, report, isGone, audit: audited, charge }: Line): boolean {
  if (!wanted || isGone) return false
  const sights = [
    ...(report ? [{ price: report.price, at: Math.max(report.at, wanted.at) }] : []),
    ...[audited, charge].filter((reading) => reading !== null && reading.at >= wanted.at),
  ] as PriceReading[]
  const last = Math.max(...sights.map(({ at }) => at))
  return sights.some(({ price, at }) => at === last && price !== wanted.price)
}

/** The target of a moment; null: none. A price whose target was removed has none for late sales either. */
function targetAt({ wanted, targets }: Line, at: number): number | null {
  if (!wanted) return null
  if (at >= wanted.at) return wanted.price
  return targets.filter((one) => one.at <= at).at(-1)?.price ?? null
}

/** Each sale at another price than the target of its moment adds to the loss. Whether one of them did. */
function judge(line: Line, sold: readonly PriceReading[]): boolean {
  const wrong = sold.flatMap(({ price: paid, at }) => {
    const target = targetAt(line, at)
    return target === null || target === paid ? [] : target - paid
  })
  if (wrong.length === 0) return false
  const { sales, lost } = line.loss
  line.loss = { sales: sales + wrong.length, lost: wrong.reduce((sum, one) => sum + one, lost) }
  line.isOpen = true
  line.isLeft = false
  return true
}

/** A wrong price without a loss opens and ends with its sights. */
function settle(line: Line): void {
  const isWrongNow = isWrong(line)
  if (isWrongNow && !line.isLeft) line.isOpen = true
  if (!isWrongNow) line.isLeft = false
  if (!isWrongNow && line.loss.sales === 0) line.isOpen = false
}

/** The charge is noted when its price differs, with a wrong sale, and at the first sale after another sight or an edit. */
function charge(line: Line, newest: PriceReading, hasWrongSale: boolean): void {
  const { charge: before, report, audit: audited, wanted } = line
  if (before && newest.at <= before.at) return
  const others = Math.max(report?.at ?? 0, audited?.at ?? 0, wanted?.at ?? 0)
  if (hasWrongSale || before?.price !== newest.price || before.at < others) line.charge = newest
}

const entry = (seq: number, at: number) => ({ seq, at, machineTime: null })

async function aTrial() {
  const { id } = await aMachine(database, merchantId)
  const machine = { id, merchantId, timeZone: 'Europe/Rome', currency: 'EUR' } as KnownMachine
  const store = (entries: Entry[], epoch: number | null = 1) =>
    storeBatch(database, [{ machine, epoch, entries, setAside: [], isReplay: false }], () => {})
  const edit = (priceTable: number, before: number | null, after: number | null, at: Date) =>
    database.withTenant(wholeMerchant(merchantId), async (db) => {
      await lockJournals(db, [{ merchantId, id }])
      const one = { merchantId, machineId: id, selection: '7', priceTable, before, after }
      await writeWanted(db, [one], { at, source: 'edit', user })
    })
  /**
   * Closes what is open, as a user sees it; returns what was closed. What sales have changed since the user looked stays open, unless the user
   * looks while no sale is stored.
   */
  const close = (at: Date, looks: 'before' | 'meanwhile' = 'before') => {
    const losses = async () => {
      const open = await database.admin<{ price_table: number; sales: number; lost: number }>(
        `select price_table, wrong_sales as sales, lost::int from machine_prices
         where machine_id = $1 and wrong_since is not null`,
        [id],
      )
      return open.map((row) => ({ machineId: id, selection: '7', priceTable: row.price_table, ...row }))
    }
    const closing = async (loss?: Awaited<ReturnType<typeof losses>>) =>
      database.withTenant(wholeMerchant(merchantId), async (db) => {
        await lockJournals(db, [{ merchantId, id }])
        return closeWrongPrices(db, loss ?? (await losses()), { at, user, note: null })
      })
    return looks === 'before' ? losses().then(closing) : closing()
  }
  return { id, store, edit, close }
}

const saleEntry = (seq: number, at: number, one: { table: number; price: number; isFree: boolean }): Entry => ({
  ...entry(seq, at),
  kind: 'sale',
  item: {
    seq,
    at: '2026-11-21T08:00:00',
    type: 1,
    mediaType: 1,
    mediaSource: 1,
    priceLine: 7,
    valueCharge: 0,
    priceTable: one.table,
    value: one.price,
    freeSale: one.isFree,
    errorSale: false,
  } as SaleItem,
})

/** The stored prices of a machine. */
const stored = (machineId: string) =>
  database.admin<{
    price_table: number
    is_wrong: boolean
    is_open: boolean
    sales: number
    lost: number
  }>(
    `select price_table, is_wrong, wrong_since is not null as is_open, wrong_sales as sales, lost::int
     from machine_prices where machine_id = $1 order by price_table`,
    [machineId],
  )
const closedOf = async (machineId: string) => {
  const [sums] = await database.admin<Loss>(
    `select coalesce(sum(sales), 0)::int as sales, coalesce(sum(lost), 0)::int as lost from price_losses where machine_id = $1`,
    [machineId],
  )
  return sums
}

test('whatever the order of reports, audits, sales, edits and closings, a price is wrong by its newest sight, and each wrong sale is in one loss', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const { id, store, edit, close } = await aTrial()
      let closed = noLoss
      const lines = new Map([1, 2].map((n) => [n, noLine()]))
      const lineOf = (n: number) => lines.get(n) as Line
      const histories: Entry[][] = []
      for (const [now, one] of steps.entries()) {
        const before = (by: number) => Math.max(0, now - by)
        // A number says when an item was written down, whenever it arrives.
        const seqOf = (n: number, at: number) => at * 1000 + now * 10 + n + 1
        if (one.kind === 'edit') {
          const line = lineOf(one.table)
          await edit(one.table, line.wanted?.price ?? null, one.price, instant(now))
          line.wanted = one.price === null ? null : { price: one.price, at: minute(now) }
          line.isKnown = true
          line.targets.push({ price: one.price, at: minute(now) })
          line.isLeft = false
          line.isOpen = line.loss.sales > 0 || isWrong(line)
        } else if (one.kind === 'close') {
          const rows = await close(instant(now))
          const open = [...lines.values()].filter(({ isOpen }) => isOpen)
          expect(rows).toHaveLength(open.length)
          for (const line of open) {
            closed = { sales: closed.sales + line.loss.sales, lost: closed.lost + line.loss.lost }
            line.loss = noLoss
            line.isOpen = false
            line.isLeft = isWrong(line)
          }
        } else if (one.kind === 'sales') {
          const entries = one.sales.map((sold, n) => {
            const at = before(sold.late)
            return saleEntry(seqOf(n, at), minute(at), sold)
          })
          await store(one.isRepeated ? [...(histories.at(-1) ?? []), ...entries] : entries)
          if (one.isRepeated) await store(entries)
          histories.push(entries)
          for (const n of [1, 2]) {
            const paid = one.sales
              .map((sold, place) => ({ ...sold, at: minute(before(sold.late)), seq: seqOf(place, before(sold.late)) }))
              .filter((sold) => sold.table === n && !sold.isFree)
              .sort((a, b) => a.at - b.at || a.seq - b.seq)
            const newest = paid.at(-1)
            const line = lineOf(n)
            if (!newest || !line.isKnown) continue
            charge(line, newest, judge(line, paid))
            settle(line)
          }
        } else if (one.kind === 'report') {
          const at = before(one.late)
          const { gone } = one
          const prices = [{ selection: '7', priceTable: one.table, price: one.price, gone }]
          const seq = seqOf(0, at)
          await store([{ ...entry(seq, minute(at)), kind: 'prices', item: { seq, at: '2026-11-21T08:00:00', prices } }])
          const line = lineOf(one.table)
          line.isKnown = true
          if ((line.report?.seq ?? 0) < seq) {
            line.report = { price: one.price, at: minute(at), seq }
            line.isGone = gone
          }
          for (const each of lines.values()) settle(each)
        } else {
          const at = before(one.late)
          const item: AuditFacts = {
            at: minute(at),
            machineTime: null,
            origin: 1,
            originWord: null,
            port: 'mqtt',
            crc: 'holds',
            warnings: 0,
            sha256: randomBytes(32),
            currency: 'EUR',
            salesTotal: null,
            vendsTotal: null,
            selectionsTotal: null,
            content: audit,
            raw: randomBytes(8),
            prices: [{ selection: '7', priceTable: one.table, price: one.price }],
          }
          await store([{ seq: null, at: minute(at), machineTime: null, kind: 'audit', item }], null)
          const line = lineOf(one.table)
          line.isKnown = true
          if ((line.audit?.at ?? 0) < minute(at)) line.audit = { price: one.price, at: minute(at) }
          for (const each of lines.values()) settle(each)
        }
        const rows = await stored(id)
        for (const n of [1, 2]) {
          const { isOpen, loss } = lineOf(n)
          const row = rows.find((each) => each.price_table === n)
          expect(row?.is_wrong ?? false).toBe(isWrong(lineOf(n)))
          expect([row?.is_open ?? false, row?.sales ?? 0, row?.lost ?? 0]).toEqual([isOpen, loss.sales, loss.lost])
        }
        expect(await closedOf(id)).toEqual(closed)
      }
    }),
    { numRuns: 40 },
  )
}, 300_000)

test('sales that arrive in several lanes at once, with closings and reports between them, are each in one loss', async () => {
  const { id, store, edit, close } = await aTrial()
  await edit(1, null, 120, instant(0))
  let seq = 0
  const lanes = Array.from({ length: 6 }, (_, lane) => async () => {
    for (let round = 0; round < 12; round++) {
      const sold = Array.from({ length: 4 }, (_, n) => ({
        at: minute(((lane * 7 + round * 5 + n) % 50) + 1),
        price: 100 + ((lane + n) % 3) * 10,
      }))
      await store(sold.map((one) => saleEntry(++seq, one.at, { table: 1, price: one.price, isFree: false })))
      if (round % 4 === lane % 4) {
        const number = ++seq
        const prices = [{ selection: '7', priceTable: 1, price: lane % 2 === 0 ? 120 : 110, gone: false }]
        const item = { seq: number, at: '2026-11-21T08:00:00', prices }
        await store([{ ...entry(number, minute(round * 4)), kind: 'prices', item }])
      }
      if (lane < 2 && round % 3 === 2) await close(instant(round * 4), lane === 0 ? 'before' : 'meanwhile')
    }
  })
  await Promise.all(lanes.map((lane) => lane()))
  // Between the lanes each closing may have met a changed loss and been refused; now one cannot.
  await close(instant(60))
  const [sold] = await database.admin<Loss & { all: number }>(
    `select count(*)::int as all, (count(*) filter (where value <> 120))::int as sales, sum(120 - value)::int as lost
     from transactions where machine_id = $1`,
    [id],
  )
  expect(sold?.all).toBe(6 * 12 * 4)
  const [open] = await stored(id)
  const closed = await closedOf(id)
  expect(closed?.sales).toBeGreaterThan(0)
  expect([(open?.sales ?? 0) + (closed?.sales ?? 0), (open?.lost ?? 0) + (closed?.lost ?? 0)]).toEqual([
    sold?.sales,
    sold?.lost,
  ])
}, 120_000)
