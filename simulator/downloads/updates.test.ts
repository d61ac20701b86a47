import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { updateCommands } from '#contract/vocabulary/update.ts'
import { planFleet } from '#demo/fleet/fleet.ts'
import { openTestDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { anUpdate } from '#testkit/nouns/updates.ts'
import { startFleet } from '../fleet.ts'
import { fetchScreen } from './screens.ts'
import { takeVpDocument } from './vp.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const until = { timeout: 40_000, interval: 100 }

/** A simulated machine without sales and faults, at a gateway of its own. The line of its first downloads is cut `cuts` times. */
async function aSimulated({ cuts = 0, restartSeconds = 1 } = {}) {
  const merchant = await aMerchant(database)
  const { serial, secret, id } = await aMachine(database, merchant.id)
  const [planned] = planFleet({ seed: merchant.id, machines: 1, salesPerDay: 100, secretKey: '' })
  if (!planned) throw new Error('No machine was planned.')
  const quiet = {
    // Their versions would be reported too.
    validators: undefined,
    trouble: 1e-9,
    driftSeconds: 0,
    behaviour: 'success' as const,
    rhythm: planned.plan.rhythm.map(() => 0),
  }
  const plan = { ...planned.plan, ...quiet, serial, secret }
  const server = await aGateway(database)
  const folder = mkdtempSync(join(tmpdir(), 'gettone-updates-'))
  const line = cuts > 0 ? await aBadLine(server.httpUrl, cuts) : { origin: server.httpUrl, ranges: [] }
  const access = { broker: server.mqttUrl, portal: line.origin }
  const fleet = startFleet({ members: [{ plan, lastSeq: 0 }], ...access, folder, restartSeconds })
  onTestFinished(async () => {
    await fleet.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await vi.waitFor(() => expect([...fleet.machines.values()][0]?.isConnected()).toBe(true), until)
  const machine = { serial, timeZone: plan.timeZone }
  const order = async (what: Parameters<typeof anUpdate>[3] = {}, parameters?: object) => {
    const sent = parameters ?? (await anUpdate(database, server, machine, { origin: line.origin, ...what }))
    const [row] = await database.admin<{ id: string }>(
      `insert into remote_commands (merchant_id, id, machine_id, type, parameters, status, created_at, not_before, expires_at, next_attempt_at)
       values ($1, gen_random_uuid(), $2, $3, $4, 0, now(), now(), now() + interval '1 hour', now()) returning id`,
      [merchant.id, id, updateCommands[what.kind ?? 'firmware'], JSON.stringify(sent)],
    )
    return row?.id
  }
  const ended = (commandId: string | undefined) =>
    vi.waitFor(async () => {
      const [row] = await database.admin(
        'select status, result, result_info as info, progress_phase as phase from remote_commands where id = $1 and result is not null',
        [commandId],
      )
      expect(row).toBeDefined()
      return row
    }, until)
  const versions = async () =>
    Object.fromEntries(
      (
        await database.admin<{ what: string; version: string }>(
          `select trim(kind || ' ' || peripheral) as what, version from machine_versions where machine_id = $1`,
          [id],
        )
      ).map(({ what, version }) => [what, version]),
    )
  return { merchant, id, serial, plan, server, fleet, machine, order, ended, versions, ranges: line.ranges }
}

/** A proxy that breaks its first connections after some bytes. */
async function aBadLine(target: string, cuts: number) {
  const ranges: (string | undefined)[] = []
  const proxy = createServer(async (request, response) => {
    const isFile = request.url?.includes('/files/') ?? false
    if (isFile) ranges.push(request.headers.range)
    const { host: _, connection: __, ...headers } = request.headers
    const answer = await fetch(new URL(request.url ?? '', target), { headers: headers as Record<string, string> })
    const body = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-length': body.length })
    if (!isFile || ranges.length > cuts) return response.end(body)
    // Ended, not destroyed: the machine reads what was sent before it sees the cut.
    response.write(body.subarray(0, 50_000), () => response.socket?.end())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return { origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, ranges }
}

test('a machine continues after cuts, installs what is signed, and reports what it runs', async () => {
  const { order, ended, versions, ranges } = await aSimulated({ cuts: 2 })
  // Progress and result are taken side by side: a result that comes first keeps the phase before.
  expect(await ended(await order({ version: '5.0.0.1' }))).toMatchObject({
    status: 2,
    info: 'firmware 5.0.0.1',
    phase: expect.stringMatching(/^(downloading|checking|installing)$/),
  })
  expect(ranges).toEqual([undefined, 'bytes=50000-', 'bytes=100000-'])
  await vi.waitFor(async () => expect(await versions()).toMatchObject({ firmware: '5.0.0.1' }), until)
  expect(await ended(await order({ kind: 'cashDatabase', version: 'EUR-9' }))).toMatchObject({ status: 2 })
  expect(await ended(await order({ kind: 'peripheralDatabase', peripheral: 'recycler', version: '7' }))).toMatchObject({
    status: 2,
  })
  await vi.waitFor(
    async () =>
      expect(await versions()).toEqual({
        firmware: '5.0.0.1',
        cashDatabase: 'EUR-9',
        'peripheralDatabase recycler': '7',
      }),
    until,
  )
}, 120_000)

test('a machine installs nothing that is signed as another version, and nothing outside its window', async () => {
  const { server, machine, order, ended, versions, plan } = await aSimulated()
  const sent = await anUpdate(database, server, machine, { version: '5.0.0.1' })
  expect(await ended(await order({}, { ...sent, version: '6.0.0.0' }))).toMatchObject({ info: 'E-74 wrong signature' })
  expect(await ended(await order({ minutes: [-120, -60] }))).toMatchObject({ info: 'E-75 window over' })
  expect(await versions()).toEqual({ firmware: plan.boot.firmwareVersion })
}, 120_000)

test('a machine sends its secret to no other host than its portal', async () => {
  const { order, ended, versions, plan } = await aSimulated()
  const secrets: (string | undefined)[] = []
  const stranger = createServer((request, response) => {
    secrets.push(request.headers.authorization)
    response.end()
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void stranger.close())
  const origin = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
  expect(await ended(await order({ version: '5.0.0.1', origin }))).toMatchObject({
    status: 5,
    info: 'E-70 not the address of the portal',
  })
  const access = { portal: 'https://portal.example.com', ...plan }
  const { signal } = new AbortController()
  const screen = { 'screen.url': `${origin}/screen`, 'screen.document': '0'.repeat(64) }
  await expect(fetchScreen(screen, access, signal)).rejects.toThrow('not the address of the portal')
  const file = { url: `${origin}/vp`, sha256: '0'.repeat(64), bytes: 10 }
  await expect(takeVpDocument({ name: 'Summer', file }, access, signal)).rejects.toThrow(
    'not the address of the portal',
  )
  expect(secrets).toEqual([])
  expect(await versions()).toEqual({ firmware: plan.boot.firmwareVersion })
}, 60_000)

test.each([
  ['noSpace', { status: 5, info: 'E-71 no space' }],
  ['wrongHash', { status: 5, info: 'E-73 wrong checksum' }],
  ['powerCut', { status: 5, info: 'E-90 power failed meanwhile' }],
  ['oldVersion', { status: 2, info: 'firmware 5.0.0.1' }],
  ['silent', { status: 2, info: 'firmware 5.0.0.1' }],
] as const)(
  'a machine that breaks with %s keeps or loses what it should',
  async (fault, end) => {
    // A silent machine is silent before it would restart.
    const restartSeconds = fault === 'silent' ? 6 : 1
    const { serial, id, fleet, order, ended, versions, plan } = await aSimulated({ restartSeconds })
    await vi.waitFor(async () => expect(await versions()).toHaveProperty('firmware'), until)
    fleet.breakUpdates(serial, fault)
    expect(await ended(await order({ version: '5.0.0.1' }))).toMatchObject(end)
    const [machine] = fleet.machines.values()
    if (fault === 'silent') {
      await vi.waitFor(async () => {
        const [row] = await database.admin('select connection from machines where id = $1', [id])
        expect(row).toEqual({ connection: 0 })
      }, until)
      fleet.breakUpdates(serial, null)
      await vi.waitFor(async () => expect(await versions()).toEqual({ firmware: '5.0.0.1' }), until)
      return
    }
    await vi.waitFor(() => expect(machine?.isConnected()).toBe(true), until)
    expect(await versions()).toEqual({ firmware: plan.boot.firmwareVersion })
  },
  120_000,
)

test('a file is served in ranges, to the machine that a command names it to', async () => {
  const { server, machine, plan, merchant, order } = await aSimulated()
  const content = Buffer.from('0123456789')
  // Far ahead, so that the command stays while it is tried.
  const sent = await anUpdate(database, server, machine, { content, minutes: [50, 60] })
  await order({}, sent)
  const other = await aMachine(database, merchant.id)
  const get = (
    headers: Record<string, string> = {},
    who: { serial: string; secret: string } = plan,
    url = sent.file.url,
  ) =>
    fetch(url, {
      headers: { authorization: `Basic ${Buffer.from(`${who.serial}:${who.secret}`).toString('base64')}`, ...headers },
    })
  const whole = await get()
  expect([whole.status, await whole.text(), whole.headers.get('accept-ranges')]).toEqual([200, '0123456789', 'bytes'])
  const tag = whole.headers.get('etag') ?? ''
  expect(tag).toBe(`"${sent.file.sha256}"`)
  const part = async (range: string, more: Record<string, string> = {}) => {
    const answer = await get({ range, ...more })
    return [answer.status, answer.status === 416 ? '' : await answer.text(), answer.headers.get('content-range')]
  }
  expect(await part('bytes=4-')).toEqual([206, '456789', 'bytes 4-9/10'])
  expect(await part('bytes=2-3')).toEqual([206, '23', 'bytes 2-3/10'])
  expect(await part('bytes=-2')).toEqual([206, '89', 'bytes 8-9/10'])
  expect(await part('bytes=8-99')).toEqual([206, '89', 'bytes 8-9/10'])
  expect(await part('bytes=10-')).toEqual([416, '', 'bytes */10'])
  expect(await part('bytes=4-', { 'if-range': tag })).toEqual([206, '456789', 'bytes 4-9/10'])
  expect(await part('bytes=4-', { 'if-range': '"another"' })).toEqual([200, '0123456789', null])
  expect((await get({}, { serial: plan.serial, secret: 'wrong' })).status).toBe(401)
  expect((await get({}, other)).status).toBe(401)
  const elsewhere = sent.file.url.replace(encodeURIComponent(plan.serial), other.serial)
  expect((await get({}, other, elsewhere)).status).toBe(404)
  let last = 0
  for (let n = 0; n < 130 && last !== 429; n++) last = (await get()).status
  expect(last).toBe(429)
}, 60_000)
