import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestGateway } from './gateway.ts'

/* Packets of MQTT 3.1.1 byte by byte, for packets that no client library would send. */

/** The bytes of a packet: its first byte, the announced length, its content. */
export function packet(first: number, announced: number, content: Buffer = Buffer.alloc(0)): Buffer {
  const length: number[] = []
  for (let rest = announced; length.length === 0 || rest > 0; rest = Math.floor(rest / 128))
    length.push((rest % 128) + (rest >= 128 ? 128 : 0))
  return Buffer.concat([Buffer.from([first, ...length]), content])
}

export function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

export function connectPacket(serial: string, secret: string): Buffer {
  const flags = Buffer.from([4, 0b1100_0010, 0, 60])
  const content = Buffer.concat([text('MQTT'), flags, text('raw'), text(serial), text(secret)])
  return packet(0x10, content.length, content)
}

/** A message of QoS 1. */
export function publishPacket(topic: string, payload: string): Buffer {
  const content = Buffer.concat([text(topic), Buffer.from([0, 1]), Buffer.from(payload)])
  return packet(0x32, content.length, content)
}

/** A raw connection to the embedded broker, and when it ended; closed with the test. */
export async function aSocket(server: TestGateway): Promise<Socket & { ended: Promise<unknown> }> {
  const socket = connect(server.gateway.mqttPort, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  return Object.assign(socket, { ended: once(socket, 'close') })
}
