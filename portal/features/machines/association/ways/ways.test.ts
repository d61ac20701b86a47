import { expect, test } from 'vitest'
import { Serial } from '#contract/device-protocol.ts'
import { agentLines, aSerial } from './ways.ts'

const info = { pin: '12345678', httpUrl: 'https://portal.example.com' }

test('the commands name the portal, the PIN, the serial and the protocol', () => {
  expect(agentLines(info, { serial: 'A1', name: null, protocol: 'ddcmp' })).toBe(
    `npx gettone-agent setup --portal https://portal.example.com --pin 12345678 \\
  --serial A1 \\
  --protocol ddcmp --port /dev/ttyUSB0
npx gettone-agent run`,
  )
})

test('a name is one word of the shell, whatever is in it', () => {
  const lines = agentLines(info, { serial: 'A1', name: `Bar “Da Ugo”; rm -rf ~ $(id) l'altro`, protocol: 'dex' })
  expect(lines).toContain(`--name 'Bar “Da Ugo”; rm -rf ~ $(id) l'\\''altro' \\`)
})

test('a proposed serial is one', () => {
  expect(aSerial(new Uint8Array(8).fill(37))).toBe('A77777777')
  expect(Serial.safeParse(aSerial(new Uint8Array(8))).success).toBe(true)
})
