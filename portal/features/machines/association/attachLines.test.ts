import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { AssociationRequest, upPayloads } from '#contract/device-protocol.ts'
import { type AttachStep, attachLines, attachSteps } from './attachLines.ts'

const info = {
  pin: '12345678',
  httpUrl: 'http://localhost:8080',
  mqttHost: 'localhost',
  mqttPort: 1883,
  mqttTls: false,
}
const machine = { serial: 'G900001', deviceType: 'AZVT', name: "Bar dell'Angolo", timeZone: 'Europe/Rome' }
const ids = Object.fromEntries(
  attachSteps.map((step, index) => [step, `018f0000-0000-7000-8000-00000000000${index}`]),
) as Record<AttachStep, string>

/** Runs a command with programs that only print their arguments. Returns the last argument. */
function lastArgument(line: string) {
  const stubs = 'curl() { for a; do :; done; printf %s "$a"; }; mosquitto_pub() { curl "$@"; }; SECRET=s3cret; EPOCH=4;'
  const clock = `now() { TZ='UTC' date +%Y-%m-%dT%H:%M:%S; };`
  return execFileSync('sh', ['-c', `${stubs} ${clock} ${line}`], { encoding: 'utf8' })
}

test('the gateway accepts the association, whatever the name contains', () => {
  const [first = ''] = attachLines(info, machine, ids).associate.split('echo')
  const request = JSON.parse(lastArgument(`${first.trim()}; printf %s "$ANSWER"`))
  expect(AssociationRequest.parse(request)).toEqual({
    serial: 'G900001',
    deviceType: 'AZVT',
    pin: '12345678',
    name: "Bar dell'Angolo",
  })
})

test.each([
  ['hello', 'hello'],
  ['state', 'state'],
  ['sale', 'sale'],
  ['event', 'event'],
  ['eventEnd', 'event'],
] as const)('the command of %s sends a valid message of the protocol', (step, kind) => {
  const sent = JSON.parse(lastArgument(attachLines(info, machine, ids)[step]))
  expect(upPayloads[kind].safeParse(sent).error).toBeUndefined()
  if (kind !== 'state') expect(sent.epoch).toBe(4)
})

test('a machine without a name is associated without one', () => {
  expect(attachLines(info, { ...machine, name: '' }, ids).associate).not.toContain('name')
})

test('a broker with TLS is addressed with TLS', () => {
  expect(attachLines({ ...info, mqttTls: true, mqttPort: 8883 }, machine, ids).hello).toContain(
    '-p 8883 --capath /etc/ssl/certs',
  )
})
