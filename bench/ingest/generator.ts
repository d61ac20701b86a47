// A separate process with machines that sell as fast as they are acknowledged, or at a steady rate. Its parent sends the
// orders.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { topicRoot, upTopic } from '#contract/device-protocol.ts'
import { zoneClock } from '#simulator/clock.ts'
import { openLatencies } from '#simulator/load/latencies.ts'
import { connectPacket, packetReader, packets, pubackPacket, publisherOf, subscribePacket } from './mqtt-frames.ts'

export interface Seller {
  serial: string
  secret: string
  epoch: number
  lastSeq: number
  timeZone: string
}

export type Order =
  | { do: 'connect'; port: number; sellers: readonly Seller[] }
  /** Replaces a gateway: receives all messages, and reports when it has a given number. */
  | { do: 'listen'; port: number }
  | { do: 'send'; load: Load }
  | { do: 'heard'; messages: number }

export interface Load {
  /** Messages of all machines together, and sales per message. */
  messages: number
  items: number
  /**
   * Messages that a machine sends before it waits for acknowledgements. At a steady rate, the size of one burst without a
   * wait.
   */
  window: number
  perSecond?: number
  /** Sends the last load again with the same numbers. */
  isAgain?: boolean
}

export interface Sent {
  seconds: number
  /** From sending to acknowledgement, in milliseconds. */
  p50: number
  p99: number
  /** CPU seconds of this process. */
  cpu: number
}

interface Machine {
  socket: Socket
  /** Sends this many messages of the current load. */
  send(count: number): void
  begin(load: Load): void
  inFlight(): number
}

const clocks = new Map<string, (at: number) => string>()
function clockOf(timeZone: string): (at: number) => string {
  const clock = clocks.get(timeZone) ?? zoneClock(timeZone).local
  clocks.set(timeZone, clock)
  return clock
}

const products = ['Espresso', 'Cappuccino', 'Acqua naturale', 'Tè al limone', 'Croissant', 'Barretta'].flatMap((name) =>
  ['', ' grande', ' senza zucchero', ' bio'].map((kind) => name + kind),
)
/** A machine sells 24 products with three payment media. */
const saleText = (seq: number, at: string) =>
  `{"seq":${seq},"at":"${at}","type":1,"mediaType":${1 + (Math.floor(seq / 24) % 3)},"priceLine":${seq % 24},"product":"${products[(seq * 7) % 24]}","value":${50 + (seq % 30) * 5}}`
let machines: Machine[] = []
let onAcknowledged: (machine: Machine, count: number) => void = () => {}
let latencies = openLatencies()

async function connectMachine(port: number, seller: Seller): Promise<Machine> {
  const { serial, secret, epoch, timeZone } = seller
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => process.exit(1))
  await once(socket, 'connect')
  const publish = publisherOf(upTopic(serial, 'sale'))
  const clock = clockOf(timeZone)
  let seq = seller.lastSeq
  let firstOfLast = seller.lastSeq
  let items = 1
  let packetId = 0
  let inFlight = 0
  const sentAt = new Float64Array(65_536)

  /** The sales of one message are one second apart. */
  function message(): string {
    const now = Date.now()
    let sales = ''
    for (let n = 1; n <= items; n++) {
      seq += 1
      sales += `${n > 1 ? ',' : ''}${saleText(seq, clock(now - (items - n) * 1000))}`
    }
    return `{"id":"${randomUUID()}","at":"${clock(now)}","epoch":${epoch},"items":[${sales}]}`
  }

  const machine: Machine = {
    socket,
    inFlight: () => inFlight,
    begin(load) {
      items = load.items
      if (load.isAgain) seq = firstOfLast
      else firstOfLast = seq
    },
    send(count) {
      const frames: Buffer[] = []
      for (let n = 0; n < count; n++) {
        packetId = (packetId % 65_535) + 1
        frames.push(publish(packetId, message()))
        sentAt[packetId] = performance.now()
      }
      inFlight += count
      socket.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames))
    },
  }
  let welcome = () => {}
  const welcomed = new Promise<void>((resolve) => {
    welcome = resolve
  })
  let acknowledged = 0
  const read = packetReader((type, _flags, body) => {
    if (type === packets.puback) {
      latencies.note(performance.now() - (sentAt[body.readUInt16BE()] ?? 0))
      acknowledged += 1
    } else if (type === packets.connack) {
      if (body[1] !== 0) throw new Error(`${serial} was refused with code ${body[1]}.`)
      socket.write(subscribePacket(`${topicRoot}/${serial}/down/#`))
    } else if (type === packets.suback) welcome()
  })
  socket.on('data', (chunk: Buffer) => {
    read(chunk)
    const count = acknowledged
    acknowledged = 0
    inFlight -= count
    if (count > 0) onAcknowledged(machine, count)
  })
  socket.write(connectPacket(serial, { name: serial, password: secret }))
  await welcomed
  return machine
}

async function send(load: Load): Promise<Sent> {
  latencies = openLatencies()
  const before = process.cpuUsage()
  for (const machine of machines) machine.begin(load)
  const startedAt = performance.now()
  if (load.perSecond) await atRate(load, load.perSecond)
  else await asFastAsAcknowledged(load)
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(before)
  const { p50 = 0, p99 = 0 } = latencies.summary() ?? {}
  return { seconds, p50, p99, cpu: (user + system) / 1e6 }
}

/** Each machine sends an equal share. */
async function asFastAsAcknowledged({ messages, window }: Load): Promise<void> {
  const each = Math.ceil(messages / machines.length)
  const left = new Map(machines.map((machine) => [machine, each]))
  let open = machines.length * each
  await new Promise<void>((resolve) => {
    const go = (machine: Machine, count: number) => {
      const rest = left.get(machine) ?? 0
      const now = Math.min(count, rest)
      if (now === 0) return
      left.set(machine, rest - now)
      machine.send(now)
    }
    onAcknowledged = (machine, count) => {
      open -= count
      if (open === 0) resolve()
      else go(machine, count)
    }
    for (const machine of machines) go(machine, window)
  })
}

/** Machines send their bursts in turn; `messages` is a multiple of a burst. */
async function atRate({ messages, window }: Load, perSecond: number): Promise<void> {
  let sent = 0
  let acknowledged = 0
  onAcknowledged = (_, count) => {
    acknowledged += count
  }
  for (const startedAt = performance.now(); acknowledged < messages; await pause(2)) {
    const due = Math.min(messages, Math.ceil(((performance.now() - startedAt) / 1000) * perSecond))
    for (; sent < due; sent += window) machines[(sent / window) % machines.length]?.send(window)
  }
}

let heardMessages = 0
let onHeard = () => {}

async function listen(port: number): Promise<void> {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => process.exit(1))
  await new Promise<void>((resolve) => {
    const answers: Buffer[] = []
    const read = packetReader((type, flags, body) => {
      if (type === packets.connack) socket.write(subscribePacket(`${topicRoot}/+/up/+`))
      else if (type === packets.suback) resolve()
      else if (type === packets.publish) {
        heardMessages += 1
        if ((flags & 0x06) === 0) return
        answers.push(pubackPacket(body.readUInt16BE(2 + body.readUInt16BE())))
      }
    })
    socket.on('data', (chunk: Buffer) => {
      read(chunk)
      if (answers.length > 0) socket.write(Buffer.concat(answers.splice(0)))
      onHeard()
    })
    socket.write(connectPacket('listener'))
  })
}

async function obey(order: Order): Promise<unknown> {
  if (order.do === 'send') return send(order.load)
  if (order.do === 'listen') return listen(order.port)
  if (order.do === 'heard') {
    await new Promise<void>((resolve) => {
      onHeard = () => {
        if (heardMessages >= order.messages) resolve()
      }
      onHeard()
    })
    heardMessages = 0
    return
  }
  machines = []
  for (const seller of order.sellers) machines.push(await connectMachine(order.port, seller))
}

process.on('message', async (order: Order) => {
  process.send?.((await obey(order)) ?? null)
})
process.on('disconnect', () => process.exit(0))
