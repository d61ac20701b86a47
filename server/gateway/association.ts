import { AssociationAnswer, type AssociationRequest } from '#contract/device-protocol.ts'
import { ProductError } from '#contract/errors.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { associateMachine } from '#database/machines/association.ts'
import {
  type Attempt,
  attemptOf,
  countAttempt,
  forgiveAttempt,
  rememberPlace,
} from '#database/machines/association-attempt.ts'
import { networkOf } from '#domain/frame/network-site.ts'
import type { Config } from '../config.ts'
import type { Pins } from './pins.ts'
import { hashOfSecret, isSecret, newSecret } from './secret.ts'

const stretchMs = 15 * 60_000
const dayMs = 24 * 3_600_000
/**
 * Maximum wrong attempts per quarter of an hour, and per day. Above `everywhere`, only networks without a failed attempt
 * may try, up to `firstOfNetwork`. Above that limit and the daily limit, only networks and serials known to a merchant may
 * try. With 1,000 merchants, a day of guessing finds a PIN with a chance of 2 percent.
 */
const limits = {
  serialFromNetwork: 5,
  serial: 5,
  network: 20,
  merchant: 100,
  everywhere: 200,
  firstOfNetwork: 400,
  everywherePerDay: 2000,
}

/** The addresses at which machines reach this deployment. */
export function deviceAddresses(config: Config, mqttPort = config.MQTT_PORT) {
  const brokerUrl = config.MQTT_PUBLIC_URL ?? config.MQTT_URL
  const broker = brokerUrl ? new URL(brokerUrl) : undefined
  const isTls = broker ? ['mqtts:', 'ssl:'].includes(broker.protocol) : config.MQTT_TLS_CERT_FILE !== undefined
  return {
    httpUrl: config.publicUrl,
    mqttHost: config.MQTT_PUBLIC_HOST ?? broker?.hostname ?? new URL(config.publicUrl).hostname,
    mqttPort: broker ? Number(broker.port || (isTls ? 8883 : 1883)) : mqttPort,
    mqttTls: isTls,
  }
}

interface Services {
  doors: Doors
  config: Config
  pins: Pins
  mqttPort: number
}

/**
 * Associates an unknown machine with the merchant of its PIN, and gives a known machine a new secret in exchange for its
 * current one. A wrong PIN and a machine of another merchant get the same refusal. With a correct PIN, throws
 * ReassociationNotAllowed, DemoExpired and MachineLimitReached.
 */
export async function associate(
  services: Services,
  request: AssociationRequest,
  address: string,
  now = new Date(),
): Promise<AssociationAnswer> {
  const { doors, pins } = services
  const place = pins.digestOf(`place ${networkOf(address)}`)
  const digest = request.pin === undefined ? null : pins.digestOf(request.pin)
  const attempt = await attemptOf(doors, { digest, serial: request.serial, place, now })
  const { secret } = request
  // A secret has 192 random bits and cannot be guessed, so the attempt is not counted and the PIN is ignored.
  if (secret !== undefined && attempt.ownerId !== null && attempt.hashes.some((hash) => isSecret(secret, hash)))
    return join(services, attempt.ownerId, request, now)
  const merchantId = attempt.merchantId
  const judged = await judge(doors, request, networkOf(address), attempt, now)
  // A correct PIN is not a guess, even if the machine is refused for another reason. Both cases cost the same time, so
  // timing reveals nothing.
  if (merchantId !== null || !judged.isHeard) await judged.forgive(merchantId === null ? 'shared' : 'all')
  if (!judged.isHeard) throw new ProductError('TooManyRequests')
  if (merchantId === null) throw new ProductError('AssociationRefused')
  const answer = await join(services, merchantId, request, now)
  await rememberPlace(doors, merchantId, place, now)
  return answer
}

/**
 * Counts an attempt and decides whether its PIN is compared at all. A correct PIN from a place that the merchant knows is
 * always accepted.
 */
async function judge(
  doors: Doors,
  { serial }: AssociationRequest,
  network: string,
  { merchantId, isKnownPlace, expectedBy, ownerId }: Attempt,
  now: Date,
) {
  const since = new Date(Math.floor(now.getTime() / stretchMs) * stretchMs)
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  const aimedAt = [...new Set([...expectedBy, ...(ownerId === null ? [] : [ownerId])])].map((id) => `merchant ${id}`)
  const own = [`serial ${serial} from ${network}`, `address ${network}`]
  // Shared limits count only attempts within the network's own limits, so that a few networks cannot use up the shared
  // limit.
  const shared = [`serial ${serial}`, 'everywhere', ...aimedAt]
  const keys = [...own, ...shared]
  const ofDay = ['everywhere in a day']
  const [fromNetwork = 0, byNetwork = 0, bySerial = 0, everywhere = 0, ...byMerchant] = await countAttempt(
    doors,
    keys,
    since,
  )
  const [inDay = 0] = await countAttempt(doors, ofDay, today)
  const isBelowMerchants = Math.max(0, ...byMerchant) <= limits.merchant
  const isExpected = merchantId !== null && expectedBy.includes(merchantId) && isBelowMerchants
  const isOfNobody =
    bySerial <= limits.serial &&
    isBelowMerchants &&
    inDay <= limits.everywherePerDay &&
    (everywhere <= limits.everywhere || (byNetwork === 1 && everywhere <= limits.firstOfNetwork))
  return {
    isHeard:
      fromNetwork <= limits.serialFromNetwork &&
      byNetwork <= limits.network &&
      (isKnownPlace || isExpected || isOfNobody),
    async forgive(which: 'all' | 'shared') {
      await forgiveAttempt(doors, keys, since, which === 'all' ? keys : shared)
      await forgiveAttempt(doors, ofDay, today)
    },
  }
}

async function join(
  { doors, config, mqttPort }: Services,
  merchantId: string,
  request: AssociationRequest,
  now: Date,
): Promise<AssociationAnswer> {
  const next = newSecret()
  const { secret } = request
  const secrets = {
    next: hashOfSecret(next),
    has: (hash: string) => secret !== undefined && isSecret(secret, hash),
  }
  const associated = await doors.withSystem('associate machine', (db) =>
    associateMachine(db, merchantId, request, secrets, now),
  )
  if (!associated) throw new ProductError('AssociationRefused')
  const { mqttHost, mqttPort: port, mqttTls } = deviceAddresses(config, mqttPort)
  return AssociationAnswer.parse({
    serial: request.serial,
    secret: next,
    epoch: associated.epoch,
    mqtt: { host: mqttHost, port, tls: mqttTls },
  })
}
