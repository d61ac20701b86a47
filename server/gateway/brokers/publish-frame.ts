/** A PUBLISH packet with QoS 0 (MQTT 3.1.1, sections 2.2 and 3.3). */
export function publishFrame(topic: string, payload: string): Buffer {
  const topicBytes = Buffer.byteLength(topic)
  const payloadBytes = Buffer.byteLength(payload)
  const rest = 2 + topicBytes + payloadBytes
  const frame = Buffer.allocUnsafe(5 + rest)
  let at = frame.writeUInt8(0x30)
  for (let length = rest; ; length >>= 7) {
    if (length < 0x80) {
      at = frame.writeUInt8(length, at)
      break
    }
    at = frame.writeUInt8((length & 0x7f) | 0x80, at)
  }
  at = frame.writeUInt16BE(topicBytes, at)
  at += frame.write(topic, at)
  return frame.subarray(0, at + frame.write(payload, at))
}
