import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { createDeadLetterBox } from './dead-letter-box.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())
afterEach(() => vi.useRealTimers())

test('of a machine that floods 200 letters an hour are kept, and the last of them says how many were not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: new Date('2026-11-20T11:05:00Z') })
  const box = createDeadLetterBox(database, () => {})
  const kept = (serial: string) =>
    database.admin<{ reason: string }>('select reason from dead_letters where serial = $1 order by id', [serial])
  const send = async (serial: string, letters: number) => {
    for (let sent = 0; sent < letters; sent++)
      await box.keep({
        ...{ serial, merchantId: null, kind: 'sale', transport: 'mqtt' },
        ...{ reason: 'invalidItem: value', payload: Buffer.from('{}') },
      })
  }
  await send('QUIET', 200)
  await send('LOUD', 203)
  vi.advanceTimersByTime(60_000)
  const lastOf = async (serial: string) => (await kept(serial)).at(-1)?.reason
  await expect
    .poll(() => lastOf('LOUD'))
    .toBe('invalidItem: value; 3 more of this machine were not kept in the same hour')

  await send('LOUD', 2)
  vi.advanceTimersByTime(3_600_000)
  await expect
    .poll(() => lastOf('LOUD'))
    .toBe('invalidItem: value; 5 more of this machine were not kept in the same hour')
  await send('LOUD', 201)
  await box.stop()
  const loud = (await kept('LOUD')).map(({ reason }) => reason)
  expect(loud).toHaveLength(400)
  expect(loud.filter((reason) => reason !== 'invalidItem: value')).toEqual([
    'invalidItem: value; 5 more of this machine were not kept in the same hour',
    'invalidItem: value; 1 more of this machine were not kept in the same hour',
  ])
  expect(new Set((await kept('QUIET')).map(({ reason }) => reason))).toEqual(new Set(['invalidItem: value']))
})
