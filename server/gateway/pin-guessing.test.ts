import { expect, test } from 'vitest'
import { ProductError } from '#contract/errors.ts'
import { storeCode } from '#database/machines/association-attempt.ts'
import { oneTimeCode, pinLimits } from '#domain/machines/association-attempt.ts'
import { aDatabase, type TestDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { isFullRun } from '#testkit/full-run.ts'
import { aGateway } from '#testkit/machines/gateway.ts'
import { associate } from './association.ts'
import { createPins, randomCode } from './pins.ts'

const atOnce = 8
/** The time of a test's attempts, inside one quarter of an hour. */
const noon = new Date('2026-06-01T12:00:00Z')
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)
/** A network of this number only. */
const networkOf = (number: number) =>
  `10.${Math.floor(number / 65_536)}.${Math.floor(number / 256) % 256}.${number % 256}`

async function aDeployment() {
  const database = await aDatabase()
  const { config } = await aGateway(database)
  const pins = createPins(config.secretKey)
  const services = { doors: database, config, pins, mqttPort: 1883 }
  /** The answer to an attempt: `joined`, or the code of its refusal. */
  const attempt = (serial: string, pin: string, address: string, now = noon) =>
    outcomeOf(associate(services, { serial, deviceType: 'AZVT', pin }, address, now))
  const attemptWithCode = (serial: string, code: string, address: string, now = noon) =>
    outcomeOf(associate(services, { serial, deviceType: 'AZVT', code }, address, now))
  const outcomeOf = (association: Promise<unknown>) =>
    association.then(
      () => 'joined',
      (error: unknown) => (error instanceof ProductError ? error.code : String(error)),
    )
  /** The number of each answer. */
  async function attack(guesses: number, guess: (number: number) => Promise<string>) {
    const outcomes: Record<string, number> = {}
    let next = 0
    const guessOn = async () => {
      while (next < guesses) {
        const outcome = await guess(next++)
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, guessOn))
    return outcomes
  }
  async function aMerchantWithPin(pin: string) {
    const { id } = await aMerchant(database)
    await pins.setPin(database, id, pin)
    return id
  }
  /** A code as the portal creates it. */
  async function aCode(merchantId: string, serial: string, now = noon) {
    const code = randomCode()
    const expiresAt = new Date(now.getTime() + oneTimeCode.minutes * 60_000)
    await storeCode(database, { digest: pins.digestOf(`code ${code}`), merchantId, serial, expiresAt }, now)
    return code
  }
  return { database, attempt, attemptWithCode, attack, aMerchantWithPin, aCode }
}

const expectMachine = (database: TestDatabase, merchantId: string, serial: string) =>
  database.admin(
    `insert into expected_associations (merchant_id, serial, created_at, created_by, expires_at)
     values ($1, $2, $3, gen_random_uuid(), $3::timestamptz + interval '7 days')`,
    [merchantId, serial, noon],
  )

const attemptsOf = (database: TestDatabase) =>
  database.admin('select key, since, failures from association_attempts order by key, since')

test('guesses from 600 networks find no PIN, and expected machines and known networks still associate', async () => {
  const { database, attempt, attack, aMerchantWithPin } = await aDeployment()
  const merchantId = await aMerchantWithPin('00000599')
  await expectMachine(database, merchantId, 'EXPECTED-1')
  expect(await attempt('FIRST-1', '00000599', '192.168.1.1', later(-60))).toBe('joined')
  // Guesses count up from 0 and each network is new. The last guess is right.
  const outcomes = await attack(600, (number) =>
    attempt(`GUESS-${number}`, String(number).padStart(8, '0'), networkOf(number)),
  )
  const refusals = outcomes.AssociationRefused ?? 0
  expect(refusals).toBeLessThanOrEqual(400)
  expect(outcomes).toEqual({ AssociationRefused: refusals, TooManyRequests: 600 - refusals })

  expect(await attempt('EXPECTED-1', '00000599', '192.168.7.7')).toBe('joined')
  expect(await attempt('SECOND-1', '00000599', '192.168.1.1')).toBe('joined')
  // A stranger waits for the next quarter of an hour.
  expect(await attempt('THIRD-1', '00000599', '192.168.9.9')).toBe('TooManyRequests')
  expect(await attempt('THIRD-1', '00000599', '192.168.9.9', later(15))).toBe('joined')
}, 120_000)

test('guesses at the machines of one merchant have their own limit, and another merchant is not affected', async () => {
  const { database, attempt, attack, aMerchantWithPin } = await aDeployment()
  const target = await aMerchantWithPin('40271958')
  const other = await aMerchantWithPin('31860742')
  const serials = Array.from({ length: 40 }, (_, number) => `TARGET-${number}`)
  for (const serial of serials.slice(0, 20)) await expectMachine(database, target, serial)
  for (const serial of serials.slice(20)) await aMachine(database, target, { serial })
  const outcomes = await attack(160, (number) =>
    attempt(serials[number % serials.length] as string, String(number).padStart(8, '0'), networkOf(number)),
  )
  expect(outcomes).toEqual({ AssociationRefused: 100, TooManyRequests: 60 })
  await expectMachine(database, other, 'OTHER-1')
  expect(await attempt('OTHER-1', '31860742', '192.168.7.7')).toBe('joined')
  expect(await attempt('UNKNOWN-1', '40271958', '192.168.7.8')).toBe('joined')
}, 60_000)

test('the addresses of one IPv6 /48 count as one', async () => {
  const { attempt, attack, aMerchantWithPin } = await aDeployment()
  await aMerchantWithPin('40271958')
  const outcomes = await attack(60, (number) =>
    attempt(`GUESS-${number}`, String(number).padStart(8, '0'), `2001:db8:7:${number.toString(16)}::1`),
  )
  expect(outcomes).toEqual({ AssociationRefused: 20, TooManyRequests: 40 })
  expect(await attempt('RIGHT-1', '40271958', '2001:db8:8::1')).toBe('joined')
})

test('a correct PIN that is refused for another reason is not counted', async () => {
  const { database, attempt, attack, aMerchantWithPin } = await aDeployment()
  const merchantId = await aMerchantWithPin('40271958')
  const stranger = await aMachine(database, (await aMerchant(database)).id)
  const installed = await aMachine(database, merchantId)
  await database.admin(`update merchant_features set maximum_machines = 1 where merchant_id = $1`, [merchantId])
  await attack(20, (number) => attempt(`GUESS-${number}`, '99999999', '10.0.0.1'))
  const before = await attemptsOf(database)
  const refused = [
    await attempt('RIGHT-1', '40271958', '10.0.0.1'),
    await attempt(stranger.serial, '40271958', '10.0.0.2'),
    await attempt(installed.serial, '40271958', '10.0.0.2'),
    await attempt('RIGHT-1', '40271958', '10.0.0.2'),
  ]
  expect(refused).toEqual(['TooManyRequests', 'AssociationRefused', 'ReassociationNotAllowed', 'MachineLimitReached'])
  const after = await attemptsOf(database)
  expect(after.filter(({ failures }) => failures !== 0)).toEqual(before.filter(({ failures }) => failures !== 0))
})

test('six wrong PINs, of the technician or of a stranger, do not keep out the technician of an expected machine', async () => {
  const { database, attempt, aMerchantWithPin } = await aDeployment()
  const merchantId = await aMerchantWithPin('40271958')
  await expectMachine(database, merchantId, 'EXPECTED-1')
  // The technician's own mistakes, and a stranger's guesses in the same network of the mobile operator.
  for (let mistake = 0; mistake < 6; mistake++) await attempt('EXPECTED-1', '40271985', '10.0.0.1')
  for (let guess = 0; guess < 30; guess++) await attempt(`GUESS-${guess}`, '11223344', '10.0.0.1')
  expect(await attempt('EXPECTED-1', '40271985', '10.0.0.1')).toBe('TooManyRequests')
  expect(await attempt('EXPECTED-1', '40271958', '10.0.0.1')).toBe('joined')
})

test('six wrong PINs do not keep out the technician of a machine that may associate again', async () => {
  const { database, attempt, aMerchantWithPin } = await aDeployment()
  const merchantId = await aMerchantWithPin('40271958')
  const { serial, id } = await aMachine(database, merchantId)
  for (let mistake = 0; mistake < 6; mistake++) await attempt(serial, '40271985', '10.0.0.1')
  expect(await attempt(serial, '40271958', '10.0.0.1')).toBe('TooManyRequests')
  await database.admin('update machines set reassociation_until = $1 where id = $2', [later(60), id])
  expect(await attempt(serial, '40271958', '10.0.0.1')).toBe('joined')
})

test('guesses at an expected serial find no PIN beyond the limit; a code from the portal lets the machine in meanwhile', async () => {
  const { database, attempt, attemptWithCode, attack, aMerchantWithPin, aCode } = await aDeployment()
  // The whole attack takes more than a minute.
  const guesses = isFullRun ? 10_000 : 250
  const merchantId = await aMerchantWithPin('00000150')
  await expectMachine(database, merchantId, 'EXPECTED-1')
  // Guesses count up; the one after the limit is right.
  const outcomes = await attack(guesses, (number) =>
    attempt('EXPECTED-1', String(number).padStart(8, '0'), networkOf(number % 600)),
  )
  expect(outcomes.joined).toBeUndefined()
  expect((outcomes.AssociationRefused ?? 0) + (outcomes.TooManyRequests ?? 0)).toBe(guesses)
  expect(await attempt('EXPECTED-1', '00000150', '192.168.1.1')).toBe('TooManyRequests')
  const counted = await database.admin<{ failures: number }>(
    'select failures from association_attempts where key = $1',
    [`expected ${merchantId}`],
  )
  expect(counted[0]?.failures).toBeGreaterThan(pinLimits.expected)

  const code = await aCode(merchantId, 'EXPECTED-1')
  expect(await attemptWithCode('OTHER-1', code, '192.168.1.1')).not.toBe('joined')
  expect(await attemptWithCode('EXPECTED-1', code, networkOf(1))).toBe('joined')
  // It is used up.
  expect(await attemptWithCode('EXPECTED-1', code, '192.168.1.2')).not.toBe('joined')
}, 240_000)

test('a code ends after half an hour and with the next one, and two simultaneous uses join once', async () => {
  const { database, attemptWithCode, aMerchantWithPin, aCode } = await aDeployment()
  const merchantId = await aMerchantWithPin('40271958')
  const earlier = await aCode(merchantId, 'LATE-1')
  const code = await aCode(merchantId, 'LATE-1')
  expect(await attemptWithCode('LATE-1', earlier, '10.0.0.1')).toBe('AssociationRefused')
  expect(await attemptWithCode('LATE-1', code, '10.0.0.1', later(30))).toBe('AssociationRefused')
  const both = await Promise.all([1, 2].map((number) => attemptWithCode('LATE-1', code, networkOf(number))))
  expect(both.sort()).toEqual(['AssociationRefused', 'joined'])
  expect(await database.admin('select 1 from association_codes')).toEqual([])
})
