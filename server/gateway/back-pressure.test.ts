import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { register } from 'prom-client'
import { expect, test } from 'vitest'
import type { Ack } from '#contract/device-protocol.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'
import { createBudget } from './budget.ts'

const at = '2026-11-21T08:00:00'
const bytesInFlight = async () =>
  (await register.getSingleMetric('gettone_ingest_bytes_in_flight')?.get())?.values[0]?.value ?? 0

test('a budget has room again when its bytes are released', () => {
  const budget = createBudget({ perMachine: 100, inAll: 150 })
  const release = budget.take('A', 100)
  expect([budget.hasRoom('A'), budget.hasRoom('B')]).toEqual([false, true])
  const releaseOther = budget.take('B', 60)
  expect(budget.hasRoom('C')).toBe(false)
  let calls = 0
  budget.whenRoom(() => calls++)
  release()
  release()
  expect([calls, budget.hasRoom('A'), budget.hasRoom('C')]).toEqual([1, true, true])
  releaseOther()
  expect(calls).toBe(1)
})

test('messages for a database node that is away leave room for the machines of others', () => {
  const budget = createBudget({ perMachine: 100, inAll: 100 }, (serial) => (serial === 'new' ? '' : serial.slice(0, 1)))
  const releases: (() => void)[] = []
  const take = (serial: string, bytes: number) => void releases.push(budget.take(serial, bytes))
  for (let n = 0; n < 20 && budget.hasRoom(`A${n}`); n += 1) take(`A${n}`, 10)
  expect([budget.hasRoom('A99'), budget.isAlone('A99'), budget.share('A')]).toEqual([false, true, 1])
  expect([budget.hasRoom('B1'), budget.isAlone('B1'), budget.share('B')]).toEqual([true, false, 0])
  expect(budget.hasRoom('new')).toBe(true)
  take('new', 60)
  // Without any room, all wait.
  expect([budget.hasRoom('B1'), budget.isAlone('A99')]).toEqual([false, false])
  for (const release of releases) release()
  expect([budget.share('A'), budget.hasRoom('A99')]).toEqual([0, true])
})

test('while the database stalls, a machine’s messages wait outside the gateway and are stored afterwards', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const loud = await aMachine(database, merchant.id)
  const quiet = await aMachine(database, merchant.id)
  const server = await aGateway(database)
  const pouring = await aConnection(server, loud)
  const waiting = await aConnection(server, quiet)
  // A lock held by the owner's session acts like a database that does not answer.
  const release = await stall(database.adminUrl, 'machine_journals')
  // 40 messages of about 230 kB: far more than one machine may have in memory.
  const sent = Array.from({ length: 40 }, (_, message) =>
    pouring.send('event', {
      id: randomUUID(),
      at,
      epoch: 1,
      items: Array.from({ length: 110 }, (_, n) => ({
        seq: message * 110 + n + 1,
        at,
        code: 'X1',
        detail: 'x'.repeat(2000),
      })),
    }),
  )
  const little = waiting.send('sale', { id: randomUUID(), at, epoch: 1, items: [{ seq: 1, at, type: 1, value: 1 }] })
  let highest = 0
  for (const until = Date.now() + 1500; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 20)))
    highest = Math.max(highest, await bytesInFlight())
  expect(highest).toBeGreaterThan(200_000)
  expect(highest).toBeLessThan(3_000_000)
  await release()
  await Promise.all([...sent, little])
  expect(await pouring.next<Ack>('ack', ({ committed }) => committed === 4400)).toBeDefined()
  expect(await bytesInFlight()).toBe(0)
  expect((await database.admin('select count(*)::int as n from events'))[0]).toEqual({ n: 4400 })
})

test('a state is acknowledged only once it is stored', async () => {
  const database = await aDatabase()
  const machine = await aMachine(database, (await aMerchant(database)).id)
  const server = await aGateway(database)
  const connection = await aConnection(server, machine)
  const state = (facts: object) => connection.send('state', { id: randomUUID(), at, online: true, ...facts })
  const signal = async () => (await database.admin('select signal_percent as signal from machines'))[0]?.signal
  await state({ signalPercent: 61 })
  expect(await signal()).toBe(61)
  // Also when nothing has changed.
  await state({})

  const release = await stall(database.adminUrl, 'machines')
  let acknowledged = 0
  const count = () => void acknowledged++
  const sent = [state({ signalPercent: 62 }).then(count), state({ signalPercent: 63 }).then(count)]
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect([acknowledged, (await bytesInFlight()) > 0]).toEqual([0, true])
  await release()
  await Promise.all(sent)
  expect([await signal(), await bytesInFlight()]).toEqual([63, 0])
})

/** Locks a table until the returned function is called. */
async function stall(adminUrl: string, table: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return async () => {
    await client.query('commit')
    await client.end()
  }
}
