import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SaleItem } from '#contract/device-protocol.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { manageStock, setStockCounter } from '#database/stock/manage.ts'
import { bookHandling } from '#database/stock/refill.ts'
import { type RefillLine, takeRefills } from '#database/stock/refill-outbox.ts'
import { planFleet } from '#demo/fleet/fleet.ts'
import { vendTypes } from '#domain/stock/movement.ts'
import { zoneClock } from '#simulator/clock.ts'
import { openMachineLife } from '#simulator/live.ts'
import { freshMemory } from '#simulator/memory.ts'
import { randomFrom } from '#simulator/random.ts'
import { openVending } from '#simulator/vending.ts'
import type { MachineItem } from '#simulator/works/item-writer.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { type Entry, storeBatch } from '../store-batch.ts'

/* Simulated machines sell, are refilled by their own technicians and by visits in the portal; each piece is accounted for. */

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

const hourMs = 3_600_000
const stepMs = 10_000
const user = { id: randomUUIDv7(), name: 'Anna' }
const [hours, machines] = isFullRun ? [24, 8] : [3, 2]

/** An item as the gateway has read it; others than these change no stock. */
function entryOf(item: MachineItem, clock: (at: number) => string): Entry[] {
  const { seq, at } = item
  const head = { seq, at, machineTime: null }
  const machineTime = clock(at)
  if (item.kind === 'sale') {
    const sale = { valueCharge: 0, freeSale: false, errorSale: false, ...item.sale, seq, at: machineTime } as SaleItem
    return [{ ...head, kind: 'sale', item: sale }]
  }
  if (item.kind === 'event')
    return [{ ...head, kind: 'event', item: { seq, at: machineTime, code: item.code, active: item.active } }]
  if (item.kind !== 'stock') return []
  const levels = item.levels.map(({ refilledAt, ...level }) => ({
    ...level,
    ...(refilledAt !== null && { refilledAt: clock(refilledAt) }),
    gone: false,
  }))
  return [
    { ...head, kind: 'stock', item: { seq, at: machineTime, levels, ...(item.refills && { refills: item.refills }) } },
  ]
}

test(`${hours} hours of simulated machines lose no piece without a cause, in both ways of counting`, {
  timeout: 600_000,
}, async () => {
  const { id: merchantId } = await aMerchant(database, { time_zone: 'Europe/Rome' })
  // Machines sell little at night: the hours end yesterday in the afternoon, whenever the test runs.
  const end = Math.floor(Date.now() / (24 * hourMs)) * 24 * hourMs - 10 * hourMs
  const start = end - hours * hourMs
  const plans = planFleet({ seed: 'stock', machines: 40, salesPerDay: 40_000, secretKey: '' })
    .filter(({ merchant }) => merchant.currency === 'EUR')
    .slice(0, machines)
    .map(({ plan }) => ({ ...plan, driftSeconds: 0, timeZone: 'Europe/Rome' }))
  const one = <T>(id: string, work: Parameters<TestDatabase['withTenant']>[1]) =>
    database.withTenant(wholeMerchant(merchantId), async (db) => {
      await lockJournals(db, [{ merchantId, id }])
      return work(db) as T
    })
  for (const [index, plan] of plans.entries()) {
    const planogramId = randomUUIDv7()
    await database.admin(
      `insert into planograms (merchant_id, id, name, planogram_type, created_at) values ($1, $2, $3, 'B', now())`,
      [merchantId, planogramId, plan.serial],
    )
    for (const [position, { line, capacity }] of plan.selections.entries())
      await database.admin(
        `insert into planogram_lines (merchant_id, planogram_id, selection, position, capacity, warning_level, refill_value)
         values ($1, $2, $3, $4, $5, 0, $5)`,
        [merchantId, planogramId, String(line), position, capacity],
      )
    const { id } = await aMachine(database, merchantId, { columns: { planogram_id: planogramId } })
    const countsStock = index % 2 === 1
    const knownMachine = { id, merchantId, timeZone: 'Europe/Rome', currency: 'EUR' } as KnownMachine
    const clock = zoneClock(plan.timeZone)
    const random = randomFrom(`day ${index}`)
    const memory = freshMemory(plan)
    let items: MachineItem[] = []
    const vending = openVending(plan, memory, random, clock, (item) => void items.push(item))
    const course = openMachineLife(vending, random, clock, start, { share: 0, edit: () => {} })
    const send = async (now: number) => {
      const due = items.filter(({ at }) => at <= now)
      items = items.filter(({ at }) => at > now)
      const entries = due.flatMap((item) => entryOf(item, (at) => clock.local(at).slice(0, 19)))
      if (entries.length > 0)
        await storeBatch(
          database,
          [{ machine: knownMachine, epoch: 1, entries, setAside: [], isReplay: false }],
          () => {},
          new Date(now),
        )
    }
    vending.reportStock(start)
    await send(start)
    await one(id, (db) => manageStock(db, [{ merchantId, machineId: id }], true, new Date(start + 1)))
    await one(id, (db) =>
      setStockCounter(db, [{ merchantId, machineId: id }], countsStock ? 'machine' : 'portal', new Date(start + 1)),
    )
    for (let now = start + stepMs; now <= end; now += stepMs) {
      course.step(now, 1)
      // A telemetry box gathers for a while.
      if (now % (5 * 60_000) === 0) await send(now)
      // The office's technician comes every hour and tops a few selections up.
      if ((now - start) % hourMs === 30 * 60_000) {
        await send(now)
        const rows = await database.admin<{ selection: string; level: number; refill_value: number }>(
          'select selection, level, refill_value from machine_stock where machine_id = $1 and planned order by level limit 4',
          [id],
        )
        await one(id, (db) =>
          bookHandling(
            db,
            { merchantId, machineId: id, countsStock },
            rows.map(({ selection, level, refill_value }) => ({
              selection,
              counted: null,
              waste: 0,
              loaded: Math.max(0, refill_value - level),
            })),
            { at: new Date(now), user },
            new Date(now),
          ),
        )
      }
      // Messages arrive a little later, some of them twice.
      if ((now - start) % hourMs === 32 * 60_000) {
        const lines = await one<Awaited<ReturnType<typeof takeRefills>>>(id, (db) =>
          takeRefills(db, [id], new Date(now), { isAsked: true }),
        )
        const messages = [...Map.groupBy(lines, (line) => line.id)].map(([refillId, refillLines]) => ({
          id: refillId,
          at: {
            utc: (refillLines[0] as RefillLine).at.toISOString(),
            local: clock.local((refillLines[0] as RefillLine).at.getTime()).slice(0, 19),
          },
          lines: refillLines.map(({ selection, waste, loaded }) => ({ selection, waste, loaded })),
        }))
        for (const message of [...messages, ...messages]) vending.takeRefill(now, message)
      }
    }
    vending.reportStock(end)
    await send(end + hourMs)
    const levels = await database.admin<{ selection: string; level: number }>(
      `select selection, level from machine_stock where machine_id = $1 and planned order by selection::int`,
      [id],
    )
    const expected = plan.selections
      .map(({ line }, place) => ({ selection: String(line), level: Math.max(0, memory.stock[place] ?? 0) }))
      .sort((a, b) => Number(a.selection) - Number(b.selection))
    expect(levels, `machine ${index}, ${countsStock ? 'machine' : 'portal'} counts`).toEqual(expected)
  }
  // In: opened and refilled. Out: vends as they are stored, and waste. There: the level. Nothing else happened to a selection.
  const rows = await database.admin<{
    pieces_in: number
    pieces_out: number
    there: number
    lack: number
    sold: number
  }>(
    `select m.machine_id, m.selection, stock.level as there, stock.differs,
       sum(m.amount) filter (where m.opening or m.kind in ('refill', 'oversold') or m.late)::int as pieces_in,
       coalesce(-sum(m.amount) filter (where m.kind = 'waste' and not m.late), 0)::int as wasted,
       coalesce(-sum(m.amount) filter (where m.kind in ('report', 'correction') and not m.opening and not m.late), 0)::int as lack,
       (select count(*)::int from transactions sale where sale.machine_id = m.machine_id and sale.price_line::text = m.selection
          and sale.type = any($2) and not sale.error_sale) as sold
     from stock_entries m join machine_stock stock using (merchant_id, machine_id, selection)
     where m.merchant_id = $1 and stock.stock_type is distinct from 1
     group by m.machine_id, m.selection, stock.level, stock.differs`,
    [merchantId, vendTypes],
  )
  expect(rows.length).toBeGreaterThan(machines)
  expect(rows.reduce((sum, { sold }) => sum + sold, 0)).toBeGreaterThan(50)
  expect(rows.filter(({ lack }) => lack !== 0)).toEqual([])
  expect(rows.filter(({ pieces_in, sold, there }) => pieces_in !== sold + there)).toEqual([])
  const [counts] = await database.admin<{ differing: number; waiting: number }>(
    `select (select count(*)::int from machine_stock where merchant_id = $1 and differs) as differing,
       (select count(*)::int from stock_refills where merchant_id = $1 and status = 'waiting') as waiting`,
    [merchantId],
  )
  expect(counts).toEqual({ differing: 0, waiting: 0 })
})
