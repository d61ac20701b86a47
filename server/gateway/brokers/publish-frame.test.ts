import { expect, test } from 'vitest'
import { publishFrame } from './publish-frame.ts'

const topic = 'gettone/v1/A-1/down/ack'

// A topic of 23 bytes takes 25 with its length. So the announced length is 127, 128, … for these payloads (MQTT 3.1.1,
// table 2.4).
test.each([
  [0, [25]],
  [102, [0x7f]],
  [103, [0x80, 0x01]],
  [16_358, [0xff, 0x7f]],
  [16_359, [0x80, 0x80, 0x01]],
  [65_536, [0x99, 0x80, 0x04]],
])('a payload of %i bytes is announced with its length, after its topic', (bytes, length) => {
  const payload = 'è'.repeat(bytes / 2) + 'x'.repeat(bytes % 2)
  const expected = Buffer.concat([Buffer.from([0x30, ...length, 0, topic.length]), Buffer.from(topic + payload)])
  expect(publishFrame(topic, payload).equals(expected)).toBe(true)
})
