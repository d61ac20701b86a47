import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { changeMediaStatus } from '#database/cashless/media.ts'
import { endHeld } from '#database/cashless/reservation.ts'
import { planFleet } from '#demo/fleet/fleet.ts'
import { openTestDatabase, type TestDatabase, wholeMerchant } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { startControlServer } from '../control-server.ts'
import { startFleet } from '../fleet.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.close())

const until = { timeout: 20_000, interval: 50 }

/** Two machines, a key with credit, and the control server. */
async function aPlace({ rhythm = 0, cloudUse = 0 } = {}) {
  const { id: merchantId } = await aMerchant(database)
  const plans = planFleet({ seed: merchantId, machines: 40, salesPerDay: 1000, secretKey: '' })
    .filter(({ merchant }) => merchant.currency === 'EUR')
    .map(({ plan }) => plan)
  const members = await Promise.all(
    plans.slice(0, 2).map(async (plan) => {
      const { serial, secret } = await aMachine(database, merchantId)
      const selections = plan.selections.map((one) => ({ ...one, capacity: 1e4 }))
      const sound = { trouble: 1e-9, driftSeconds: 0, behaviour: 'success' as const }
      // A few customers, who all have keys.
      const customers = { keys: 6, payments: plan.payments.map((_, index) => (index === 3 ? 1 : 0)) }
      const settings = { serial, secret, selections, ...customers, rhythm: plan.rhythm.map(() => rhythm) }
      return { lastSeq: 0, plan: { ...plan, ...sound, ...settings } }
    }),
  )
  const server = await aGateway(database)
  const folder = mkdtempSync(join(tmpdir(), 'gettone-media-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const start = () => startFleet({ members, broker: server.mqttUrl, folder, cloudUse, priceEdits: 0 })
  let fleet = start()
  onTestFinished(() => fleet.stop())
  const machines = () => [...fleet.machines.values()]
  const connected = () => vi.waitFor(() => expect(machines().every((one) => one.isConnected())).toBe(true), until)
  await connected()
  const control = await startControlServer({
    port: 0,
    token: 'key',
    act: () => true,
    has: () => true,
    breakUpdates: () => true,
    serve: (serial, act) => fleet.serve(serial, act),
  })
  onTestFinished(() => void control.close())
  const address = control.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const [first, second] = members.map(({ plan }) => plan)
  if (!first || !second) throw new Error('Too few machines were planned.')
  const mediaId = await aMedia(database, merchantId, { serial: 'KEY1' })
  return {
    merchantId,
    mediaId,
    server,
    first,
    second,
    machines,
    price: first.selections[0]?.prices[1] ?? 0,
    selection: String(first.selections[0]?.line),
    credit: (amount: number) => aCredit(database, merchantId, mediaId, amount),
    act: async (serial: string, action: string, body: object = {}) => {
      const response = await fetch(`${url}/machines/${serial}/${action}`, {
        method: 'POST',
        headers: { authorization: 'Bearer key' },
        body: JSON.stringify({ mediaSerial: 'key 1', ...body }),
      })
      return response.status === 200 ? response.json() : response.status
    },
    balance: async () => {
      const [row] = await database.admin<{ balance: number; reserved: number }>(
        `select coalesce(sum(balance), 0)::int as balance, coalesce(sum(reserved), 0)::int as reserved from ledger_accounts
         where merchant_id = $1 and owner_id = $2`,
        [merchantId, mediaId],
      )
      return row
    },
    findings: () => database.admin('select kind from media_findings where merchant_id = $1', [merchantId]),
    async restart() {
      await fleet.stop()
      fleet = start()
      await connected()
    },
  }
}

test('a simulated machine sells for cloud credit, fails, recharges and collects', async () => {
  const { act, first, selection, price, balance, credit, findings, merchantId } = await aPlace()
  await credit(1_000)
  const sold = await act(first.serial, 'sell', { selection })
  expect(sold).toMatchObject({ outcome: 'sold', amount: price })
  await vi.waitFor(async () => expect(await balance()).toEqual({ balance: 1_000 - price, reserved: 0 }), until)
  expect(await act(first.serial, 'sell', { selection, fails: 'released' })).toMatchObject({
    outcome: 'failed',
    amount: 0,
  })
  expect(await act(first.serial, 'sell', { selection, fails: 'charged' })).toMatchObject({
    outcome: 'failed',
    amount: price,
  })
  await vi.waitFor(async () => expect(await balance()).toEqual({ balance: 1_000 - 2 * price, reserved: 0 }), until)
  expect(await act(first.serial, 'recharge', { amount: 2 * price })).toMatchObject({ outcome: 'recharged' })
  await vi.waitFor(async () => expect(await balance()).toEqual({ balance: 1_000, reserved: 0 }), until)
  expect(await act(first.serial, 'collect', { amount: 400 })).toMatchObject({ outcome: 'collected', amount: 400 })
  await vi.waitFor(async () => expect(await balance()).toEqual({ balance: 600, reserved: 0 }), until)
  expect(await act(first.serial, 'sell', { mediaSerial: 'FFFFFFFF' })).toEqual({
    outcome: 'refused',
    reason: 'anonymous',
  })
  expect(await act(first.serial, 'sell', { fails: 'maybe' })).toBe(400)
  expect(await act('NOBODY', 'sell')).toBe(404)
  const errors = await database.admin<{ value: string }>(
    'select value from transactions where merchant_id = $1 and error_sale order by value',
    [merchantId],
  )
  expect(errors.map(({ value }) => Number(value))).toEqual([0, price])
  expect(await findings()).toEqual([])
  expect(await ledgerFaults(database, merchantId)).toEqual([])
})

test('a machine that is silent after the approval settles later; a stopped machine releases at its next start', async () => {
  const { act, first, second, merchantId, mediaId, price, balance, credit, restart, selection } = await aPlace()
  await credit(1_000)
  const silent = act(first.serial, 'sell', { selection, silentSeconds: 2 })
  await vi.waitFor(async () => expect(await balance()).toEqual({ balance: 1_000, reserved: price }), until)
  expect(await silent).toMatchObject({ outcome: 'sold' })
  await vi.waitFor(async () => expect(await balance()).toEqual({ balance: 1_000 - price, reserved: 0 }), until)
  act(second.serial, 'sell', { silentSeconds: 60 }).catch(() => undefined)
  await vi.waitFor(async () => expect((await balance())?.reserved).toBeGreaterThan(0), until)
  await restart()
  await vi.waitFor(async () => expect(await balance()).toEqual({ balance: 1_000 - price, reserved: 0 }), until)
  const ended = await database.withTenant(wholeMerchant(merchantId), (db) =>
    endHeld(db, merchantId, { mediaId, as: 'expired', at: new Date() }),
  )
  expect(ended).toEqual([])
  expect(await ledgerFaults(database, merchantId)).toEqual([])
})

test('an offline machine refuses a blocked key, and sells to others for the credit on the key', async () => {
  const { act, first, merchantId, mediaId, machines, server } = await aPlace()
  await database.withTenant(wholeMerchant(merchantId), (db) =>
    changeMediaStatus(db, merchantId, [mediaId], 1, new Date()),
  )
  expect(await act(first.serial, 'sell')).toEqual({ outcome: 'refused', reason: 'blocked' })
  await vi.waitFor(() => expect(machines()[0]?.stored().memory.blocks?.serials).toEqual(['KEY1']), until)
  await server.stop()
  await vi.waitFor(() => expect(machines()[0]?.isConnected()).toBe(false), until)
  expect(await act(first.serial, 'sell')).toEqual({ outcome: 'refused', reason: 'blocked' })
  expect(await act(first.serial, 'sell', { mediaSerial: 'OTHER' })).toMatchObject({ outcome: 'sold' })
})

test('customers with keys use cloud credit, and their keys’ counters fit at all machines', async () => {
  const { machines, merchantId, findings } = await aPlace({ rhythm: 9_000, cloudUse: 0.3 })
  await vi.waitFor(
    async () => {
      const [row] = await database.admin<{ sold: number; recharged: number; readings: number }>(
        `select count(*) filter (where kind = 'sale')::int as sold, count(*) filter (where kind = 'machineRecharge')::int as recharged,
         (select count(*)::int from key_readings where merchant_id = $1) as readings
       from ledger_operations where merchant_id = $1`,
        [merchantId],
      )
      expect(row?.sold).toBeGreaterThan(0)
      expect(row?.recharged).toBeGreaterThan(0)
      expect(row?.readings).toBeGreaterThan(50)
    },
    { timeout: 45_000, interval: 500 },
  )
  for (const machine of machines()) machine.step(Date.now(), 0)
  expect(await findings()).toEqual([])
  expect(await ledgerFaults(database, merchantId)).toEqual([])
}, 60_000)
