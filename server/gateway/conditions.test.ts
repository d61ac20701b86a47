import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { connections } from '#contract/vocabulary/device.ts'
import { isDistributed, setDistributed } from '#database/frame/distributed.ts'
import type { Doors, Scope } from '#database/frame/tenant.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { StoppedError } from '../threads/stopped.ts'
import { createConditions } from './conditions.ts'

const log = { error: () => {} }

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())
afterEach(() => vi.useRealTimers())

test('conditions that arrive during a write are stored with the next write', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const merchant = await aMerchant(database)
  const first = await aMachine(database, merchant.id)
  const second = await aMachine(database, merchant.id)
  let written = 0
  const doors: Doors = {
    withSystem: database.withSystem,
    async withTenant(scope, work, access) {
      if (written === 0) noteContact(second)
      const result = await database.withTenant(scope, work, access)
      written += 1
      return result
    },
  }
  const conditions = createConditions(doors, () => {}, 60, log)
  const noteContact = (machine: TestMachine) =>
    conditions.note({
      merchantId: merchant.id,
      machineId: machine.id,
      lastSeenAt: new Date(),
      connection: connections.online,
    })
  const storedConditions = async () =>
    (
      await database.admin('select id from machines where merchant_id = $1 and last_seen_at is not null', [merchant.id])
    ).map(({ id }) => id)

  // vi.waitFor would advance the faked timers, and on a slow machine start the second write.
  const until = async (writes: number) => {
    while (written < writes) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  noteContact(first)
  vi.advanceTimersByTime(200)
  await until(1)
  // A second write would have started before the other answers arrived.
  for (let times = 0; times < 20; times++) expect(await storedConditions()).toEqual([first.id])
  expect(written).toBe(1)
  vi.advanceTimersByTime(200)
  await until(2)
  expect((await storedConditions()).sort()).toEqual([first.id, second.id].sort())
  await conditions.stop()
})

test('on a distributed database each merchant’s conditions are stored in a separate transaction', async () => {
  const isOnNodes = isDistributed()
  setDistributed(true)
  onTestFinished(() => setDistributed(isOnNodes))
  const merchants = [await aMerchant(database), await aMerchant(database)]
  const scopes: Scope[] = []
  const doors: Doors = {
    withSystem: database.withSystem,
    withTenant(scope, work, access) {
      scopes.push(scope)
      return database.withTenant(scope, work, access)
    },
  }
  const conditions = createConditions(doors, () => {}, 60, log)
  const at = new Date()
  for (const { id } of [...merchants, ...merchants]) {
    const machine = await aMachine(database, id)
    conditions.note({ merchantId: id, machineId: machine.id, lastSeenAt: at, connection: connections.online })
  }
  await conditions.stop()
  expect(scopes.map((scope) => scope.length)).toEqual(scopes.map(() => 1))
  expect(new Set(scopes.flat().map(({ merchantId }) => merchantId))).toEqual(new Set(merchants.map(({ id }) => id)))
  const rows = await database.admin(
    'select merchant_id from machines where merchant_id = any($1) and last_seen_at = $2 and connection = $3',
    [merchants.map(({ id }) => id), at, connections.online],
  )
  expect(rows).toHaveLength(4)
})

test('stopping stores all pending conditions', async () => {
  const merchant = await aMerchant(database)
  const machines = await Promise.all(Array.from({ length: 5 }, () => aMachine(database, merchant.id)))
  const conditions = createConditions(database, () => {}, 60, log)
  for (const { id } of machines)
    conditions.note({ merchantId: merchant.id, machineId: id, lastSeenAt: new Date(), signalPercent: 41 })
  await conditions.stop()
  const rows = await database.admin('select signal_percent from machines where merchant_id = $1', [merchant.id])
  expect(rows).toEqual(machines.map(() => ({ signal_percent: 41 })))
})

describe('results of storing', () => {
  const aPlace = async () => {
    const merchant = await aMerchant(database)
    const state = { merchantId: merchant.id, lastSeenAt: new Date() }
    const machines = [await aMachine(database, merchant.id), await aMachine(database, merchant.id)] as const
    const signals = async () =>
      (
        await database.admin<{ signal_percent: number | null }>(
          'select signal_percent from machines where merchant_id = $1 order by id',
          [merchant.id],
        )
      ).map((row) => row.signal_percent)
    return { state, machines, signals }
  }

  test('waits while the database is away', async () => {
    const { state, machines, signals } = await aPlace()
    let attempts = 0
    const doors: Doors = {
      withSystem: database.withSystem,
      async withTenant(scope, work, access) {
        if (attempts++ < 3) throw new Error('Connection terminated')
        return database.withTenant(scope, work, access)
      },
    }
    const conditions = createConditions(doors, () => {}, 60, log)
    const [machine] = machines
    await Promise.all([
      conditions.store({ ...state, machineId: machine.id, signalPercent: 60 }),
      conditions.store({ ...state, machineId: machine.id, signalPercent: 61 }),
    ])
    expect(await signals()).toContain(61)
    expect(attempts).toBeGreaterThan(3)
    await conditions.stop()
  })

  test('a condition that the database refuses delays no other machine', async () => {
    const { state, machines, signals } = await aPlace()
    const conditions = createConditions(database, () => {}, 60, log)
    const [good, bad] = machines
    const [stored, refused] = await Promise.allSettled([
      conditions.store({ ...state, machineId: good.id, signalPercent: 61 }),
      conditions.store({ ...state, machineId: bad.id, temperatureCelsius: 1e9 }),
    ])
    expect([stored.status, refused]).toMatchObject(['fulfilled', { reason: { code: '22003' } }])
    expect(await signals()).toContain(61)
    await conditions.stop()
  })

  test('is an error when the server stops first', async () => {
    const { state, machines } = await aPlace()
    const away = async () => {
      throw new Error('Connection terminated')
    }
    const conditions = createConditions({ withSystem: database.withSystem, withTenant: away }, () => {}, 60, log)
    const stored = Promise.allSettled([conditions.store({ ...state, machineId: machines[0].id })])
    await conditions.stop()
    expect(await stored).toMatchObject([{ reason: expect.any(StoppedError) }])
    await expect(conditions.store({ ...state, machineId: machines[1].id })).rejects.toThrow(StoppedError)
  })
})
