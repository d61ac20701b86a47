import { randomUUID, randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeviceAnswer, Refill } from '#contract/device-protocol.ts'
import type { StockCounter } from '#contract/vocabulary/stock.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import { settleDifferences } from '#database/stock/difference.ts'
import { manageStock, setStockCounter } from '#database/stock/manage.ts'
import { bookHandling } from '#database/stock/refill.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

let database: TestDatabase
let server: TestGateway
beforeAll(async () => {
  database = await openTestDatabase()
  server = await openGateway(database)
})
afterAll(async () => {
  await server?.stop()
  await database?.close()
})

const user = { id: randomUUIDv7(), name: 'Anna' }
const clock = (at = Date.now()) =>
  new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Rome', hour12: false }).replace(' ', 'T')
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000

/** A managed machine with selection 12 of 150 pieces, of which it reported some an hour ago. */
async function aManaged(counter: StockCounter, level = 140) {
  const machine = await aMachine(database, (await aMerchant(database)).id)
  const connection = await aConnection(server, machine)
  const { merchantId } = machine
  const key = { merchantId, machineId: machine.id }
  let seq = 0
  const batch = (item: object, at: number) => ({
    id: randomUUID(),
    at: clock(),
    epoch: 1,
    items: [{ seq: ++seq, at: clock(at), ...item }],
  })
  const locked = <T>(work: Parameters<TestDatabase['withTenant']>[1]) =>
    database.withTenant(wholeMerchant(merchantId), async (db) => {
      await lockJournals(db, [machine])
      return work(db) as T
    })
  const report = (left: number, more: { refills?: string[]; refilledAt?: string } = {}, at = Date.now()) => {
    const { refills, ...ofLevel } = more
    const levels = [{ selection: '12', level: left, capacity: 150, ...ofLevel }]
    return connection.send('stock', batch({ levels, ...(refills && { refills }) }, at))
  }
  /** A sale with its number, which is sent later. */
  const aSale = (at: number) => {
    const sale = batch({ type: 1, mediaType: 1, mediaSource: 1, priceLine: 12, value: 100 }, at)
    return () => connection.send('sale', sale)
  }
  await report(level, {}, minutesAgo(60))
  await locked((db) => manageStock(db, [key], true, new Date(minutesAgo(50))))
  await locked((db) => setStockCounter(db, [key], counter, new Date(minutesAgo(50))))
  return {
    machine,
    connection,
    key,
    locked,
    report,
    sell: (at = Date.now()) => aSale(at)(),
    aSale,
    event: (code: string, at = Date.now()) => connection.send('event', batch({ code }, at)),
    visit: (loaded: number, at = new Date(), more: { counted?: number; waste?: number } = {}) =>
      locked((db) =>
        bookHandling(
          db,
          { ...key, countsStock: counter === 'machine' },
          [{ selection: '12', counted: more.counted ?? null, waste: more.waste ?? 0, loaded }],
          { at, user },
          new Date(),
        ),
      ),
  }
}

const stockOf = async (machineId: string) => {
  const [row] = await database.admin<{ level: number; balance: number; reported: number; differs: boolean }>(
    `select level, balance, reported, differs from machine_stock where machine_id = $1 and selection = '12'`,
    [machineId],
  )
  return row
}
/** Pieces that counts and reports lacked. */
const shrinkageOf = async (machineId: string) => {
  const [row] = await database.admin<{ lack: number }>(
    `select coalesce(-sum(amount), 0)::int as lack from stock_entries
     where machine_id = $1 and kind in ('report', 'correction') and not opening`,
    [machineId],
  )
  return row?.lack
}
const refillsOf = (machineId: string) =>
  database.admin<{ id: string; status: string; known: boolean }>(
    'select id, status, known_at is not null as known from stock_refills where machine_id = $1 order by created_at, id',
    [machineId],
  )

describe('where the portal counts', () => {
  test('a report that does not know of a refill lowers no level, and a difference over two reports is a finding', async () => {
    const { machine, report, sell, visit } = await aManaged('portal')
    await visit(10, new Date(minutesAgo(1)))
    await sell()
    await report(139)
    expect(await stockOf(machine.id)).toMatchObject({ level: 149, reported: 139, differs: false })
    await report(139)
    expect(await stockOf(machine.id)).toMatchObject({ level: 149, reported: 139, differs: true })
    expect(await shrinkageOf(machine.id)).toBe(0)
  })

  test('a user takes the machine’s number as a count, with the sales since then, or keeps the books', async () => {
    const { machine, report, sell, visit, locked, key } = await aManaged('portal')
    await visit(10, new Date(minutesAgo(3)))
    await report(140, {}, minutesAgo(2))
    await report(140, {}, minutesAgo(1))
    await sell()
    const settle = (keep: StockCounter) =>
      locked((db) => settleDifferences(db, key, ['12'], keep, { user, now: new Date() }))
    await settle('portal')
    expect(await stockOf(machine.id)).toMatchObject({ level: 149, differs: false })
    await report(139)
    await report(139)
    expect(await stockOf(machine.id)).toMatchObject({ level: 149, differs: false })
    await sell()
    await settle('machine')
    expect(await stockOf(machine.id)).toMatchObject({ level: 138, differs: false })
  })

  test('the machine gets a refill until a report names it, and not again', async () => {
    const { machine, connection, report, visit } = await aManaged('portal')
    await database.admin('update machines set connection = 1 where id = $1', [machine.id])
    await visit(10, new Date(), { counted: 130, waste: 1 })
    const refill = await connection.next<Refill>('refill')
    expect(refill).toMatchObject({ lines: [{ selection: '12', counted: 130, waste: 1, loaded: 10 }] })
    await report(139, { refills: [refill?.id as string] })
    expect(await refillsOf(machine.id)).toMatchObject([{ id: refill?.id, status: 'booked', known: true }])
    expect(await stockOf(machine.id)).toMatchObject({ level: 139, differs: false })
  })

  test('a machine that polls over HTTP fetches its refills', async () => {
    const { machine, visit } = await aManaged('portal')
    await visit(5)
    const [{ id } = { id: '' }] = await refillsOf(machine.id)
    const authorization = `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`
    const answer = await fetch(`${server.httpUrl}/device/v1/${machine.serial}/commands`, { headers: { authorization } })
    expect((await answer.json()) as Pick<DeviceAnswer, 'refills'>).toMatchObject({
      refills: [{ id, lines: [{ selection: '12', waste: 0, loaded: 5 }] }],
    })
  })
})

describe('where the machine counts', () => {
  test('a refill waits, and is booked when a report names it', async () => {
    const { machine, report, sell, visit } = await aManaged('machine')
    expect(await visit(10, new Date(minutesAgo(1)))).toMatchObject({ waiting: ['12'], moved: [] })
    await sell()
    await report(139)
    expect(await stockOf(machine.id)).toMatchObject({ level: 139 })
    const [refill] = await refillsOf(machine.id)
    expect(refill).toMatchObject({ status: 'waiting' })
    await report(149, { refills: [refill?.id as string] })
    expect(await stockOf(machine.id)).toMatchObject({ level: 149, balance: 149 })
    expect(await refillsOf(machine.id)).toMatchObject([{ status: 'confirmed', known: true }])
    // Named twice, it is booked once.
    await report(149, { refills: [refill?.id as string] })
    expect(
      await database.admin(
        `select amount, changed_by_name from stock_entries where machine_id = $1 and kind = 'refill'`,
        [machine.id],
      ),
    ).toEqual([{ amount: 10, changed_by_name: 'Anna' }])
    expect(await shrinkageOf(machine.id)).toBe(0)
  })

  test('a refill event of about the same time confirms it', async () => {
    const { machine, report, event, visit } = await aManaged('machine')
    await event('OA1B', minutesAgo(20))
    await report(150, { refilledAt: clock(minutesAgo(20)) }, minutesAgo(19))
    // The phone sends the visit when it has a connection again.
    expect(await visit(10, new Date(minutesAgo(18)))).toMatchObject({ waiting: [] })
    await visit(3, new Date())
    expect((await refillsOf(machine.id)).map(({ status }) => status)).toEqual(['confirmed', 'confirmed'])
    expect(await stockOf(machine.id)).toMatchObject({ level: 150 })
    expect(await shrinkageOf(machine.id)).toBe(0)
  })

  test('a refill that waits is confirmed by the machine’s own refill afterwards', async () => {
    const { machine, report, visit } = await aManaged('machine')
    await visit(10, new Date(minutesAgo(10)))
    await report(150, { refilledAt: clock(minutesAgo(5)) })
    expect(await refillsOf(machine.id)).toMatchObject([{ status: 'confirmed' }])
    expect(await stockOf(machine.id)).toMatchObject({ level: 150 })
    expect(await shrinkageOf(machine.id)).toBe(0)
  })
})

test('in whatever order visits, sales and reports that name them arrive, the level is the machine’s and nothing is missing', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('sale' as const) }),
    fc.record({ kind: fc.constant('visit' as const), loaded: fc.integer({ min: 1, max: 9 }) }),
    // The machine counts the refills that it has, and names them.
    fc.record({ kind: fc.constant('report' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
      const { machine, report, aSale, visit } = await aManaged('machine', 50)
      let ownLevel = 50
      let minute = 45
      const named = new Set<string>()
      const late: (() => Promise<unknown>)[] = []
      for (const one of [...steps, { kind: 'report' as const }]) {
        const at = minutesAgo(minute--)
        if (one.kind === 'visit') await visit(one.loaded, new Date(at))
        else if (one.kind === 'sale') {
          ownLevel -= 1
          late.push(aSale(at))
        } else {
          const fresh = (await refillsOf(machine.id)).filter(({ id }) => !named.has(id))
          for (const { id } of fresh) named.add(id)
          const [sum] = await database.admin<{ loaded: number }>(
            'select coalesce(sum(loaded), 0)::int as loaded from stock_refills where machine_id = $1 and id = any($2)',
            [machine.id, fresh.map(({ id }) => id)],
          )
          ownLevel += sum?.loaded ?? 0
          await report(ownLevel, { refills: fresh.map(({ id }) => id) }, at)
        }
      }
      // Sales that the report includes arrive after it.
      for (const send of late.toReversed()) await send()
      const row = await stockOf(machine.id)
      expect(row?.level).toBe(ownLevel)
      expect(row?.balance).toBe(ownLevel)
      expect(await shrinkageOf(machine.id)).toBe(0)
    }),
    { numRuns: 6 },
  )
}, 120_000)
