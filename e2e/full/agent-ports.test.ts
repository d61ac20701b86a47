import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { anAudit } from '#agent/emulator/an-audit.ts'
import { emulate } from '#agent/emulator/emulate.ts'
import { PortSettings, serialSettings } from '#agent/ports/port-settings.ts'
import { readPort } from '#agent/ports/read-port.ts'
import { openSerialPort } from '#agent/ports/serial-port.ts'
import { hasPortPairs, openPortPair, type PortPair } from '#testkit/agent/port-pair.ts'

/* The agent's protocols over serial ports of the system, in real time. */

let ports: PortPair
beforeAll(async () => {
  if (hasPortPairs) ports = await openPortPair()
})
afterAll(() => ports?.close())

const identity = { id: 'GTN0000001', clock: '2026-11-21T08:00:00' }

async function aMachineOnAPort(settings: Partial<PortSettings>, role: 'master' | 'slave' = 'slave') {
  const file = anAudit({ selections: 12 })
  const machine = PortSettings.parse({ ...settings, path: ports.machine })
  const port = await openSerialPort(serialSettings(machine))
  const stop = new AbortController()
  const { protocol, baud } = machine
  const done = emulate(port, { protocol, baud, serial: 'EMU00001', role, file: () => file }, { signal: stop.signal })
  onTestFinished(async () => {
    stop.abort()
    await done
    await port.close()
  })
  return { file, carrier: PortSettings.parse({ ...settings, path: ports.carrier }) }
}

test.skipIf(!hasPortPairs).each([
  [{ protocol: 'dex' }, 'slave'],
  [{ protocol: 'dex' }, 'master'],
  [{ protocol: 'ddcmp', baud: 38_400 }, 'slave'],
] as const)('a machine is read over a serial port (%o, %s)', async (settings, role) => {
  const { file, carrier } = await aMachineOnAPort(settings, role)
  const outcome = await readPort(carrier, identity)
  if (!outcome.isDone) throw new Error(outcome.fault)
  expect(Buffer.compare(outcome.value.file, file)).toBe(0)
})

test.skipIf(!hasPortPairs)('a port without a machine is silent, and a busy port is refused', async () => {
  const carrier = PortSettings.parse({ path: ports.carrier })
  // Either may be the first to lock it.
  const outcomes = await Promise.allSettled([readPort(carrier, identity), readPort(carrier, identity)])
  const [done, refused] = outcomes.toSorted((one, other) => (one.status < other.status ? -1 : 1))
  expect(done).toMatchObject({ value: { isDone: false, fault: 'silent' } })
  expect(refused).toMatchObject({ reason: { message: expect.stringMatching(/lock/i) } })
})
