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
  takeCode,
} from '#database/machines/association-attempt.ts'
import { networkOf } from '#domain/frame/network-site.ts'
import { isHeard } from '#domain/machines/association-attempt.ts'
import { serialKey } from '#domain/machines/serial.ts'
import type { Config } from '../config.ts'
import { hashOfSecret, isSecret, newSecret } from '../secrets/hash.ts'
import type { Pins } from './pins.ts'

const stretchMs = 15 * 60_000
const dayMs = 24 * 3_600_000

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
 * Associates an unknown machine with the merchant of its PIN or one-time code, and gives a known machine a new secret in exchange for its
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
  const code = request.code === undefined ? null : pins.digestOf(`code ${request.code}`)
  const attempt = await attemptOf(doors, { digest, code, serial: request.serial, place, now })
  const { secret } = request
  // A secret has 192 random bits and cannot be guessed, so the attempt is not counted and the PIN is ignored.
  if (secret !== undefined && attempt.ownerId !== null && attempt.hashes.some((hash) => isSecret(secret, hash)))
    return join(services, attempt.ownerId, request, now)
  // Neither can a code of twelve digits that ends soon: it is compared however many wrong ones arrive.
  if (code !== null && attempt.codeOf !== null) return join(services, attempt.codeOf, request, now, code)
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

const inADay = (key: string) => `${key} in a day`

/** Counts an attempt, and decides by the limits whether its PIN is compared at all. */
async function judge(
  doors: Doors,
  request: AssociationRequest,
  network: string,
  { merchantId, isKnownPlace, expectedBy, ownerId }: Attempt,
  now: Date,
) {
  // Other capitals are no other serial, so they give no further attempts.
  const serial = serialKey(request.serial)
  const byExpecting = expectedBy.map((id) => `expected ${id}`)
  const since = new Date(Math.floor(now.getTime() / stretchMs) * stretchMs)
  const today = new Date(Math.floor(now.getTime() / dayMs) * dayMs)
  const aimedAt = [...new Set([...expectedBy, ...(ownerId === null ? [] : [ownerId])])].map((id) => `merchant ${id}`)
  const attemptKeys = [`serial ${serial} from ${network}`, `address ${network}`]
  // Shared limits count only attempts within the network's own limits, so that a few networks cannot use up the shared
  // limit.
  const shared = [`serial ${serial}`, 'everywhere', ...aimedAt]
  const keys = [...attemptKeys, ...shared, ...byExpecting]
  const ofDay = ['everywhere', ...byExpecting]
  const counts = await countAttempt(doors, keys, since)
  const inDay = await countAttempt(doors, ofDay.map(inADay), today)
  const count = (key: string) => counts[keys.indexOf(key)] ?? 0
  const expecting = `expected ${merchantId}`
  const [fromNetwork, byNetwork] = attemptKeys.map(count)
  const facts = { isKnownPlace, isExpected: merchantId !== null && expectedBy.includes(merchantId) }
  return {
    isHeard: isHeard(facts, {
      fromNetwork: fromNetwork ?? 0,
      byNetwork: byNetwork ?? 0,
      bySerial: count(`serial ${serial}`),
      everywhere: count('everywhere'),
      everywhereInDay: inDay[0] ?? 0,
      byMerchant: aimedAt.map(count),
      expected: count(expecting),
      expectedInDay: inDay[ofDay.indexOf(expecting)] ?? 0,
    }),
    /** Attempts at expected serials stay counted unless the PIN is correct: their limit alone stops a guesser. */
    async forgive(which: 'all' | 'shared') {
      await forgiveAttempt(doors, keys, since, which === 'all' ? keys : shared)
      await forgiveAttempt(
        doors,
        ofDay.map(inADay),
        today,
        which === 'all' ? ofDay.map(inADay) : [inADay('everywhere')],
      )
    },
  }
}

async function join(
  { doors, config, mqttPort }: Services,
  merchantId: string,
  request: AssociationRequest,
  now: Date,
  code: string | null = null,
): Promise<AssociationAnswer> {
  const next = newSecret()
  const { secret } = request
  const secrets = {
    next: hashOfSecret(next),
    has: (hash: string) => secret !== undefined && isSecret(secret, hash),
  }
  const associated = await doors.withSystem('associate machine', async (db) => {
    // Of two simultaneous uses of a code, one finds it.
    if (code !== null && !(await takeCode(db, code))) return null
    return associateMachine(db, merchantId, request, secrets, now)
  })
  if (!associated) throw new ProductError('AssociationRefused')
  const { mqttHost, mqttPort: port, mqttTls } = deviceAddresses(config, mqttPort)
  return AssociationAnswer.parse({
    serial: request.serial,
    secret: next,
    epoch: associated.epoch,
    mqtt: { host: mqttHost, port, tls: mqttTls },
  })
}
