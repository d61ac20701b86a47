import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Authorised, UpKind } from '#contract/device-protocol.ts'
import { ledgerFaults } from '#database/cashless/ledger-check.ts'
import { aMachine, aMerchant, type TestMachine } from '#testkit/fixtures.ts'
import { romeClock } from '#testkit/machines/device.ts'
import { aCredit, aMedia } from '#testkit/nouns/cashless.ts'
import { noteFinding } from './findings.ts'
import { type BreakablePostgres, doorsOf, type ServerProcess } from './harness.ts'

/** A merchant with machines and media that have credit. A server has started before, and set the roles' passwords. Its ledger is proven at the end of a fault. */
export async function aCreditPlace(
  database: BreakablePostgres,
  { machines, media, credit }: { machines: number; media: number; credit: number },
) {
  const { id: merchantId } = await aMerchant(database)
  const doors = await doorsOf(database.url)
  const ownMachines: TestMachine[] = []
  for (let index = 0; index < machines; index++) ownMachines.push(await aMachine(database, merchantId))
  const serials = new Map<string, string>()
  for (let index = 0; index < media; index++) {
    const serial = `FAULT${String(index).padStart(4, '0')}`
    const mediaId = await aMedia(database, merchantId, { serial })
    if (credit > 0) await aCredit(doors, merchantId, mediaId, credit)
    serials.set(serial, mediaId)
  }
  return { merchantId, machines: ownMachines, serials, credit, doors }
}
type CreditPlace = Awaited<ReturnType<typeof aCreditPlace>>

/** Kills a server again and again while `work` runs; `work` ends when `isOver` says so. */
export async function killWhile(
  server: ServerProcess,
  kills: number,
  work: (isOver: () => boolean) => Promise<void>,
): Promise<{ recoverySeconds: number }> {
  let isOver = false
  const working = work(() => isOver)
  let lastKill = performance.now()
  for (let time = 0; time < kills; time++) {
    await pause(400 + Math.random() * 800)
    lastKill = performance.now()
    await server.kill('SIGKILL')
    await server.start()
  }
  const recoverySeconds = (performance.now() - lastKill) / 1000
  await pause(500)
  isOver = true
  await working
  return { recoverySeconds }
}

/** A machine over HTTP that repeats each message until it is answered, as firmware does. */
export function aPatientDevice(url: string, machine: TestMachine) {
  const authorization = `Basic ${Buffer.from(`${machine.serial}:${machine.secret}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/json' }
  let seq = 0
  async function post(kind: UpKind, body: object) {
    const until = Date.now() + 60_000
    for (;;) {
      const request = { method: 'POST', headers, body: JSON.stringify({ at: romeClock(), ...body }) }
      const answer = await fetch(`${url}/device/v1/${machine.serial}/${kind}`, request).catch(() => undefined)
      if (answer?.ok) return (await answer.json()) as { authorised?: Authorised }
      if (Date.now() > until) throw new Error(`${kind} was not answered: ${answer?.status}`)
      await pause(30)
    }
  }
  return {
    authorise: async (mediaSerial: string, amount: number) =>
      (await post('authorise', { id: randomUUID(), mediaSerial, mediaType: 2, amount, purpose: 'vend' })).authorised,
    /** Sends an item until it is acknowledged. */
    report: async (kind: UpKind, item: object) => {
      const items = [{ seq: ++seq, at: romeClock(), ...item }]
      await post(kind, { id: randomUUID(), epoch: machine.epoch, items })
    },
  }
}

/**
 * Every medium has its credit plus what was booked for it: nothing is missing and nothing happened twice. `changes` are the amounts of
 * answered operations by serial, each once.
 */
export async function expectCreditRight(
  fault: string,
  database: BreakablePostgres,
  place: CreditPlace,
  changes: readonly { serial: string; amount: number }[],
  recoverySeconds: number,
): Promise<void> {
  expect(await ledgerFaults(place.doors, place.merchantId)).toEqual([])
  const rows = await database.admin<{ owner_id: string; balance: string; reserved: string; booked: number }>(
    `select account.owner_id, account.balance, account.reserved,
       (select count(*)::int from ledger_entries entry where entry.merchant_id = $1 and entry.account_id = account.id) as booked
     from ledger_accounts account where account.merchant_id = $1 and account.kind = 'credit'`,
    [place.merchantId],
  )
  const byMedia = new Map(rows.map((row) => [row.owner_id, row]))
  let missing = 0
  let twice = 0
  for (const [serial, mediaId] of place.serials) {
    const mediaChanges = changes.filter((change) => change.serial === serial && change.amount !== 0)
    const { balance = '0', booked = 0 } = byMedia.get(mediaId) ?? {}
    const expected = mediaChanges.length + (place.credit > 0 ? 1 : 0)
    missing += Math.max(0, expected - booked)
    twice += Math.max(0, booked - expected)
    expect(Number(balance), serial).toBe(mediaChanges.reduce((sum, { amount }) => sum + amount, place.credit))
  }
  const load = `${place.machines.length} machines, ${place.serials.size} media, ${changes.length} operations`
  noteFinding({ fault, load, acknowledged: changes.length, missing, twice, wrongHours: null, recoverySeconds })
  expect({ missing, twice }).toEqual({ missing: 0, twice: 0 })
  expect(rows.map(({ reserved }) => Number(reserved)).filter((reserved) => reserved > 0)).toEqual([])
}
