import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { register } from 'prom-client'
import { afterEach, expect, test, vi } from 'vitest'
import { Ack, type Wait } from '#contract/device-protocol.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'
import { createOverload } from './overload.ts'

afterEach(() => vi.restoreAllMocks())

const at = '2026-11-21T08:00:00'
const sale = (seq: number) => ({ id: randomUUID(), at, epoch: 1, items: [{ seq, at, type: 1, value: 100 }] })

/** Moves the gateway's clock ahead, so that what waits has waited long. */
function passed(ms: number): void {
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + ms)
}

test('while the database stalls, machines get a time to wait over MQTT and HTTP, and are called back afterwards', async () => {
  const database = await aDatabase()
  const merchant = await aMerchant(database)
  const [early, late, box] = await Promise.all([1, 2, 3].map(() => aMachine(database, merchant.id)))
  if (!early || !late || !box) throw new Error('No machines')
  const server = await aGateway(database)
  const post = (seq: number) =>
    fetch(`${server.httpUrl}/device/v1/${box.serial}/sale`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${box.serial}:${box.secret}`).toString('base64')}` },
      body: JSON.stringify(sale(seq)),
    })
  expect((await post(1)).status).toBe(200)
  const connection = await aConnection(server, early)
  const owner = new pg.Client({ connectionString: database.adminUrl })
  await owner.connect()
  await owner.query('begin; lock table machine_journals in access exclusive mode')
  const sent = connection.send('sale', sale(1))
  const posted = post(2)
  await vi.waitFor(() => expect(server.gateway.overload.isWaiting(box.serial)).toBe(true))
  passed(6_000)
  expect(await connection.next<Wait>('wait')).toEqual({ seconds: 10 })
  expect((await register.getSingleMetric('gettone_gateway_overloaded')?.get())?.values[0]?.value).toBe(1)
  // The repeated message of a machine whose first one waits is not taken in.
  const again = await post(2)
  expect([again.status, again.headers.get('retry-after')]).toEqual([503, '10'])
  // A machine that connects now waits from the start.
  const second = await aConnection(server, late)
  expect(await second.next<Wait>('wait')).toEqual({ seconds: 10 })

  await owner.query('commit')
  await owner.end()
  await Promise.all([sent, posted])
  expect(await connection.next<Wait>('wait')).toEqual({ seconds: 0 })
  expect(await second.next<Wait>('wait')).toEqual({ seconds: 0 })
  expect(Ack.parse(await connection.next('ack')).committed).toBe(1)
  expect((await database.admin('select count(*)::int as n from transactions'))[0]).toEqual({ n: 3 })
})

test('machines are called back in the order in which they started to wait, at most 200 a second', () => {
  vi.useFakeTimers()
  const sent: [serial: string, seconds: number][] = []
  const overload = createOverload({
    send: (serial, { seconds }) => sent.push([serial, seconds]),
    isReachable: (serial) => serial !== 'gone',
    memoryShare: () => 0,
  })
  const serials = Array.from({ length: 250 }, (_, n) => `M${n}`)
  const done = [...serials, 'gone'].map((serial) => overload.received(serial))
  vi.advanceTimersByTime(4_000)
  expect([overload.seconds('M0'), sent]).toEqual([0, []])
  vi.advanceTimersByTime(2_000)
  expect(overload.seconds('M0')).toBe(10)
  expect(sent.splice(0)).toEqual(serials.map((serial) => [serial, 10]))
  // Told once in each wait, however often it sends.
  overload.received('M0')()
  expect(sent).toEqual([])
  for (const end of done) end()
  vi.advanceTimersByTime(1_000)
  expect(sent.splice(0)).toEqual(serials.slice(0, 200).map((serial) => [serial, 0]))
  vi.advanceTimersByTime(1_000)
  expect(sent).toEqual(serials.slice(200).map((serial) => [serial, 0]))
  expect(overload.seconds('M0')).toBe(0)
  overload.stop()
  vi.useRealTimers()
})

test('while one of several database nodes is away, only its machines wait', () => {
  vi.useFakeTimers()
  const sent: [serial: string, seconds: number][] = []
  const overload = createOverload({
    send: (serial, { seconds }) => sent.push([serial, seconds]),
    isReachable: () => true,
    memoryShare: () => 0,
    nodeOf: (serial) => serial.slice(0, 1),
  })
  const done = ['A1', 'A2'].map((serial) => overload.received(serial))
  vi.advanceTimersByTime(6_000)
  overload.received('B1')()
  overload.listening('B1')
  overload.listening('A3')
  expect(sent.map(([serial]) => serial)).toEqual(['A1', 'A2', 'A3'])
  expect([overload.seconds('A3') > 0, overload.seconds('B1')]).toEqual([true, 0])
  for (const end of done) end()
  vi.advanceTimersByTime(1_000)
  expect([overload.seconds('A3'), sent.slice(3)]).toEqual([
    0,
    [
      ['A1', 0],
      ['A2', 0],
      ['A3', 0],
    ],
  ])
  overload.stop()
  vi.useRealTimers()
})
