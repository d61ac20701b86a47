import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { romeClock } from '#testkit/machines/device.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { openRecoveries } from './recoveries.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('when the database was restored, one of several gateways notifies every machine, once', async () => {
  const merchant = await aMerchant(database)
  const machines = await Promise.all(Array.from({ length: 3 }, () => aMachine(database, merchant.id)))
  await database.admin('delete from gateway_listening')
  await database.admin('insert into gateway_listening (since, last_at) values (now(), now())')
  const notified: string[] = []
  const open = () =>
    openRecoveries({
      doors: database,
      notify: async (serial) => void notified.push(serial),
      onFailure: (error) => {
        throw error
      },
    })
  const one = await open()
  const other = await open()
  for (const gateway of [one, other]) await gateway.check()
  await database.admin('update gateway_listening set timeline = timeline - 1')
  await Promise.all([one, other].map((gateway) => gateway.check()))
  await vi.waitFor(() => expect(notified).toEqual(expect.arrayContaining(machines.map(({ serial }) => serial))), 10_000)
  await one.check()
  for (const gateway of [one, other]) gateway.stop()
  expect(new Set(notified).size).toBe(notified.length)
  expect(one.current()).toBeGreaterThan(0)
})

test('after a restore the hello of a machine requests what it still holds, and each item counts once', async () => {
  const merchant = await aMerchant(database)
  const machine = await aMachine(database, merchant.id)
  const server = await aGateway(database)
  const post = async (kind: string, body: object) => {
    const response = await fetch(`${server.httpUrl}/device/v1/${machine.serial}/${kind}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${machine.serial}:${machine.secret}`)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ id: crypto.randomUUID(), at: romeClock(), epoch: machine.epoch, ...body }),
    })
    return (await response.json()).ack
  }
  const sales = (...seqs: number[]) => ({ items: seqs.map((seq) => ({ seq, at: romeClock(), type: 1, value: 100 })) })
  expect(await post('sale', sales(1, 2, 3, 4, 5))).toMatchObject({ committed: 5, recovery: expect.any(Number) })
  // The database of a moment after the second sale.
  await database.admin('delete from transactions where merchant_id = $1 and seq > 2', [merchant.id])
  await database.admin(`update machine_journals set seen = '{[1,3)}' where machine_id = $1`, [machine.id])
  // The machine still holds the last two.
  expect(await post('hello', { lastSeq: 5, oldestSeq: 4 })).toMatchObject({ committed: 3, missing: [[4, 5]] })
  expect(await post('sale', sales(2, 4, 5))).toMatchObject({ committed: 5, missing: [] })
  const rows = await database.admin('select seq from transactions where merchant_id = $1 order by seq', [merchant.id])
  expect(rows.map(({ seq }) => Number(seq))).toEqual([1, 2, 4, 5])
})
