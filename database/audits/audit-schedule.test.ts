import { expect, test } from 'vitest'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { scheduleAudits } from './audit-schedule.ts'

/** In Rome it is 06:30 in summer; the period of six hours began half an hour ago. */
const now = new Date('2026-07-10T04:30:00Z')
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)

async function aFleet(database: TestDatabase, many: number, columns: Record<string, unknown> = {}, every = 360) {
  const { id: merchantId } = await aMerchant(database, { timeZone: 'Europe/Rome' })
  await database.admin('update merchant_settings set scheduled_audit_minutes = $2 where merchant_id = $1', [
    merchantId,
    every,
  ])
  const machines = []
  for (let one = 0; one < many; one++)
    machines.push(
      await aMachine(database, merchantId, { columns: { connection: 1, last_audit_at: minutesAgo(90), ...columns } }),
    )
  return { merchantId, machines }
}
const ids = (requested: { machineId: string }[]) => requested.map(({ machineId }) => machineId).toSorted()

test('every machine is requested once per period, spread over its first hour', async () => {
  const database = await aDatabase()
  const { merchantId, machines } = await aFleet(database, 12)
  const requested = new Map<number, string[]>()
  for (let minute = 0; minute <= 62; minute++)
    requested.set(minute, ids(await scheduleAudits(database, new Date(now.getTime() + (minute - 30) * 60_000))))
  expect([...requested.values()].flat().toSorted()).toEqual(ids(machines.map(({ id }) => ({ machineId: id }))))
  expect([...requested.values()].filter(({ length }) => length > 0).length).toBeGreaterThan(2)
  expect(requested.get(61)).toEqual([])
  const [command] = await database.admin('select * from remote_commands where merchant_id = $1 limit 1', [merchantId])
  expect(command).toMatchObject({ type: 1, status: 0, created_by: null, created_by_name: 'Gettone' })
})

/** Whether the only machine is requested in the period. */
async function isRequested(
  columns: Record<string, unknown>,
  every?: number,
  prepare?: (database: TestDatabase, machineId: string) => Promise<unknown>,
) {
  const database = await aDatabase()
  const { machines } = await aFleet(database, 1, columns, every)
  await prepare?.(database, machines[0]?.id as string)
  const requested = await scheduleAudits(database, new Date(now.getTime() + 60 * 60_000))
  return requested.length === 1
}

test('an audit is requested from a machine without a reading in the period', async () => {
  expect(await isRequested({})).toBe(true)
  expect(await isRequested({ last_audit_at: null })).toBe(true)
})

test('no audit is requested from a machine that was read in the period', async () => {
  expect(await isRequested({ last_audit_at: minutesAgo(5) })).toBe(false)
})

test('no audit is requested from an offline or hidden machine', async () => {
  expect(await isRequested({ connection: 0 })).toBe(false)
  expect(await isRequested({ hidden: true })).toBe(false)
})

test('no second audit is requested in a period, and a pending command is not doubled', async () => {
  const order = (at: Date, status: number) => (database: TestDatabase, machineId: string) =>
    database.admin(
      `insert into remote_commands (merchant_id, id, order_id, machine_id, type, parameters, status, result, created_at, created_by_name,
         not_before, expires_at, next_attempt_at)
       select merchant_id, gen_random_uuid(), gen_random_uuid(), id, 1, '{}', $3::int, case when $3::int = 3 then -3 end, $2, 'Ada', $2, $4, $2 from machines where id = $1`,
      [machineId, at, status, new Date(now.getTime() + 86_400_000)],
    )
  expect(await isRequested({}, 360, order(minutesAgo(10), 3))).toBe(false)
  expect(await isRequested({}, 360, order(minutesAgo(200), 3))).toBe(true)
  expect(await isRequested({}, 360, order(minutesAgo(200), 0))).toBe(false)
})

test('a merchant without scheduled audits gets none', async () => {
  expect(await isRequested({}, 0)).toBe(false)
})
