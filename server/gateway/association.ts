import { AssociationAnswer, type AssociationRequest } from '#contract/device-protocol.ts'
import { ProductError } from '#contract/errors.ts'
import { associateMachine, countAttempt, forgiveAttempt, merchantOfPin } from '#database/association.ts'
import type { Doors } from '#database/tenant.ts'
import { siteOf } from '#domain/network-site.ts'
import type { Config } from '../config.ts'
import type { Pins } from './pins.ts'
import { hashOfSecret, newSecret } from './secret.ts'

const stretchMs = 15 * 60_000
/** Wrong attempts in a stretch of time. Beyond `everywhere`, an address that has failed in the stretch is not heard any more. */
const limits = { perSerial: 5, perAddress: 20, perMerchantAndAddress: 20, everywhere: 500 }

/** Where machines reach this deployment. */
export function deviceAddresses(config: Config, mqttPort = config.MQTT_PORT) {
  const told = config.MQTT_PUBLIC_URL ?? config.MQTT_URL
  const broker = told ? new URL(told) : undefined
  const isTls = broker ? ['mqtts:', 'ssl:'].includes(broker.protocol) : config.MQTT_TLS_CERT_FILE !== undefined
  return {
    httpUrl: config.publicUrl,
    mqttHost: config.MQTT_PUBLIC_HOST ?? broker?.hostname ?? new URL(config.publicUrl).hostname,
    mqttPort: broker ? Number(broker.port || (isTls ? 8883 : 1883)) : mqttPort,
    mqttTls: isTls,
  }
}

/**
 * Lets an unknown machine join the merchant whose PIN it knows. A wrong PIN, and a machine of another merchant, are refused
 * alike. Wrong attempts are limited per machine, per address and per address and merchant, never per merchant alone: guessing
 * from elsewhere must not keep a merchant's own technician out. Throws, to who knows the PIN, DemoExpired and MachineLimitReached.
 */
export async function associate(
  { doors, config, pins, mqttPort }: { doors: Doors; config: Config; pins: Pins; mqttPort: number },
  request: AssociationRequest,
  address: string,
  now = new Date(),
): Promise<AssociationAnswer> {
  const since = new Date(Math.floor(now.getTime() / stretchMs) * stretchMs)
  const from = siteOf(address)
  const keys = [`serial ${request.serial}`, `address ${from}`, 'everywhere']
  const [bySerial = 0, byAddress = 0, everywhere = 0] = await countAttempt(doors, keys, since)
  const isUnderAttack = everywhere > limits.everywhere && byAddress > 1
  if (bySerial > limits.perSerial || byAddress > limits.perAddress || isUnderAttack)
    throw new ProductError('TooManyRequests')
  const secret = newSecret()
  const merchantId = await doors.withSystem(
    'associate machine',
    (db) => merchantOfPin(db, pins.digestOf(request.pin)),
    'single statement',
  )
  if (merchantId === undefined) throw new ProductError('AssociationRefused')
  const ofMerchant = [`merchant ${merchantId} address ${from}`]
  const [byMerchant = 0] = await countAttempt(doors, ofMerchant, since)
  if (byMerchant > limits.perMerchantAndAddress) throw new ProductError('TooManyRequests')
  const forgive = () => forgiveAttempt(doors, [...keys, ...ofMerchant], since)
  const associated = await doors
    .withSystem('associate machine', (db) => associateMachine(db, merchantId, request, hashOfSecret(secret), now))
    .catch(async (error: unknown) => {
      // The PIN was right; only its merchant has no place for the machine.
      if (error instanceof ProductError) await forgive()
      throw error
    })
  if (!associated) throw new ProductError('AssociationRefused')
  await forgive()
  const { mqttHost, mqttPort: port, mqttTls } = deviceAddresses(config, mqttPort)
  return AssociationAnswer.parse({
    serial: request.serial,
    secret,
    epoch: associated.epoch,
    mqtt: { host: mqttHost, port, tls: mqttTls },
  })
}
