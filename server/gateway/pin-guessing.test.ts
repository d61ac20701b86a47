import { expect, test } from 'vitest'
import { ProductError } from '#contract/errors.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMerchant } from '#testkit/fixtures.ts'
import { aGateway } from '#testkit/gateway.ts'
import { associate } from './association.ts'
import { createPins } from './pins.ts'

const guesses = 10_000
const addresses = 250
const atOnce = 8

test('a PIN that is guessed 10,000 times is not found, and the right machine still joins', async () => {
  const database = await aDatabase()
  const { config } = await aGateway(database)
  const pins = createPins(config.secretKey)
  const { id: merchantId } = await aMerchant(database)
  await pins.setPin(database, merchantId, '00009999')
  const services = { doors: database, config, pins, mqttPort: 1883 }
  const now = new Date()
  const outcomes = new Map<string, number>()
  let next = 0
  /** In order from 0 up, which would find the PIN with the last guess if all of them were heard. */
  const guess = async () => {
    while (next < guesses) {
      const number = next++
      const request = { serial: `GUESS-${number}`, deviceType: 'AZVT', pin: String(number).padStart(8, '0') }
      const outcome = await associate(services, request, `10.0.0.${number % addresses}`, now).then(
        () => 'joined',
        (error: unknown) => (error instanceof ProductError ? error.code : String(error)),
      )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, guess))
  const heard = outcomes.get('AssociationRefused') ?? 0
  // The first five hundred anywhere, and one of each address that had not been heard before.
  expect(heard).toBeLessThanOrEqual(500 + addresses)
  expect(Object.fromEntries(outcomes)).toEqual({ AssociationRefused: heard, TooManyRequests: guesses - heard })

  const machine = { serial: 'RIGHT-1', deviceType: 'AZVT', pin: '00009999' }
  const answer = await associate(services, machine, '192.168.7.7', now)
  expect(answer).toMatchObject({ serial: 'RIGHT-1', epoch: 1 })
  expect(await database.admin('select merchant_id from machines where serial = $1', ['RIGHT-1'])).toEqual([
    { merchant_id: merchantId },
  ])
}, 300_000)
