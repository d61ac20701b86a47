import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ack, DownCommand, Go } from '#contract/device-protocol.ts'
import { pauseAfter } from '#domain/commands/command-lifecycle.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'
import { aCommand } from '#testkit/machines/machine-data.ts'

/* Commands outlive the processes and connections on both sides. */

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

const at = '2026-11-21T08:00:00'
const claimOf = (commandId: string, id = randomUUID()) => ({ id, at, commandId })
const resultOf = (commandId: string, seq = 1) => ({
  id: randomUUID(),
  at,
  epoch: 1,
  items: [{ seq, at, commandId, outcome: 'success', info: 'done' }],
})
const aNewMachine = async () => aMachine(database, (await aMerchant(database)).id)
const stateOf = async (id: string) =>
  (await database.admin('select * from remote_commands where id = $1', [id]))[0] as Record<string, unknown>
/** Makes the command due again, as after its pause. */
const dueNow = (id: string) =>
  database.admin(`update remote_commands set next_attempt_at = now() - interval '1 second' where id = $1`, [id])

test('a command that was sent before the gateway stopped is sent again by the next gateway, and ends there', async () => {
  const machine = await aNewMachine()
  const before = await aGateway(database)
  const id = await aCommand(database, machine, { type: 4 })
  const away = await aConnection(before, machine)
  await away.next<DownCommand>('command', (command) => command.id === id)
  await before.stop()
  expect(await stateOf(id)).toMatchObject({ status: 1, started_at: null, sent_at: expect.any(Date) })
  const back = await aConnection(await aGateway(database), machine)
  await back.next<DownCommand>('command', (command) => command.id === id)
  await back.send('claim', claimOf(id))
  expect(await back.next<Go>('go')).toEqual({ commandId: id, go: true })
  await back.send('result', resultOf(id))
  expect(await stateOf(id)).toMatchObject({ status: 2, result: 0, result_info: 'done' })
})

test('a claim whose answer was lost with the gateway gets the same answer from the next gateway; another claim is refused', async () => {
  const machine = await aNewMachine()
  const before = await aGateway(database)
  const id = await aCommand(database, machine)
  const first = await aConnection(before, machine)
  const claim = claimOf(id)
  await first.send('claim', claim)
  expect(await first.next<Go>('go')).toEqual({ commandId: id, go: true })
  await before.stop()
  const second = await aConnection(await aGateway(database), machine)
  await second.send('claim', claim)
  expect(await second.next<Go>('go')).toEqual({ commandId: id, go: true })
  await second.send('claim', claimOf(id))
  expect(await second.next<Go>('go')).toEqual({ commandId: id, go: false })
  // A started command is not offered again, however long ago it was due.
  await dueNow(id)
  const { attempts, sent_at } = await stateOf(id)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await stateOf(id)).toMatchObject({ attempts, sent_at })
})

test('a machine that reconnects reports the end of a command that started before the restart', async () => {
  const machine = await aNewMachine()
  const before = await aGateway(database)
  const id = await aCommand(database, machine)
  const first = await aConnection(before, machine)
  await first.send('claim', claimOf(id))
  expect((await first.next<Go>('go')).go).toBe(true)
  await first.close()
  await before.stop()
  const second = await aConnection(await aGateway(database), machine)
  await second.send('result', resultOf(id))
  await second.next<Ack>('ack', ({ committed }) => committed === 1)
  expect(await stateOf(id)).toMatchObject({ status: 2, result: 0, attempts: expect.any(Number) })
})

test('a command that expired while no gateway ran is ended by the next gateway, and never executed', async () => {
  const machine = await aNewMachine()
  const id = await aCommand(database, machine, {
    status: 1,
    attempts: 1,
    expires_at: new Date(Date.now() - 1000),
    created_at: new Date(Date.now() - 60_000),
  })
  const connection = await aConnection(await aGateway(database), machine)
  await connection.send('claim', claimOf(id))
  expect(await connection.next<Go>('go')).toEqual({ commandId: id, go: false })
  expect(await stateOf(id)).toMatchObject({ status: 3, result: -2, started_at: null })
})

test('without an answer a command is sent again after growing pauses until its attempts are used', async () => {
  const machine = await aNewMachine()
  const connection = await aConnection(await aGateway(database), machine)
  // A pending command is offered when a machine connects, which is no attempt. Wait until that is over.
  await expect.poll(() => isOnline(machine), { timeout: 5000 }).toBe(true)
  const id = await aCommand(database, machine, { maximum_attempts: 3 })
  for (const attempt of [1, 2, 3]) {
    await connection.next<DownCommand>('command', (command) => command.id === id)
    await expect.poll(async () => (await stateOf(id)).attempts, { timeout: 5000 }).toBe(attempt)
    const { sent_at, next_attempt_at, status } = await stateOf(id)
    expect(status).toBe(1)
    expect((next_attempt_at as Date).getTime() - (sent_at as Date).getTime()).toBe(pauseAfter(attempt))
    await dueNow(id)
  }
  await expect.poll(() => stateOf(id), { timeout: 5000 }).toMatchObject({ status: 3, result: -1, attempts: 3 })
}, 30_000)

test('an offline machine costs no attempt', async () => {
  const machine = await aNewMachine()
  await aGateway(database)
  const id = await aCommand(database, machine)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await stateOf(id)).toMatchObject({ status: 0, attempts: 0, sent_at: null })
})

const isOnline = async (machine: TestMachine) =>
  (await database.admin('select 1 from machines where id = $1 and connection = 1', [machine.id])).length === 1
