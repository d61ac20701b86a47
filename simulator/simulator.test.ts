import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { canonicalJson } from '#contract/configurations/vp-document.ts'
import { planFleet } from '#demo/fleet/fleet.ts'
import { spawnSimulator } from '#demo/spawn-simulator.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { startControlServer } from './control-server.ts'
import { startFleet } from './fleet.ts'
import type { Behaviour } from './plan.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

/** Sales an hour: several a second. */
const brisk = Array.from({ length: 168 }, () => 15_000)
const still = Array.from({ length: 168 }, () => 0)
const until = { timeout: 15_000, interval: 100 }

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-simulator-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Machines of a new merchant, without faults, never sold out, with sales at the given rhythm. */
async function someMembers({ rhythm = still, behaviours = ['success', 'success'] as Behaviour[] } = {}) {
  const merchant = await aMerchant(database)
  const plans = planFleet({ seed: merchant.id, machines: 40, salesPerDay: 1000, secretKey: '' })
    .filter((machine) => machine.merchant.currency === 'EUR')
    .map(({ plan }) => plan)
  return Promise.all(
    behaviours.map(async (behaviour, index) => {
      const plan = plans[index]
      if (!plan) throw new Error('Too few machines were planned.')
      const { serial, secret } = await aMachine(database, merchant.id)
      const selections = plan.selections.map((one) => ({ ...one, capacity: 1e4 }))
      const sound = { trouble: 1e-9, driftSeconds: 0, signalPercent: 80 }
      return { lastSeq: 0, plan: { ...plan, ...sound, serial, secret, rhythm, behaviour, selections } }
    }),
  )
}

async function aFleet(options: { rhythm?: number[]; behaviours?: Behaviour[]; folder?: string } = {}) {
  const members = await someMembers(options)
  const server = await aGateway(database)
  const folder = options.folder ?? aFolder()
  const fleet = startFleet({ members, broker: server.mqttUrl, folder, cloudUse: 0 })
  onTestFinished(() => fleet.stop())
  const machines = [...fleet.machines.values()]
  await vi.waitFor(() => expect(machines.every((machine) => machine.isConnected())).toBe(true), until)
  const [first] = machines
  if (!first) throw new Error('There are no machines.')
  return { members, server, fleet, machines, first, folder }
}

const allStored = (machines: { waiting(): number }[]) =>
  vi.waitFor(() => expect(machines.map((machine) => machine.waiting())).toEqual(machines.map(() => 0)), {
    timeout: 30_000,
    interval: 100,
  })

/**
 * Machines with items that are not stored exactly once, over all assigned numbers. Stock and prices have the report of the
 * start; a reading of the signal follows within five minutes.
 */
const wrongJournals = () =>
  database.admin(`
    select m.serial, j.seen::text, i.count::int, i.seqs::int, i.last::int
    from machines m join machine_journals j on j.machine_id = m.id, lateral (
      select count(*) as count, count(distinct seq) as seqs, max(seq) as last from (
        select seq from transactions where machine_id = m.id union all select seq from events where machine_id = m.id
        union all select seq from audits where machine_id = m.id union all select seq from readings where machine_id = m.id
        union all select seq from cash_readings where machine_id = m.id
        union all select seq from configurations where machine_id = m.id
        union all select distinct seq from machine_stock where machine_id = m.id
        union all select distinct seq from machine_prices where machine_id = m.id) items) i
    where i.count > 0 and (i.count <> i.seqs or i.last <> i.count or j.seen <> int8multirange(int8range(1, i.last + 1)))`)

const storedLast = async () =>
  new Map(
    (
      await database.admin<{ serial: string; last: number }>(
        `select m.serial, coalesce(upper(j.seen) - 1, 0)::int as last from machines m join machine_journals j on j.machine_id = m.id`,
      )
    ).map(({ serial, last }) => [serial, last]),
  )

test('each sale of a simulated machine arrives once', async () => {
  const { members, machines, fleet } = await aFleet({ rhythm: brisk })
  await vi.waitFor(() => {
    for (const [index, machine] of machines.entries())
      expect(machine.stored().memory.seq).toBeGreaterThan((members[index]?.lastSeq ?? 0) + 20)
  }, until)
  for (const machine of machines) machine.step(Date.now(), 0)
  await fleet.stop()
  const last = await storedLast()
  expect(await wrongJournals()).toEqual([])
  for (const machine of machines) {
    const { memory, pending } = machine.stored()
    // Items of the last moment are stored for the next start.
    expect(last.get(machine.serial)).toBeGreaterThanOrEqual(memory.seq - pending.length)
  }
})

test('while the gateway is away, the machines store their sales, and send them when it is back', async () => {
  const { server, machines, fleet } = await aFleet({ rhythm: brisk })
  const port = String(server.gateway.mqttPort)
  const soldBy = () => machines.reduce((sum, machine) => sum + machine.stored().memory.seq, 0)
  await server.stop()
  const before = soldBy()
  await vi.waitFor(() => expect(soldBy()).toBeGreaterThan(before + 60), until)
  expect(machines.some((machine) => machine.waiting() > 10)).toBe(true)
  await aGateway(database, { MQTT_PORT: port })
  const waitedFor = machines.map((machine) => machine.stored().memory.seq)
  await vi.waitFor(
    async () => {
      const last = await storedLast()
      for (const [index, machine] of machines.entries())
        expect(last.get(machine.serial)).toBeGreaterThanOrEqual(waitedFor[index] ?? 0)
    },
    { timeout: 40_000, interval: 500 },
  )
  await fleet.stop()
  expect(await wrongJournals()).toEqual([])
}, 60_000)

test('a killed fleet continues with its stored items', async () => {
  const folder = aFolder()
  const { server, members, machines, fleet } = await aFleet({ rhythm: brisk, folder })
  await server.stop()
  await vi.waitFor(() => expect(machines.every((machine) => machine.waiting() > 5)).toBe(true), until)
  const newItems = machines.map((machine) => machine.stored().memory)
  const again = startFleet({ members, broker: 'mqtt://127.0.0.1:9', folder })
  const stored = [...again.machines.values()].map((machine) => machine.stored())
  for (const [index, { memory, pending }] of stored.entries()) {
    expect(memory.seq).toBeGreaterThanOrEqual(newItems[index]?.seq ?? Number.POSITIVE_INFINITY)
    expect(pending.at(-1)?.seq).toBe(memory.seq)
  }
  await Promise.all([again.stop(), fleet.stop()])
  expect(await wrongJournals()).toEqual([])
})

/** Sends a command as the API would, and waits for its end. */
async function command(serial: string, type: number, parameters = {}) {
  const [sent] = await database.admin<{ id: string }>(
    `insert into remote_commands (merchant_id, id, machine_id, type, parameters, status, created_at, not_before, expires_at, next_attempt_at)
     select merchant_id, gen_random_uuid(), id, $2, $3, 0, now(), now(), now() + interval '1 hour', now()
     from machines where serial = $1 returning id`,
    [serial, type, JSON.stringify(parameters)],
  )
  return vi.waitFor(async () => {
    const [row] = await database.admin<{ status: number; result: number; result_info: string | null }>(
      'select status, result, result_info from remote_commands where id = $1 and result is not null',
      [sent?.id],
    )
    if (!row) throw new Error('The command has not ended.')
    return row
  }, until)
}

test('“read audit” ends as received, with a new audit of the machine’s counters', async () => {
  const { first } = await aFleet()
  expect(await command(first.serial, 1)).toMatchObject({ status: 2, result: 0 })
  await allStored([first])
  const [audit] = await database.admin<{
    origin: number
    crc: string
    warnings: number
    vends_total: number
    sales_total: number
  }>(
    `select origin, crc, warnings, vends_total::int, sales_total::int from audits a join machines m on m.id = a.machine_id
     where m.serial = $1 order by a.seq desc limit 1`,
    [first.serial],
  )
  const { sold } = first.stored().memory
  expect(audit).toEqual({
    origin: 2,
    crc: 'holds',
    warnings: 0,
    vends_total: sold.reduce((sum, { count }) => sum + count, 0),
    sales_total: sold.reduce((sum, { value }) => sum + value, 0),
  })
})

test('“send credit” appears as a recharge from the cloud, and “read counters” returns the counters', async () => {
  const { first } = await aFleet()
  expect(await command(first.serial, 5, { amount: 250 })).toMatchObject({ status: 2, result: 0 })
  await allStored([first])
  const [recharge] = await database.admin(
    `select t.type, t.value::int, t.value_charge::int from transactions t join machines m on m.id = t.machine_id
     where m.serial = $1 order by t.seq desc limit 1`,
    [first.serial],
  )
  expect(recharge).toEqual({ type: 107, value: 0, value_charge: 250 })
  const { sold } = first.stored().memory
  const vends = sold.reduce((sum, { count }) => sum + count, 0)
  expect((await command(first.serial, 3)).result_info).toContain(`VA102=${vends} `)
})

test('“restart” disconnects the machine and reconnects it with a new boot', async () => {
  const { first } = await aFleet()
  const bootOf = async () => {
    const [row] = await database.admin<{ at: Date; connection: number }>(
      'select last_boot_at as at, connection from machines where serial = $1',
      [first.serial],
    )
    return row
  }
  const patient = { timeout: 40_000, interval: 100 }
  await vi.waitFor(async () => expect(await bootOf()).toMatchObject({ connection: 1 }), patient)
  const before = await bootOf()
  expect(await command(first.serial, 4)).toMatchObject({ status: 2, result: 0 })
  await vi.waitFor(async () => expect((await bootOf())?.connection).toBe(0), patient)
  await vi.waitFor(
    async () => expect((await bootOf())?.at.getTime()).toBeGreaterThan(before?.at.getTime() ?? 0),
    patient,
  )
  await vi.waitFor(async () => expect(await bootOf()).toMatchObject({ connection: 1 }), patient)
}, 180_000)

test('machines that answer with a warning, an error or not at all end commands accordingly', async () => {
  const { machines } = await aFleet({ behaviours: ['warning', 'error', 'unsupported'] })
  const ends = await Promise.all(machines.map(({ serial }) => command(serial, 1)))
  expect(ends).toMatchObject([
    { status: 4, result: 3 },
    { status: 5, result: 2 },
    { status: 3, result: 1 },
  ])
})

/** Codes of a machine's open alarms. */
const openAlarms = async (serial: string) =>
  (
    await database.admin<{ code: string }>(
      `select a.code from alarms a join machines m on m.id = a.machine_id
       where m.serial = $1 and a.status in ('active', 'notification') order by 1`,
      [serial],
    )
  ).map((row) => row.code)

test('the super admin’s controls can jam a machine, empty a selection, and repair both', async () => {
  const { fleet, first } = await aFleet()
  const selections = first.stored().memory.stock.length
  fleet.act(first.serial, 'recover')
  await vi.waitFor(async () => expect(await openAlarms(first.serial)).toEqual([]), until)
  fleet.act(first.serial, 'jam')
  fleet.act(first.serial, 'emptySelection')
  await vi.waitFor(async () => {
    const codes = await openAlarms(first.serial)
    expect(codes).toHaveLength(2)
    expect(codes[0]).toBe('EAD')
    expect(codes[1]).toMatch(/^ELB_\d+$/)
  }, until)
  expect(first.stored().memory.stock.filter((left) => left > 0)).toHaveLength(selections - 1)
  fleet.act(first.serial, 'recover')
  await vi.waitFor(async () => expect(await openAlarms(first.serial)).toEqual([]), until)
})

test('the last will reports a lost signal', async () => {
  const { fleet, first } = await aFleet()
  fleet.act(first.serial, 'cutSignal')
  await vi.waitFor(async () => {
    const [row] = await database.admin('select connection from machines where serial = $1', [first.serial])
    expect(row).toEqual({ connection: 0 })
  }, until)
})

test('the control server requires its token, a known machine and a known action', async () => {
  const token = 'the token'
  const done: string[] = []
  const control = await startControlServer({
    port: 0,
    token,
    act: (serial, action) => {
      if (serial === 'here') done.push(action)
      return serial === 'here'
    },
    has: (serial) => serial === 'here',
    serve: async (serial) => (serial === 'here' ? { outcome: 'sold' } : null),
    breakUpdates: () => false,
  })
  onTestFinished(() => void control.close())
  const address = control.address()
  const ask = async (path: string, { method = 'POST', given = token } = {}) =>
    (
      await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}${path}`, {
        method,
        headers: { authorization: `Bearer ${given}` },
      })
    ).status
  expect(await ask('/machines/here/jam')).toBe(202)
  expect(await ask('/machines/here/jam', { given: 'another' })).toBe(401)
  expect(await ask('/machines/here/explode')).toBe(400)
  expect(await ask('/machines/away/jam')).toBe(404)
  expect(await ask('/machines/here/jam', { method: 'GET' })).toBe(404)
  expect(await ask('/machines/here', { method: 'GET' })).toBe(204)
  expect(await ask('/machines/away', { method: 'GET' })).toBe(404)
  expect(await ask('/machines/here')).toBe(400)
  expect(await ask('/machines/here', { method: 'GET', given: 'another' })).toBe(401)
  expect(done).toEqual(['jam'])
})

test('the simulator runs as a separate process and follows the API’s control address', async () => {
  const fleet = await someMembers()
  const server = await aGateway(database)
  const warnings: unknown[] = []
  const log = { warn: (facts: unknown) => void warnings.push(facts), debug: () => {} }
  const simulator = await spawnSimulator({
    broker: server.mqttUrl,
    portal: server.httpUrl,
    dataDir: aFolder(),
    fleet,
    log,
  })
  onTestFinished(() => simulator.stop())
  await simulator.start()
  const serial = fleet[0]?.plan.serial ?? ''
  const connection = () =>
    database.admin<{ connection: number }>('select connection from machines where serial = $1', [serial])
  await vi.waitFor(async () => expect(await connection()).toEqual([{ connection: 1 }]), until)
  const address = new URL(`/machines/${serial}/cutSignal`, simulator.url)
  const authorization = `Bearer ${address.password}`
  address.username = ''
  address.password = ''
  expect((await fetch(address, { method: 'POST', headers: { authorization } })).status).toBe(202)
  await vi.waitFor(async () => expect(await connection()).toEqual([{ connection: 0 }]), until)
  await simulator.stop()
  expect(warnings).toEqual([])
}, 40_000)

test('a command of each type is claimed, executed and answered, and the machine’s reports show its effect', async () => {
  const { first } = await aFleet()
  const document = { boilers: { coffeeTemperature: 92 } }
  const sha256 = createHash('sha256').update(canonicalJson(document)).digest('hex')
  const line = Number((await command(first.serial, 17)).result_info?.split('=')[0])
  const orders: [number, object][] = [
    [2, {}],
    [6, { settings: { 'display.brightness': '40' } }],
    [8, {}],
    [9, {}],
    [10, { prices: [{ selection: String(line), price: 777 }] }],
    [16, {}],
    [18, {}],
    [19, { name: 'Summer', schemaVersion: '3.2', document, sha256 }],
  ]
  const ends = await Promise.all(orders.map(([type, parameters]) => command(first.serial, type, parameters)))
  for (const end of ends) expect(end).toMatchObject({ status: 2, result: 0 })
  expect((await command(first.serial, 17)).result_info).toContain(`${line}=777`)
  expect(await command(first.serial, 10, { prices: [{ selection: '9998', price: 1 }] })).toMatchObject({
    status: 5,
    result_info: 'E-31 no selection 9998',
  })
}, 90_000)

test('a machine that loses power during a command reports that after the restart, and does not repeat it', async () => {
  const folder = aFolder()
  const { server, members, first, fleet } = await aFleet({ folder })
  const sent = command(first.serial, 5, { amount: 250 })
  await vi.waitFor(() => expect(first.stored().memory.underway).toHaveLength(1), { timeout: 10_000, interval: 5 })
  // From here on it knows only what is stored on its disk.
  const disk = aFolder()
  cpSync(folder, disk, { recursive: true })
  await fleet.stop()
  const again = startFleet({ members, broker: server.mqttUrl, folder: disk })
  onTestFinished(() => again.stop())
  expect(await sent).toMatchObject({ status: 5, result: 2, result_info: 'E-90 power failed meanwhile' })
  const credited = await database.admin(
    'select from transactions t join machines m on m.id = t.machine_id where m.serial = $1 and t.type = 107',
    [first.serial],
  )
  expect(credited).toEqual([])
}, 60_000)
