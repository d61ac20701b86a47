import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { createDeadLetterBox } from './dead-letter-box.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())
afterEach(() => vi.useRealTimers())

test('a machine that floods has 200 letters kept per hour, and the last letter counts the omitted ones', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: new Date('2026-11-20T11:05:00Z') })
  const box = createDeadLetterBox(database, () => {})
  const deadLetters = (serial: string) =>
    database.admin<{ reason: string }>('select reason from dead_letters where serial = $1 order by id', [serial])
  const send = async (serial: string, letters: number) => {
    for (let sent = 0; sent < letters; sent++)
      await box.keep({
        serial,
        merchantId: null,
        kind: 'sale',
        transport: 'mqtt',
        reason: 'invalidItem: value',
        payload: Buffer.from('{}'),
      })
  }
  await send('QUIET', 200)
  await send('LOUD', 203)
  vi.advanceTimersByTime(60_000)
  const toldOf = async (serial: string) =>
    (await deadLetters(serial)).map(({ reason }) => reason).filter((reason) => reason !== 'invalidItem: value')
  await expect
    .poll(() => toldOf('LOUD'))
    .toEqual(['invalidItem: value; 3 more of this machine were not kept in the same hour'])

  await send('LOUD', 2)
  vi.advanceTimersByTime(3_600_000)
  await expect
    .poll(() => toldOf('LOUD'))
    .toEqual(['invalidItem: value; 5 more of this machine were not kept in the same hour'])
  await send('LOUD', 201)
  await box.stop()
  expect(await deadLetters('LOUD')).toHaveLength(400)
  expect(await toldOf('LOUD')).toEqual([
    'invalidItem: value; 5 more of this machine were not kept in the same hour',
    'invalidItem: value; 1 more of this machine were not kept in the same hour',
  ])
  expect(await deadLetters('QUIET')).toHaveLength(200)
  expect(await toldOf('QUIET')).toEqual([])
})
