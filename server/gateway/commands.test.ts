import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ack, DownCommand, Go } from '#contract/device-protocol.ts'
import { changeCommand, lockCommands } from '#database/commands/command-outbox.ts'
import { cancel } from '#domain/commands/command-lifecycle.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'

const at = '2026-11-21T08:00:00'
const result = (seq: number, commandId: string, outcome = 'success', info?: string) => ({
  id: randomUUID(),
  at,
  epoch: 1,
  items: [{ seq, at, commandId, outcome, ...(info && { info }) }],
})
const claimOf = (commandId: string, id = randomUUID()) => ({ id, at, commandId })

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

async function aFleet() {
  const merchant = await aMerchant(database)
  return { merchant, machine: await aMachine(database, merchant.id) }
}

/** A command with the columns that an operator's order sets. */
async function aCommand(machine: TestMachine, with_: Record<string, unknown> = {}): Promise<string> {
  const now = Date.now()
  const row = {
    merchant_id: machine.merchantId,
    id: randomUUIDv7(),
    machine_id: machine.id,
    type: 1,
    parameters: '{}',
    status: 0,
    created_at: new Date(now),
    not_before: new Date(now),
    expires_at: new Date(now + 3_600_000),
    next_attempt_at: new Date(now),
    ...with_,
  }
  const names = Object.keys(row)
  await database.admin(
    `insert into remote_commands (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  )
  return row.id
}
const stateOf = async (id: string) =>
  (await database.admin('select * from remote_commands where id = $1', [id]))[0] as Record<string, unknown>

/** The change that the API makes when an operator cancels. */
const cancelled = (machine: TestMachine, id: string) =>
  database.withTenant(wholeMerchant(machine.merchantId), async (db) => {
    const [command] = await lockCommands(db, { ids: [id] })
    const change = command ? cancel(command) : null
    if (command && change) await changeCommand(db, command, change)
    return change !== null
  })

test('commands of two merchants are locked together, merchant by merchant', async () => {
  const one = await aFleet()
  const other = await aFleet()
  const ids = [await aCommand(one.machine), await aCommand(other.machine)]
  const scope = [...wholeMerchant(one.merchant.id), ...wholeMerchant(other.merchant.id)]
  const locked = await database.withTenant(scope, (db) => lockCommands(db, { ids }))
  expect(new Set(locked.map(({ id }) => id))).toEqual(new Set(ids))
})

describe('a command', () => {
  test.each([
    ['success', 2, 0],
    ['warning', 4, 3],
    ['error', 5, 2],
    ['unsupported', 3, 1],
  ])('reaches its machine, is claimed and ends with %s', async (outcome, status, code) => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const id = await aCommand(machine, { type: 5, parameters: '{"amount":500}' })
    const command = await connection.next<DownCommand>('command')
    expect(command).toMatchObject({ id, type: 5, parameters: { amount: 500 }, expiresInSeconds: expect.any(Number) })
    expect(await stateOf(id)).toMatchObject({ status: 1, started_at: null })
    await connection.send('claim', claimOf(id))
    expect(await connection.next<Go>('go')).toEqual({ commandId: id, go: true })
    await connection.send('result', result(1, id, outcome, 'as it was'))
    expect(await stateOf(id)).toMatchObject({
      status,
      result: code,
      result_info: 'as it was',
      executed_at: expect.any(Date),
    })
    expect(server.hints).toContainEqual({ merchantId: machine.merchantId, topic: 'command', machineId: machine.id })
  })

  test('waits for an offline machine, which gets it when it connects', async () => {
    const { machine } = await aFleet()
    const id = await aCommand(machine)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(await stateOf(id)).toMatchObject({ status: 0, attempts: 0 })
    const connection = await aConnection(server, machine)
    expect(await connection.next('command')).toMatchObject({ id })
  })

  test('can be fetched, claimed and reported over HTTP', async () => {
    const { machine } = await aFleet()
    const id = await aCommand(machine)
    const headers = { authorization: `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}` }
    const url = `${server.httpUrl}/device/v1/${machine.serial}`
    expect(await (await fetch(`${url}/commands`, { headers })).json()).toMatchObject({ commands: [{ id }] })
    const post = async (kind: string, body: object) =>
      (await fetch(`${url}/${kind}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    expect(await post('claim', claimOf(id))).toMatchObject({ go: { commandId: id, go: true } })
    expect(await post('result', result(1, id))).toMatchObject({ ack: { committed: 1 }, commands: [] })
    expect(await stateOf(id)).toMatchObject({ status: 2, result: 0 })
  })

  test('that no machine accepts ends when its attempts are used up', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    // The offer on connecting is no attempt. Wait until it is over.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const id = await aCommand(machine, { attempts: 4, maximum_attempts: 5, status: 1 })
    await connection.next('command')
    expect(await stateOf(id)).toMatchObject({ attempts: 5 })
    await database.admin(`update remote_commands set next_attempt_at = now() where id = $1`, [id])
    await expect.poll(() => stateOf(id), { timeout: 5000 }).toMatchObject({ status: 3, result: -1 })
  })

  test('expires after its time, and a claim of it is refused', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const id = await aCommand(machine, { expires_at: new Date(Date.now() + 300), status: 1 })
    await new Promise((resolve) => setTimeout(resolve, 350))
    await connection.send('claim', claimOf(id))
    expect(await connection.next<Go>('go')).toEqual({ commandId: id, go: false })
    expect(await stateOf(id)).toMatchObject({ status: 3, result: -2, started_at: null })
    const other = await aCommand(machine, { expires_at: new Date(Date.now() - 1000), type: 3 })
    await expect.poll(() => stateOf(other), { timeout: 5000 }).toMatchObject({ status: 3, result: -2 })
  })

  test('does not start before its time', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const later = new Date(Date.now() + 1500)
    const id = await aCommand(machine, { not_before: later, next_attempt_at: later })
    await connection.send('claim', claimOf(id))
    expect(await connection.next<Go>('go')).toMatchObject({ go: false })
    expect(await connection.next('command')).toMatchObject({ id })
    expect(Date.now()).toBeGreaterThanOrEqual(later.getTime())
  })

  test('is granted to one claim only; a repeated claim gets the same answer', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const id = await aCommand(machine)
    const claim = claimOf(id)
    const answers: boolean[] = []
    for (const each of [claim, claim, claimOf(id)]) {
      await connection.send('claim', each)
      answers.push((await connection.next<Go>('go')).go)
    }
    expect(answers).toEqual([true, true, false])
  })

  test('excludes another waiting command of the same type', async () => {
    const { machine } = await aFleet()
    await aCommand(machine)
    await expect(aCommand(machine)).rejects.toMatchObject({ code: '23505' })
    await aCommand(machine, { type: 3 })
  })

  test('above the maximum size is never sent', async () => {
    const { machine } = await aFleet()
    await aConnection(server, machine)
    const id = await aCommand(machine, { parameters: JSON.stringify({ text: 'x'.repeat(70_000) }) })
    await expect.poll(() => stateOf(id), { timeout: 5000 }).toMatchObject({ status: 3, result: 2 })
  })
})

describe('a result', () => {
  test('is refused and set aside for a command that was never claimed or belongs to another machine', async () => {
    const { merchant, machine } = await aFleet()
    const other = await aMachine(database, merchant.id)
    const unclaimed = await aCommand(machine)
    const foreign = await aCommand(other)
    const connection = await aConnection(server, machine)
    await connection.send('result', result(1, unclaimed))
    await connection.send('result', result(2, foreign))
    await connection.send('result', result(3, randomUUID()))
    expect(await connection.next<Ack>('ack', ({ committed }) => committed === 3)).toBeDefined()
    expect(await stateOf(unclaimed)).toMatchObject({ result: null })
    expect(await stateOf(foreign)).toMatchObject({ status: 0, result: null })
    expect(await database.admin('select reason from dead_letters where serial = $1', [machine.serial])).toHaveLength(3)
  })

  test('that arrives twice, even under another number, changes nothing', async () => {
    const { machine } = await aFleet()
    const connection = await aConnection(server, machine)
    const id = await aCommand(machine)
    await connection.send('claim', claimOf(id))
    await connection.send('result', result(1, id, 'success'))
    await connection.send('result', result(1, id, 'success'))
    await connection.send('result', result(2, id, 'error'))
    expect(await stateOf(id)).toMatchObject({ status: 2, result: 0 })
    expect(await database.admin('select 1 from dead_letters where serial = $1', [machine.serial])).toEqual([])
  })
})

test('a simultaneous claim and cancellation have one winner, in 60 races', async () => {
  const { machine } = await aFleet()
  const connection = await aConnection(server, machine)
  const wins = { cancelled: 0, begun: 0 }
  for (let round = 0; round < 60; round++) {
    const id = await aCommand(machine, { status: 1, next_attempt_at: new Date(Date.now() + 60_000) })
    const [isCancelled] = await Promise.all([cancelled(machine, id), connection.send('claim', claimOf(id))])
    const { go } = await connection.next<Go>('go', ({ commandId }) => commandId === id)
    expect(go).toBe(!isCancelled)
    const { status, result: code, started_at } = await stateOf(id)
    expect([status, code, started_at !== null]).toEqual(isCancelled ? [3, -3, false] : [1, null, true])
    if (isCancelled) wins.cancelled += 1
    else {
      wins.begun += 1
      expect(await cancelled(machine, id)).toBe(false)
      await connection.send('result', result(round + 1, id))
    }
  }
  expect(wins.cancelled + wins.begun).toBe(60)
})
