import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownAlarms, writeAlarms } from '#database/ingest/ingest.ts'
import { alarmsAfter } from '#domain/alarms/event-alarms.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant, aUser } from '#testkit/fixtures.ts'
import { mailAlarms } from './watch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const noon = new Date('2026-11-20T11:00:00Z')
const after = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

test('an alarm whose fault goes and returns is mailed once', async () => {
  const { id: merchantId } = await aMerchant(database)
  const machine = await aMachine(database, merchantId)
  const person = await aUser(database, 'merchantAdmin', [{ merchantId, groups: 'all' }])
  await database.admin('update users set receive_notifications = true where id = $1', [person.id])
  const mailed: string[] = []
  const config = { NO_DATA_MINUTES: 60, publicUrl: 'https://portal.example.com' }
  const look = (at: Date) =>
    mailAlarms(
      {
        doors: database,
        mail: { send: async ({ to }) => void mailed.push(to) },
        live: { announce: () => undefined },
        config,
      },
      at,
    )
  const happens = async (minute: number, active: boolean) => {
    await database.withTenant(wholeMerchant(merchantId), async (db) => {
      const event = { code: 'ENC', active, at: after(minute), message: null, detail: null }
      const openAlarms = await knownAlarms(db, [machine.id], noon)
      const alarms = alarmsAfter(openAlarms, [event], { newId: randomUUIDv7, endedLater: () => null })
      await writeAlarms(db, { merchantId, machineId: machine.id }, alarms)
    })
    // Checked at once, whatever the alarm's next check is.
    await database.admin('update alarms set notice_at = least(notice_at, $2) where machine_id = $1', [
      machine.id,
      after(minute),
    ])
  }
  await happens(0, true)
  for (const minute of [6, 8, 20]) await look(after(minute))
  for (const minute of [30, 40, 50, 60]) {
    await happens(minute, false)
    await happens(minute + 5, true)
    for (const later of [6, 8]) await look(after(minute + later))
  }
  expect(mailed.filter((address) => address === person.email)).toHaveLength(1)
  expect(await database.admin('select count, status from alarms where machine_id = $1', [machine.id])).toEqual([
    { count: 5, status: 'active' },
  ])
})
