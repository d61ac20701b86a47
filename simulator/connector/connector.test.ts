import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openTestApi, type TestApi } from '#testkit/api.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aLicence } from '#testkit/nouns/licences.ts'
import { type ConnectorPlan, startConnector } from './connector.ts'

let api: TestApi
let origin: string
beforeAll(async () => {
  api = await openTestApi()
  origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => api.close())

const until = { timeout: 10_000, interval: 50 }

async function aComputer(more: Partial<ConnectorPlan> = {}) {
  const { id: merchantId } = await aMerchant(api.database)
  const machine = await aMachine(api.database, merchantId)
  const { id, key } = await aLicence(api.database, machine, { status: 2 })
  const connector = startConnector({
    origin,
    licenceKey: key,
    beatMs: 100,
    machine: { serial: machine.serial, boardSerial: 'BOARD-1', connectorVersion: '2.4.1' },
    ...more,
  })
  onTestFinished(() => connector.stop())
  const set = (status: number) => api.database.admin('update licences set status = $1 where id = $2', [status, id])
  return { connector, set, id }
}

test('the connector activates, beats, and stops when its licence is deactivated', async () => {
  const { connector, set, id } = await aComputer()
  await vi.waitFor(async () => expect(await connector.isLicensed()).toBe(true), until)
  const beatAt = async () =>
    (await api.database.admin<{ at: Date }>('select last_beat_at as at from licences where id = $1', [id]))[0]?.at
  const first = await beatAt()
  await vi.waitFor(async () => expect(await beatAt()).not.toEqual(first), until)
  await set(4)
  await vi.waitFor(() => expect(connector.refusal()).toBe('LicenseDeactivatedException'), until)
  expect(await connector.isLicensed()).toBe(false)
  // Allowed again, it activates without a hand at the computer.
  await set(2)
  await vi.waitFor(async () => expect(await connector.isLicensed()).toBe(true), until)
})

test('a computer whose clock is a year ahead works with its licence, and offline until its end', async () => {
  const { connector } = await aComputer({ clockAheadMs: 365 * 86_400_000, beatMs: 60_000 })
  await vi.waitFor(async () => expect(await connector.isLicensed()).toBe(true), until)
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  vi.setSystemTime(now + 13 * 86_400_000)
  expect(await connector.isLicensed()).toBe(true)
  vi.setSystemTime(now + 15 * 86_400_000)
  expect(await connector.isLicensed()).toBe(false)
})
