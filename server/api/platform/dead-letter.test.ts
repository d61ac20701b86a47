import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi, type TestClient } from '#testkit/api.ts'
import { aMachine, aMerchant, aUser, type TestMachine } from '#testkit/fixtures.ts'
import { aDeadLetter } from '#testkit/machines/machine-data.ts'

let api: TestApi
let support: TestClient
let machine: TestMachine
beforeAll(async () => {
  api = await openTestApi()
  const { id: merchantId } = await aMerchant(api.database, { name: 'Caffè' })
  machine = await aMachine(api.database, merchantId)
  support = api.as(await aUser(api.database, 'superAdmin', []))
})
afterAll(() => api.close())

test('support sees a message’s sender, reason and content', async () => {
  const letterId = await aDeadLetter(api.database, machine, { reason: 'invalidItem: value: too large: 9' })
  const { items } = await support.listDeadLetters({ query: { search: machine.serial, reasons: ['invalidItem'] } })
  expect(items).toMatchObject([
    {
      id: letterId,
      serial: machine.serial,
      merchantName: 'Caffè',
      posId: machine.id,
      reason: 'invalidItem',
      detail: 'value: too large: 9',
      size: 6,
      replay: null,
    },
  ])
  expect(await support.getDeadLetter({ params: { letterId } })).toMatchObject({
    payload: '{"id":',
    isText: true,
    isCut: false,
  })
})

test('binary content is shown as hexadecimal digits, and a long payload is cut', async () => {
  const noise = await aDeadLetter(api.database, machine, { payload: Buffer.from([0, 255, 16]) })
  expect(await support.getDeadLetter({ params: { letterId: noise } })).toMatchObject({
    payload: '00ff10',
    isText: false,
  })
  const long = await aDeadLetter(api.database, machine, { payload: Buffer.alloc(70_000, 'x') })
  const content = await support.getDeadLetter({ params: { letterId: long } })
  expect([content.size, content.payload.length, content.isCut]).toEqual([70_000, 65_536, true])
})

test('a replay waits for the gateway; requested twice, it waits once', async () => {
  const letterId = await aDeadLetter(api.database, machine)
  const first = await support.replayDeadLetter({ params: { letterId } })
  expect(first.replay).toMatchObject({ requestedBy: 'Test superAdmin', at: null, outcome: null })
  expect((await support.replayDeadLetter({ params: { letterId } })).replay).toEqual(first.replay)
})

test('a replayed message is not replayed again, and a deleted message cannot be', async () => {
  const letter = {
    replay_requested_at: new Date(),
    replay_requested_by: 'Me',
    replayed_at: new Date(),
    replay_outcome: 'stored',
  }
  const letterId = await aDeadLetter(api.database, machine, letter)
  await expect(support.replayDeadLetter({ params: { letterId } })).rejects.toMatchObject({ code: 'DeadLetterReplayed' })
  const replayed = await support.listDeadLetters({ query: { isReplayed: 'true' } })
  expect(replayed.items.map(({ id }) => id)).toEqual([letterId])
  await expect(support.replayDeadLetter({ params: { letterId: randomUUIDv7() } })).rejects.toMatchObject({
    code: 'DeadLetterNotFound',
  })
})
