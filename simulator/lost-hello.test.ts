import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Aedes } from 'aedes'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Ack, downTopic, protocolVersion } from '#contract/device-protocol.ts'
import { planFleet } from '#demo/fleet/fleet.ts'
import { startFleet } from './fleet.ts'
import { openLatencies } from './load/latencies.ts'
import { startLoadMachine } from './load/load-machine.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A broker whose gateway loses the first hello of each machine and answers the second. */
async function aForgetfulBroker() {
  const broker = await Aedes.createBroker()
  const server = createServer(broker.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await new Promise<void>((resolve) => broker.close(resolve))
    server.close()
  })
  const hellos = new Map<string, number>()
  broker.on('publish', (packet) => {
    const [, , serial = '', direction, kind] = packet.topic.split('/')
    if (direction !== 'up' || kind !== 'hello') return
    hellos.set(serial, (hellos.get(serial) ?? 0) + 1)
    if (hellos.get(serial) === 1) return
    const { epoch } = JSON.parse(packet.payload.toString()) as { epoch: number }
    const time = { utc: '2026-07-01T10:00:00Z', local: '2026-07-01T12:00:00' }
    const ack = { epoch, committed: 0, missing: [], protocol: protocolVersion, time } satisfies Ack
    const payload = Buffer.from(JSON.stringify(ack))
    broker.publish(
      { cmd: 'publish', topic: downTopic(serial, 'ack'), payload, qos: 1, dup: false, retain: false },
      () => {},
    )
  })
  return { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, hellos }
}

test('a machine of the load tool repeats a lost hello, and then sends its sales', async () => {
  const { url, hellos } = await aForgetfulBroker()
  const latencies = { puback: openLatencies(), committed: openLatencies(), sent: () => {}, stored: () => {} }
  const member = { serial: 'LOAD-1', secret: 'secret', epoch: 1, lastSeq: 0 }
  const rules = { broker: url, timeZone: 'Europe/Rome', itemsPerMessage: 1, duplicated: 0, reordered: 0 }
  const machine = startLoadMachine(member, rules, latencies)
  onTestFinished(() => machine.stop())
  await vi.waitFor(() => expect(hellos.get('LOAD-1')).toBe(1))
  machine.remind(performance.now() + 5_000)
  machine.remind(performance.now() + 11_000)
  await machine.ready
  expect(hellos.get('LOAD-1')).toBe(2)
})

test('a simulated machine repeats a lost hello', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { url, hellos } = await aForgetfulBroker()
  const folder = mkdtempSync(join(tmpdir(), 'gettone-lost-hello-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [planned] = planFleet({ seed: 'lost hello', machines: 1, salesPerDay: 1000, secretKey: '' })
  if (!planned) throw new Error('No machine was planned.')
  const { plan } = planned
  const fleet = startFleet({ members: [{ lastSeq: 0, plan: { ...plan, behaviour: 'success' } }], broker: url, folder })
  onTestFinished(() => fleet.stop())
  await vi.waitFor(() => expect(hellos.get(plan.serial)).toBe(1), { timeout: 15_000 })
  vi.setSystemTime(Date.now() + 21_000)
  await vi.waitFor(() => expect(hellos.get(plan.serial)).toBe(2), { timeout: 15_000 })
})
