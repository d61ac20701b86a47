/* The part of MQTT 3.1.1 that a selling machine needs. A library's client would need more CPU than the measured gateway. */

export const packets = { connack: 2, publish: 3, puback: 4, suback: 9 } as const

/** A string with its length first (section 1.5.3). */
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  const whole = Buffer.allocUnsafe(2 + bytes.length)
  whole.writeUInt16BE(bytes.length)
  bytes.copy(whole, 2)
  return whole
}

/** Writes a packet's first byte and length (section 2.2) into `frame`. Returns the position of the rest. */
function writeHeader(frame: Buffer, first: number, length: number): number {
  let at = frame.writeUInt8(first)
  for (let rest = length; ; ) {
    const more = rest >> 7
    at = frame.writeUInt8((rest & 0x7f) | (more > 0 ? 0x80 : 0), at)
    if (more === 0) return at
    rest = more
  }
}

function packet(first: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const frame = Buffer.allocUnsafe(5 + body.length)
  const at = writeHeader(frame, first, body.length)
  body.copy(frame, at)
  return frame.subarray(0, at + body.length)
}

/** A new session without keep-alive; `user` is optional. */
export function connectPacket(clientId: string, user?: { name: string; password: string }): Buffer {
  const flags = 0x02 | (user ? 0xc0 : 0)
  const head = Buffer.concat([text('MQTT'), Buffer.from([4, flags, 0, 0])])
  return packet(0x10, head, text(clientId), ...(user ? [text(user.name), text(user.password)] : []))
}

/** Subscribes to a filter with QoS 1. */
export const subscribePacket = (filter: string): Buffer =>
  packet(0x82, Buffer.from([0, 1]), text(filter), Buffer.from([1]))

/** A function that creates the messages of a topic, with QoS 1. */
export function publisherOf(topic: string): (packetId: number, payload: string) => Buffer {
  const head = text(topic)
  return (packetId, payload) => {
    const size = Buffer.byteLength(payload)
    const frame = Buffer.allocUnsafe(5 + head.length + 2 + size)
    let at = writeHeader(frame, 0x32, head.length + 2 + size)
    at += head.copy(frame, at)
    at = frame.writeUInt16BE(packetId, at)
    return frame.subarray(0, at + frame.write(payload, at))
  }
}

export const pubackPacket = (packetId: number): Buffer => Buffer.from([0x40, 2, packetId >> 8, packetId & 0xff])

/** Splits received bytes into packets; calls `take` with each packet's type, flags and body after the length. */
export function packetReader(take: (type: number, flags: number, body: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer | undefined
  return (chunk) => {
    const bytes = rest ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    for (;;) {
      let length = 0
      let digits = 0
      let byte: number | undefined
      do {
        byte = bytes[at + 1 + digits]
        length += ((byte ?? 0) & 0x7f) * 128 ** digits++
      } while (byte !== undefined && byte >= 0x80)
      const from = at + 1 + digits
      if (byte === undefined || from + length > bytes.length) break
      const first = bytes[at] as number
      take(first >> 4, first & 0x0f, bytes.subarray(from, from + length))
      at = from + length
    }
    rest = at < bytes.length ? bytes.subarray(at) : undefined
  }
}
