import { expect, test } from 'vitest'
import { findMachinesBySerial } from '#database/machines/machine-directory.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { ThreadEndedError } from '../../threads/thread.ts'
import { createBatcher } from '../batcher.ts'
import { createCashless } from '../cashless/authorise.ts'
import { createCommands } from '../commands.ts'
import { createConditions } from '../conditions.ts'
import { createDeadLetterBox } from '../dead-letter-box.ts'
import { createReceiver } from '../receive.ts'
import type { Incoming } from '../reception.ts'
import { storeBatch } from '../store-batch.ts'

const at = '2026-11-21T08:00:00'
const id = '0b0a8f7e-3a54-4f0e-9c39-0a3f1f6f3b11'

test('an audit that crashes its reader is set aside unchanged, and its number is not requested again', async () => {
  const database = await aDatabase()
  const machine = await aMachine(database, (await aMerchant(database)).id)
  const [knownMachine] = await findMachinesBySerial(database, [machine.serial])
  if (!knownMachine) throw new Error('The machine is not known')
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const batches = { fullWeight: 1, delayMs: 1, maximumWeight: 10, maximumMerchants: 1, parallel: 1 }
  const conditions = createConditions(database, () => {}, 60, log)
  const commands = createCommands(database, { isReachable: () => false, sendCommand: () => {} }, () => {}, log)
  const deadLetters = createDeadLetterBox(database, () => {})
  const receiver = createReceiver({
    doors: database,
    batcher: createBatcher((inputs) => storeBatch(database, inputs, () => {}), batches),
    conditions,
    commands,
    cashless: createCashless(
      { doors: database, secretKey: 'a secret' },
      () => {},
      () => {},
    ),
    deadLetters,
    audits: { read: () => Promise.reject(new ThreadEndedError()), stop: async () => {} },
    logOnce: () => {},
    forgetMachine: () => {},
  })
  const tell = (payload: string) => {
    const incoming = {
      payload: Buffer.from(payload),
      transport: 'mqtt',
      isRepeated: false,
      receivedAt: new Date(),
    } as const
    return receiver.receive(knownMachine, { kind: 'audit', ...incoming } satisfies Incoming)
  }
  const envelope = JSON.stringify({ id, at, epoch: 1, seq: 1, data: 'RFhTKjE=' })
  expect((await tell(envelope)).journal?.seen).toEqual([[1, 1]])
  await tell('DXS*1')
  const letters = await database.admin<{ reason: string; payload: Buffer }>(
    'select reason, payload from dead_letters where serial = $1 order by id',
    [machine.serial],
  )
  expect(letters.map(({ reason, payload }) => [reason, payload.toString()])).toEqual([
    ['invalidItem: the reader died of the file', envelope],
    ['invalidItem: the reader died of the file', 'DXS*1'],
  ])
  expect(await database.admin('select 1 from audits where machine_id = $1', [machine.id])).toEqual([])
  await conditions.stop()
  await commands.stop()
  await deadLetters.stop()
})
