import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Ack } from '#contract/device-protocol.ts'
import { downtimeWithin } from '#database/sums/downtime.ts'
import { aDatabase, openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, aGateway, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

/** The local time of a machine in Rome, some seconds ago. */
function clock(secondsAgo = 0, at = Date.now()): string {
  return new Date(at - secondsAgo * 1000)
    .toLocaleString('sv-SE', { timeZone: 'Europe/Rome', hour12: false })
    .replace(' ', 'T')
}
const sale = (seq: number, more: object = {}) => ({ seq, at: clock(5), type: 1, mediaType: 1, value: 150, ...more })
const batch = (items: object[], more: object = {}) => ({ id: randomUUID(), at: clock(), epoch: 1, items, ...more })

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

/** A machine of a merchant of its own. */
async function aFleet() {
  const merchant = await aMerchant(database)
  return { machine: await aMachine(database, merchant.id) }
}

/** The same with a separate database and gateway that the test may break. */
async function aFleetApart() {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  return { database, machine, server: await aGateway(database) }
}
const salesOf = (database: TestDatabase, machine: TestMachine) =>
  database.admin<{ seq: number; value: string; created_at: Date; machine_time: string }>(
    'select * from transactions where machine_id = $1 order by seq',
    [machine.id],
  )
const columnsOf = async (database: TestDatabase, machine: TestMachine) =>
  (await database.admin('select * from machines where id = $1', [machine.id]))[0] as Record<string, unknown>

/** Waits for data that is written beside the items. */
async function eventually(check: () => Promise<void>, ms = 5000): Promise<void> {
  for (const until = Date.now() + ms; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}

describe('sales', () => {
  test('are stored with their hour’s sums, then acknowledged', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    await connection.send('sale', batch([sale(1), sale(2, { value: 80, freeSale: true, product: 'Espresso' })]))
    expect(await salesOf(database, machine)).toMatchObject([{ seq: '1' }, { seq: '2', product: 'Espresso' }])
    expect(await connection.next('ack')).toMatchObject({ epoch: 1, committed: 2, missing: [] })
    const hours = await database.admin('select count, value, free_count from sales_hourly where machine_id = $1', [
      machine.id,
    ])
    expect(
      hours.reduce((sum, { count, value, free_count }) => sum + count * 1e6 + Number(value) * 10 + free_count, 0),
    ).toBe(2e6 + 2300 + 1)
    expect(server.hints).toContainEqual({ merchantId: machine.merchantId, topic: 'transaction', machineId: machine.id })
    await eventually(async () => {
      expect(await columnsOf(database, machine)).toMatchObject({
        connection: 1,
        clock_drift_seconds: expect.any(Number),
      })
      expect((await columnsOf(database, machine)).last_sale_at).toBeInstanceOf(Date)
    })
  })

  test('that arrive twice, in disorder and in other batches count once', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    await Promise.all([
      connection.send('sale', batch([sale(3), sale(4)])),
      connection.send('sale', batch([sale(1), sale(2), sale(3)])),
      connection.send('sale', batch([sale(4), sale(5), sale(5)])),
    ])
    await connection.send('sale', batch([1, 2, 3, 4, 5].map((seq) => sale(seq))))
    expect((await salesOf(database, machine)).map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 5])
    const [sums] = await database.admin(
      'select sum(count) as count, sum(value) as value from sales_hourly where machine_id = $1',
      [machine.id],
    )
    expect(sums).toEqual({ count: '5', value: '750' })
  })

  test('with missing numbers are requested until the gap is filled', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    await connection.send('sale', batch([sale(1), sale(4), sale(7)]))
    expect(await connection.next('ack')).toMatchObject({
      epoch: 1,
      committed: 1,
      missing: [
        [2, 3],
        [5, 6],
      ],
    })
    await connection.send('sale', batch([sale(2), sale(3)]))
    expect(await connection.next('ack')).toMatchObject({ epoch: 1, committed: 4, missing: [] })
    // Nothing more arrives, so the gap is requested again after a while.
    const again = await connection.next<Ack>('ack', ({ missing }) => missing.length > 0)
    expect(again).toMatchObject({ epoch: 1, committed: 4, missing: [[5, 6]] })
    await connection.send('sale', batch([sale(6), sale(5)]))
    expect(await connection.next<Ack>('ack', ({ committed }) => committed === 7)).toMatchObject({ missing: [] })
  })

  test('of many machines and merchants at once are each stored once', async () => {
    const merchants = await Promise.all([1, 2, 3].map(() => aMerchant(database)))
    const machines: TestMachine[] = []
    for (let n = 0; n < 12; n++) machines.push(await aMachine(database, merchants[n % 3]?.id ?? ''))
    const ids = machines.map(({ id }) => id)
    await Promise.all(
      machines.map(async (machine) => {
        const connection = await aConnection(server, machine)
        await Promise.all(Array.from({ length: 40 }, (_, n) => connection.send('sale', batch([sale(n + 1)]))))
      }),
    )
    const [stored] = await database.admin(
      'select count(*)::int as n, count(distinct (machine_id, seq))::int as d from transactions where machine_id = any($1)',
      [ids],
    )
    expect(stored).toEqual({ n: 480, d: 480 })
    const wrong = await database.admin(`select 1 from sales_hourly h where count <> (select count(*) from transactions t
      where t.merchant_id = h.merchant_id and (t.machine_id, t.type, t.media_type, t.media_source) = (h.machine_id, h.type, h.media_type, h.media_source)
      and (coalesce(t.price_table, -1), coalesce(t.product, t.product_code, '')) = (h.price_table, h.product)
      and t.created_at >= h.hour and t.created_at < h.hour + interval '1 hour')`)
    expect(wrong).toEqual([])
  })

  test('of a former association are refused and set aside', async () => {
    const { machine } = await aFleet()
    await database.admin(`update machine_journals set epoch = 2 where machine_id = $1`, [machine.id])
    const connection = await aConnection(server, machine)
    await connection.send('sale', batch([sale(1)]))
    expect(await connection.next('ack')).toMatchObject({
      epoch: 2,
      committed: 0,
      missing: [],
      refused: [{ kind: 'sale', code: 'staleEpoch', seqs: [], kept: false }],
    })
    expect(await salesOf(database, machine)).toEqual([])
    expect(
      await database.admin('select reason, serial from dead_letters where serial = $1', [machine.serial]),
    ).toMatchObject([{ reason: expect.stringMatching(/^staleEpoch: /), serial: machine.serial }])
  })

  test('below the oldest number that a machine still has are given up', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    await connection.send('hello', { id: randomUUID(), at: clock(), epoch: 1, lastSeq: 20, oldestSeq: 18 })
    expect(await connection.next('ack')).toMatchObject({ epoch: 1, committed: 17, missing: [[18, 20]] })
  })
})

describe('a clock', () => {
  test('that is a day off only gives the age of a sale', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const tomorrow = Date.now() + 86_400_000
    await connection.send('sale', batch([sale(1, { at: clock(600, tomorrow) })], { at: clock(0, tomorrow) }))
    const [row] = await salesOf(database, machine)
    expect(Math.abs(Date.now() - 600_000 - Number(row?.created_at))).toBeLessThan(5000)
    expect(row?.machine_time).toBe(clock(600, tomorrow))
    await eventually(async () => {
      expect(Math.abs(Number((await columnsOf(database, machine)).clock_drift_seconds) + 86_400)).toBeLessThan(5)
    })
  })

  test('of the year 9999, or without a date, loses no data', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    await connection.send('sale', batch([sale(1, { at: '9999-12-31T23:00:00' })], { at: '9999-12-31T23:59:59' }))
    await connection.send('sale', batch([sale(2, { at: '0000-00-00T00:00:00' })], { at: '0000-00-00T00:00:00' }))
    await connection.send('sale', batch([sale(3, { at: '2001-01-01T00:00:00' })]))
    expect(await salesOf(database, machine)).toHaveLength(3)
  })
})

describe('events', () => {
  const event = (seq: number, code: string, more: object = {}) => ({ seq, at: clock(100 - seq), code, ...more })
  const alarmsOf = (machine: TestMachine) =>
    database.admin(
      'select code, status, count, criticity, source from alarms where machine_id = $1 order by created_at, code',
      [machine.id],
    )

  test('raise alarms, add to them, and repair them', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    await connection.send('event', batch([event(1, 'EAD'), event(2, 'EAD'), event(3, 'EGS')]))
    expect(await alarmsOf(machine)).toMatchObject([
      { code: 'EAD', status: 'active', count: 2, criticity: 4, source: 'coin' },
      { code: 'EGS', status: 'active', count: 1, source: 'door' },
    ])
    expect(await columnsOf(database, machine)).toMatchObject({ pos_status: 3 })
    await connection.send('event', batch([event(4, 'EAD', { active: false }), event(5, 'EGT')]))
    expect(await alarmsOf(machine)).toMatchObject([{ status: 'repaired' }, { status: 'repaired' }])
    expect(await columnsOf(database, machine)).toMatchObject({ pos_status: 1 })
    expect(server.hints).toContainEqual({ merchantId: machine.merchantId, topic: 'alarm', machineId: machine.id })
  })

  const within2Of = (seconds: number) =>
    expect.toSatisfy((value: number) => Math.abs(value - seconds) <= 2, `within 2 of ${seconds}`)

  test('of a fault that comes back soon are one alarm, whose times are kept; after a repair by hand it is another', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const at = (ago: number) => ({ at: clock(ago) })
    await connection.send('event', batch([event(1, 'EAD', at(600)), event(2, 'EAD', { active: false, ...at(500) })]))
    await connection.send('event', batch([event(3, 'EAD', at(300))]))
    expect(await alarmsOf(machine)).toMatchObject([{ code: 'EAD', status: 'active', count: 2 }])
    expect(await columnsOf(database, machine)).toMatchObject({ pos_status: 3 })
    // Ends and comes back in one message.
    await connection.send(
      'event',
      batch([
        event(4, 'EAD', { active: false, ...at(200) }),
        event(5, 'EAD', at(150)),
        event(6, 'EAD', { active: false, ...at(100) }),
      ]),
    )
    expect(await alarmsOf(machine)).toMatchObject([{ code: 'EAD', status: 'repaired', count: 3 }])
    expect(await columnsOf(database, machine)).toMatchObject({ pos_status: 1 })
    const pauses = await database.admin(
      `select round(extract(epoch from raised_at - ended_at))::int as seconds from alarm_pauses where machine_id = $1 order by ended_at`,
      [machine.id],
    )
    expect(pauses).toEqual([{ seconds: within2Of(200) }, { seconds: within2Of(50) }])
    // The times in between are no downtime.
    const now = Date.now()
    const down = await database.withTenant(wholeMerchant(machine.merchantId), (db) =>
      downtimeWithin(db, { merchantId: machine.merchantId, machineId: machine.id }, [
        { from: now - 3_600_000, to: now },
      ]),
    )
    // Each message has its own difference of clocks, in whole seconds.
    expect(down).toMatchObject([{ blockedSeconds: within2Of(100 + 100 + 50) }])

    await connection.send('event', batch([event(7, 'EAD', at(90))]))
    await database.admin(
      `update alarms set status = 'repairedManually', repaired_at = now() where machine_id = $1 and status = 'active'`,
      [machine.id],
    )
    await connection.send('event', batch([event(8, 'EAD', at(10))]))
    expect(await alarmsOf(machine)).toMatchObject([
      { status: 'repairedManually', count: 4 },
      { status: 'active', count: 1 },
    ])
  })

  test('that arrive after their own end leave no open alarm', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    await connection.send('event', batch([event(2, 'EAD', { active: false })]))
    await connection.send('event', batch([event(1, 'EAD')]))
    expect(await alarmsOf(machine)).toMatchObject([{ code: 'EAD', status: 'repaired' }])
    expect(await columnsOf(database, machine)).toMatchObject({ pos_status: 1 })
  })
})

test('cash shows the content of the box, and an older reading does not replace a newer one', async () => {
  const { machine } = await aFleet()
  const connection = await aConnection(server, machine)
  await connection.send(
    'cash',
    batch([{ seq: 2, at: clock(10), box: 5000, boxCapacity: 20_000, rejected: [{ value: 100, count: 2 }] }]),
  )
  await connection.send('cash', batch([{ seq: 1, at: clock(900), box: 4000 }]))
  expect(await columnsOf(database, machine)).toMatchObject({ cash_in_box: '5000', cash_box_capacity: '20000' })
  expect(await database.admin('select seq from cash_readings where machine_id = $1', [machine.id])).toHaveLength(2)
})

describe('presence', () => {
  const greeting = () => ({
    id: randomUUID(),
    at: clock(),
    epoch: 1,
    lastSeq: 0,
    bootAt: clock(60),
    firmwareVersion: '4.2',
  })
  test('a machine is online after its hello, and offline when it disconnects', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    await connection.send('hello', greeting())
    await connection.send('state', { id: randomUUID(), online: true, signalPercent: 61, networkType: '4G' })
    await eventually(async () => {
      expect(await columnsOf(database, machine)).toMatchObject({
        connection: 1,
        firmware_version: '4.2',
        signal_percent: 61,
        network_type: '4G',
        last_boot_at: expect.any(Date),
      })
    })
    await connection.close()
    await eventually(async () => expect(await columnsOf(database, machine)).toMatchObject({ connection: 0 }))
  })

  test('a last will sets the machine offline, unless it has reconnected meanwhile', async () => {
    const { machine } = await aFleet()
    const will = {
      topic: `gettone/v1/${machine.serial}/up/state`,
      payload: Buffer.from(JSON.stringify({ id: randomUUID(), online: false })),
      qos: 1 as const,
      retain: false,
    }
    const first = await aConnection(server, machine, { will })
    const second = await aConnection(server, machine, { will })
    await second.send('state', { id: randomUUID(), online: true })
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await columnsOf(database, machine)).toMatchObject({ connection: 1 })
    expect(first.client.connected).toBe(false)
    second.client.stream.destroy()
    await eventually(async () => expect(await columnsOf(database, machine)).toMatchObject({ connection: 0 }))
  })
})

describe('when the database is away', () => {
  /** Breaks every connection of the roles, and refuses new ones until the returned function is called. */
  async function cutOff(database: TestDatabase): Promise<() => Promise<void>> {
    const name = new URL(database.adminUrl).pathname.slice(1)
    await database.admin(`alter database ${name} connection limit 0`)
    await database.admin(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = $1 and usename in ('gettone_app', 'gettone_system')`,
      [name],
    )
    return async () => {
      await database.admin(`alter database ${name} connection limit -1`)
    }
  }

  test('nothing is acknowledged until it is stored, and then it is stored once', async () => {
    const { database, machine, server } = await aFleetApart()
    const connection = await aConnection(server, machine)
    await connection.send('sale', batch([sale(1)]))
    const letIn = await cutOff(database)
    let acknowledged = 0
    const sent = [2, 3, 4].map((seq) => connection.send('sale', batch([sale(seq)])).then(() => acknowledged++))
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(acknowledged).toBe(0)
    await letIn()
    await Promise.all(sent)
    expect((await salesOf(database, machine)).map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4])
    expect(await connection.next<Ack>('ack', ({ committed }) => committed === 4)).toBeDefined()
  })

  test('a gateway that is stopped meanwhile acknowledges nothing', async () => {
    const { database, machine, server } = await aFleetApart()
    const connection = await aConnection(server, machine)
    const letIn = await cutOff(database)
    onTestFinished(letIn)
    const outcome = connection.send('sale', batch([sale(1)])).then(
      () => 'acknowledged',
      () => 'not acknowledged',
    )
    await new Promise((resolve) => setTimeout(resolve, 200))
    await Promise.all([server.stop(), new Promise((resolve) => setTimeout(resolve, 100))])
    connection.client.end(true)
    expect(await Promise.race([outcome, new Promise((resolve) => setTimeout(() => resolve('nothing'), 500))])).not.toBe(
      'acknowledged',
    )
    await letIn()
  }, 30_000)
})

test('a gateway stopped under load has stored everything it acknowledged, and the next one continues', async () => {
  const { database, machine, server } = await aFleetApart()
  const connection = await aConnection(server, machine)
  let acknowledged = 0
  const sending = Promise.allSettled(
    Array.from({ length: 300 }, async (_, n) => {
      await connection.send('sale', batch([sale(n + 1)]))
      acknowledged += 1
    }),
  )
  await eventually(async () => expect(acknowledged).toBeGreaterThan(20))
  await server.stop()
  connection.client.end(true)
  await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, 500))])
  const stored = await salesOf(database, machine)
  expect(stored.length).toBeGreaterThanOrEqual(acknowledged)
  const next = await aGateway(database)
  const again = await aConnection(next, machine)
  await again.send('sale', batch(Array.from({ length: 300 }, (_, n) => sale(n + 1))))
  expect(await salesOf(database, machine)).toHaveLength(300)
})
