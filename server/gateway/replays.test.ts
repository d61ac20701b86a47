import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { largestPrice } from '#contract/vocabulary/world/money-limits.ts'
import { requestReplay } from '#database/platform/dead-letter-replay.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { aConnection, openGateway, type TestGateway } from '#testkit/machines/gateway.ts'
import { aDeadLetter } from '#testkit/machines/machine-data.ts'

const at = '2026-11-21T08:00:00'
const sale = (seq: number, more: object = {}) => ({ seq, at, type: 1, value: 100, ...more })
const batch = (items: object[]) => ({ id: randomUUID(), at, epoch: 1, items })

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

const aMember = async () => aMachine(database, (await aMerchant(database)).id)
const lettersOf = (machine: TestMachine) =>
  database.admin<{ id: string; replay_outcome: string | null; replay_detail: string | null }>(
    'select id, replay_outcome, replay_detail from dead_letters where serial = $1 order by at',
    [machine.serial],
  )
const salesOf = async (machine: TestMachine) =>
  (
    await database.admin<{ seq: number }>(
      'select seq::int as seq from transactions where machine_id = $1 order by seq',
      [machine.id],
    )
  ).map(({ seq }) => seq)

/** Requests a replay of a letter and waits for its result. */
async function replayed(machine: TestMachine, id: string) {
  await requestReplay(database, id, { id: randomUUID(), name: 'Support' }, new Date())
  const letter = async () => (await lettersOf(machine)).find((one) => one.id === id)
  await expect.poll(async () => (await letter())?.replay_outcome, { timeout: 10_000 }).not.toBeNull()
  return letter()
}

test('a set-aside item that is valid now is stored, though the journal has continued without it', async () => {
  const machine = await aMember()
  const connection = await aConnection(server, machine)
  await connection.send('sale', batch([sale(1), sale(2, { value: 'much' }), sale(3)]))
  expect(await connection.next('ack')).toMatchObject({ committed: 3 })
  const [letter] = await lettersOf(machine)
  if (!letter) throw new Error('No dead letters')
  // As if a newer version could read it, or support had corrected it.
  await database.admin('update dead_letters set payload = $2 where id = $1', [letter.id, JSON.stringify(sale(2))])
  expect(await replayed(machine, letter.id)).toMatchObject({ replay_outcome: 'stored', replay_detail: null })
  expect(await salesOf(machine)).toEqual([1, 2, 3])
})

test('a sale of an implausible value is kept and in no sum, until support replays it on purpose', async () => {
  const machine = await aMember()
  const connection = await aConnection(server, machine)
  const most = largestPrice('EUR')
  await connection.send(
    'sale',
    batch([sale(1), sale(2, { value: most + 1 }), sale(3, { value: most }), sale(4, { type: 12, value: most + 1 })]),
  )
  expect(await connection.next('ack')).toMatchObject({
    committed: 4,
    refused: [{ seqs: [2], code: 'invalidItem', kept: true, reason: expect.stringContaining('decimals') }],
  })
  expect(await salesOf(machine)).toEqual([1, 3, 4])
  const summed = async () => {
    const [sums] = await database.admin<{ value: number }>(
      'select coalesce(sum(value), 0)::int as value from sales_hourly where machine_id = $1 and type = 1',
      [machine.id],
    )
    return sums?.value
  }
  expect(await summed()).toBe(100 + most)
  const [letter] = await lettersOf(machine)
  expect(await replayed(machine, letter?.id ?? '')).toMatchObject({ replay_outcome: 'stored' })
  expect(await summed()).toBe(100 + most + most + 1)
})

test('a letter that is still invalid stays set aside, once', async () => {
  const machine = await aMember()
  const connection = await aConnection(server, machine)
  await connection.send('sale', batch([sale(1, { value: 'much' })]))
  const [letter] = await lettersOf(machine)
  expect(await replayed(machine, letter?.id ?? '')).toMatchObject({
    replay_outcome: 'refused',
    replay_detail: expect.stringContaining('invalidItem'),
  })
  expect(await lettersOf(machine)).toHaveLength(1)
})

test('an item that was stored in the meantime is not stored twice', async () => {
  const machine = await aMember()
  const connection = await aConnection(server, machine)
  const message = batch([sale(1), sale(2)])
  const id = await aDeadLetter(database, machine, { payload: JSON.stringify(message) })
  await connection.send('sale', message)
  expect(await replayed(machine, id)).toMatchObject({ replay_outcome: 'repeated' })
  expect(await salesOf(machine)).toEqual([1, 2])
})

test('a replay does not mark the machine as online', async () => {
  const machine = await aMember()
  const id = await aDeadLetter(database, machine, { payload: JSON.stringify(batch([sale(1)])) })
  expect(await replayed(machine, id)).toMatchObject({ replay_outcome: 'stored' })
  // Earlier conditions are stored already.
  const other = await aMember()
  await (await aConnection(server, other)).send('state', { id: randomUUID(), at, online: true })
  const connectionOf = async ({ id: machineId }: TestMachine) =>
    (await database.admin('select connection, last_seen_at from machines where id = $1', [machineId]))[0]
  await expect.poll(() => connectionOf(other)).toMatchObject({ connection: 1 })
  expect(await connectionOf(machine)).toEqual({ connection: 2, last_seen_at: null })
})

test.each(['hello', 'state', 'claim'])('%s is valid only at its own time and is not replayed', async (kind) => {
  const machine = await aMember()
  const id = await aDeadLetter(database, machine, { kind })
  expect(await replayed(machine, id)).toMatchObject({ replay_outcome: 'refused', replay_detail: 'ofThatMoment' })
})

test('an item from before a new association is not stored as a current one', async () => {
  const machine = await aMember()
  const at = new Date(Date.now() - 3_600_000)
  const id = await aDeadLetter(database, machine, {
    reason: 'invalidItem: value',
    at,
    payload: JSON.stringify(sale(1)),
  })
  expect(await replayed(machine, id)).toMatchObject({ replay_outcome: 'refused', replay_detail: 'staleEpoch' })
  expect(await salesOf(machine)).toEqual([])
})

test('a message to a previous merchant is not replayed to the current one', async () => {
  const machine = await aMember()
  const before = await aMember()
  const id = await aDeadLetter(
    database,
    { ...machine, merchantId: before.merchantId },
    { payload: JSON.stringify(batch([sale(1)])) },
  )
  expect(await replayed(machine, id)).toMatchObject({ replay_outcome: 'refused', replay_detail: 'otherMerchant' })
  expect(await salesOf(machine)).toEqual([])
})

test('a message of an unknown machine is refused again', async () => {
  const machine = await aMember()
  const nobody = { ...machine, serial: `GONE${Date.now()}` }
  const id = await aDeadLetter(database, nobody)
  expect(await replayed(nobody, id)).toMatchObject({ replay_outcome: 'refused', replay_detail: 'unknownMachine' })
})
