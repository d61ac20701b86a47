import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type Ack,
  AssociationRequest,
  type DeviceAnswer,
  deviceLimits,
  type Refusal,
  type RefusalCode,
  Serial,
} from '#contract/device-protocol.ts'
import { type ErrorCode, ProductError } from '#contract/errors.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import type { Config } from '../config.ts'
import type { Blobs } from '../files/blobs.ts'
import type { Vault } from '../secrets/vault.ts'
import { StoppedError } from '../threads/stopped.ts'
import { associate } from './association.ts'
import type { Gateway } from './gateway.ts'
import { createPins } from './pins.ts'
import { MachineGoneError } from './receiving/machine-gone.ts'
import { registerFileRoutes } from './updates/file-routes.ts'
import { registerScreenRoutes } from './updates/screen-routes.ts'

type OfSerial = { Params: { serial: string } }
type OfKind = { Params: { serial: string; kind: string } }

/** How long a request waits for the database before the machine must retry. */
const patienceMs = 30_000
/** The same while the gateway is overloaded: it is stored later, or sent again. */
const hurriedMs = 5_000
/** `Retry-After` of a 503 without an overload, such as during a restart. */
const retrySeconds = 10

/**
 * The device protocol over HTTP, for boxes without MQTT: the same payloads, and audit files unchanged. Bodies are read as
 * bytes, whatever their content type. Faults are thrown as ProductError, which the server's error handler presents.
 */
export function registerDeviceRoutes(
  app: FastifyInstance,
  gateway: Gateway,
  { config, doors, blobs, vault }: { config: Config; doors: Doors; blobs: Blobs; vault: Vault },
): void {
  const pins = createPins(config.secretKey)

  app.register(
    async (routes) => {
      routes.removeAllContentTypeParsers()
      routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      routes.addHook<unknown, { Params: { serial?: string } }>('onSend', async ({ params: { serial = '' } }, reply) => {
        reply.header('cache-control', 'no-store')
        if (reply.statusCode === 503) reply.header('retry-after', gateway.overload.seconds(serial) || retrySeconds)
        if (reply.statusCode === 401) reply.header('www-authenticate', 'Basic realm="Gettone devices", charset="UTF-8"')
      })
      const callers = new WeakMap<FastifyRequest, KnownMachine>()
      // Runs before the body is read, so that a stranger cannot make us store a megabyte.
      const signIn = async (request: FastifyRequest<{ Params: { serial: string } }>) => {
        const { seconds, isWaiting } = gateway.overload
        const { serial } = request.params
        // Its earlier message waits in the queue; a second one would only make the queue longer.
        if (seconds(serial) > 0 && isWaiting(serial)) throw new ProductError('ServiceUnavailable')
        callers.set(request, await machineOf(gateway, request))
        if (!gateway.hasRoom(serial)) throw new ProductError('ServiceUnavailable')
      }
      const callerOf = (request: FastifyRequest) => callers.get(request) as KnownMachine

      routes.post('/associate', { bodyLimit: 4096 }, async (request): Promise<unknown> => {
        const read = AssociationRequest.safeParse(jsonOf(request.body))
        if (!read.success) throw invalid(read.error.issues.map(({ path, message }) => [path.join('.'), message]))
        const services = { doors, config, pins, mqttPort: gateway.mqttPort }
        const answer = await associate(services, read.data, request.ip)
        await gateway.renewed(answer.serial, answer.secret).catch((error: unknown) => {
          request.log.warn({ error, serial: answer.serial }, 'The broker did not receive a new secret')
          throw new ProductError('ServiceUnavailable')
        })
        return answer
      })

      routes.post<OfKind>(
        '/:serial/:kind',
        {
          bodyLimit: deviceLimits.auditBytes,
          onRequest: signIn,
        },
        async (request): Promise<DeviceAnswer> => {
          const machine = callerOf(request)
          const { kind, serial } = request.params
          if (!kindPattern.test(kind)) throw new ProductError('NotFound')
          const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          const patience = gateway.overload.seconds(serial) > 0 ? hurriedMs : patienceMs
          const { answer, refused } = await inTime(gateway.receive(machine, kind, payload), patience)
          if (refused.length > 0) throw refusal(refused, answer.ack)
          return answer
        },
      )

      registerScreenRoutes(routes, { doors, blobs, vault, config, signIn, callerOf })
      registerFileRoutes(routes, { doors, blobs, vault }, { signIn, callerOf })

      routes.get<OfSerial>('/:serial/commands', { onRequest: signIn }, (request) =>
        inTime(gateway.waiting(callerOf(request))),
      )
    },
    { prefix: '/device/v1' },
  )
}

/** A known kind, or a kind of newer firmware. */
const kindPattern = /^[A-Za-z][A-Za-z0-9-]{0,39}$/

const codeOf: Record<RefusalCode, ErrorCode> = {
  notJson: 'ValidationFailed',
  invalid: 'ValidationFailed',
  invalidItem: 'ValidationFailed',
  invalidField: 'ValidationFailed',
  unknownKind: 'ValidationFailed',
  oversized: 'PayloadTooLarge',
  staleEpoch: 'StaleEpoch',
  tooManyGaps: 'TooManyGaps',
  noRoom: 'ServiceUnavailable',
}

/** Nothing of the message was stored: which items, why, and the machine's current journal. */
function refusal(refused: readonly Refusal[], ack: Ack): ProductError {
  // Items that the server has set aside are done, so the machine must not retry for them.
  const { code } = refused.find(({ kept }) => kept) ?? (refused[0] as Refusal)
  const isOfNobody = refused.every(({ code, seqs, kept }) => code === 'unknownKind' && seqs.length === 0 && !kept)
  if (isOfNobody) return new ProductError('NotFound')
  const errors = refused.map(({ seqs, code, reason, kept }) => ({
    path: seqs.length > 0 || code === 'invalidItem' ? 'items' : '',
    code,
    message: reason,
    seqs,
    kept,
  }))
  return new ProductError(codeOf[code], { errors, ack })
}

const invalid = (faults: [path: string, message: string][]) =>
  new ProductError('ValidationFailed', {
    errors: faults.map(([path, message]) => ({ path, code: 'invalid', message })),
  })

function jsonOf(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    throw invalid([['', 'The body is not JSON']])
  }
}

/** The machine of a path, signed in with its serial and secret (RFC 7617). A wrong serial gets the same refusal. */
async function machineOf(gateway: Gateway, request: FastifyRequest<OfSerial>): Promise<KnownMachine> {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]{1,400})$/i.exec(request.headers.authorization ?? '') ?? []
  const [, serial = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const isOwn = Serial.safeParse(serial).success && serial === request.params.serial
  const machine = isOwn ? await inTime(gateway.authenticate(serial, secret)) : null
  if (machine) return machine
  throw new ProductError('Unauthorized')
}

/** If the database is too slow, the machine must retry later, and keeps its data until then. */
async function inTime<T>(work: Promise<T>, patience = patienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProductError('ServiceUnavailable')), patience)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    const code: ErrorCode | null =
      error instanceof StoppedError ? 'ServiceUnavailable' : error instanceof MachineGoneError ? 'Unauthorized' : null
    throw code ? new ProductError(code) : error
  } finally {
    clearTimeout(timer)
  }
}
