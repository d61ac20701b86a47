import { expect, onTestFinished, test, vi } from 'vitest'
import type { NewItem } from '../../journal/items.ts'
import type { BytePort } from '../../ports/byte-port.ts'
import { openUsbSource } from './usb-source.ts'

/** An adapter that can be unplugged. */
function anAdapter() {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 8) })
  const reported: NewItem[] = []
  const written: string[] = []
  let received = (_: Uint8Array) => {}
  let lost = (_: Error) => {}
  let isPlugged = true
  let opened = 0
  const port: BytePort = {
    write: (bytes) => void written.push(Buffer.from(bytes).toString()),
    setRate: async () => {},
    listen(onBytes, onLost) {
      received = onBytes
      lost = onLost
    },
    close: async () => {},
  }
  const source = openUsbSource(
    { scale: 1, decimals: 2 },
    { digits: 2, medium: 'creditCard' },
    {
      async open() {
        if (!isPlugged) throw new Error('No such file')
        opened++
        return port
      },
      report: (...items) => void reported.push(...items),
      failed: () => undefined,
    },
  )
  onTestFinished(async () => {
    await source.close()
    vi.useRealTimers()
  })
  return {
    reported,
    written,
    opened: () => opened,
    say: (text: string) => received(Buffer.from(text)),
    unplug() {
      isPlugged = false
      lost(new Error('unplugged'))
    },
    plugIn: () => {
      isPlugged = true
    },
  }
}

const poll = 'x,00,0006529862,12,\r\n'

test('the adapter is set to listen, and a sale is reported at once', async () => {
  const { reported, written, say } = anAdapter()
  await vi.advanceTimersByTimeAsync(0)
  expect(written).toEqual(['X,1\r\n'])
  say(`x,ACK\r\n${poll}x,00,0006529900,13,0500`)
  say('960005\r\nx,80,0006529910,ACK\r\n')
  expect(reported).toEqual([
    {
      kind: 'sale',
      at: Date.now(),
      type: 1,
      mediaType: 1,
      mediaSource: 0,
      priceLine: 5,
      value: 150,
    },
  ])
})

test('an adapter that is gone is an event, until it is heard again', async () => {
  const adapter = anAdapter()
  await vi.advanceTimersByTimeAsync(0)
  adapter.unplug()
  await vi.advanceTimersByTimeAsync(12_000)
  adapter.plugIn()
  await vi.advanceTimersByTimeAsync(5000)
  expect(adapter.opened()).toBe(2)
  adapter.say(poll)
  expect(adapter.reported).toMatchObject([
    { code: 'AGENT_MDB', active: true, detail: 'port', message: 'unplugged' },
    { code: 'AGENT_MDB', active: false },
  ])
})

test('a silent bus is an event, and the adapter is set to listen again', async () => {
  const { reported, written, say } = anAdapter()
  await vi.advanceTimersByTimeAsync(0)
  say(poll)
  await vi.advanceTimersByTimeAsync(90_000)
  expect(reported).toMatchObject([{ code: 'AGENT_MDB', active: true, detail: 'silent' }])
  expect(written.length).toBeGreaterThan(1)
  say(poll)
  expect(reported.at(-1)).toMatchObject({ active: false })
})
