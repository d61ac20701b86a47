import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { storeItem } from '#testkit/machines/seller.ts'
import { aRound, aStop } from '#testkit/nouns/rounds.ts'
import { closeStops } from './close-stops.ts'

let database: TestDatabase
let merchantId: string
beforeAll(async () => {
  database = await openTestDatabase()
  merchantId = (await aMerchant(database)).id
})
afterAll(() => database.close())

const minute = 60_000
const startedAt = new Date(Date.now() - 30 * minute)
const underway = { status: 'underway', started_at: startedAt }
const stopOf = async (stopId: string) => {
  const [stop] = await database.admin<{ status: string; by: string | null }>(
    'select status, closed_by as by from round_stops where id = $1',
    [stopId],
  )
  return stop
}
const refills = (machine: TestMachine, seq: number, at: number) =>
  storeItem(database, machine, { kind: 'event', seq, at, more: { code: 'OA1B', active: true } })

test('a machine’s own refill event closes its stop once the round is under way', async () => {
  const machine = await aMachine(database, merchantId)
  const stopId = await aStop(database, machine, { round_id: await aRound(database, merchantId, underway) })
  const later = await aStop(database, machine, { round_id: await aRound(database, merchantId) })
  await refills(machine, 1, startedAt.getTime() - minute)
  expect(await stopOf(stopId)).toEqual({ status: 'open', by: null })
  await refills(machine, 2, startedAt.getTime() + minute)
  expect(await stopOf(stopId)).toEqual({ status: 'done', by: 'machine' })
  expect(await stopOf(later)).toEqual({ status: 'open', by: null })
})

test('a collection audit closes the stop of its machine, another audit does not', async () => {
  const machine = await aMachine(database, merchantId)
  const stopId = await aStop(database, machine, { round_id: await aRound(database, merchantId, underway) })
  const read = (origin: number) =>
    database.withTenant([{ merchantId, groups: 'all' }], (db) =>
      closeStops(db, [], [{ merchantId, machineId: machine.id, at: Date.now(), origin }]),
    )
  expect(await read(1)).toEqual([])
  expect(await read(4)).toEqual([merchantId])
  expect(await stopOf(stopId)).toEqual({ status: 'done', by: 'machine' })
})
