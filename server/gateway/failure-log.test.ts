import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'

test('a failed background task is logged once with its cause, and the machines are served', async () => {
  const database = await aDatabase()
  const { id: merchantId } = await aMerchant(database)
  const machines = [await aMachine(database, merchantId), await aMachine(database, merchantId)]
  const server = await aGateway(database)
  await database.admin('alter table remote_commands rename to remote_commands_away')
  const at = new Date().toISOString().slice(0, 19)
  for (const machine of machines) {
    const connection = await aConnection(server, machine)
    await connection.send('reading', { id: randomUUID(), at, epoch: 1, items: [{ seq: 1, at, signalPercent: 70 }] })
    await connection.next('ack', ({ committed }: { committed: number }) => committed === 1)
  }
  const left = () => server.warnings.filter(({ text }) => text === 'What a machine did at the broker is not noted')
  await expect.poll(left).toHaveLength(1)
  expect(left()[0]?.facts).toMatchObject({ error: { message: expect.stringContaining('remote_commands') } })
})
