import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import mqtt from 'mqtt'
import { downTopic, Serial, topicRoot, UpKind } from '#contract/device-protocol.ts'
import { createBackoff } from '#server/retry/backoff.ts'
import { type Log, logFailuresOnce, type OnceLog } from '../../log/once-log.ts'
import type { Budget } from '../budget.ts'
import { createBrokerAccounts } from './broker-accounts.ts'
import type { Transport, TransportEvents } from './transport.ts'

const startMs = 5000
const reconnectMs = { leastMs: 1000, mostMs: 5000 }
/**
 * The broker keeps the shared messages of an offline gateway this long. A gateway that reconnects in time gets them;
 * otherwise the machines send them again to other gateways.
 */
const sessionSeconds = 10
/** Time-out for a stalled broker at each step of the shutdown. */
const farewellMs = 2000

const patiently = (step: Promise<unknown>) =>
  Promise.race([step.catch(() => {}), pause(farewellMs, undefined, { ref: false })])

interface ExternalBrokerParts {
  budget: Budget
  events: TransportEvents
  log: Log
  logOnce: OnceLog
  port: number
  name: string
  caFile?: string | undefined
  /** Whether the gateway manages machines' accounts through the broker's dynamic security plugin. */
  givesAccounts: boolean
}

const connectTo = (url: string, { name, caFile }: ExternalBrokerParts) =>
  mqtt.connect(url, {
    // Constant across restarts, so that messages held for this gateway are delivered to it.
    clientId: `gettone-gateway-${hostname()}-${name}`,
    clean: false,
    // Shared subscriptions and expiring sessions need MQTT 5. Machines may use 3.1.1 on the same broker.
    protocolVersion: 5,
    properties: { sessionExpiryInterval: sessionSeconds },
    ...(caFile && { ca: readFileSync(caFile) }),
    reconnectPeriod: reconnectMs.leastMs,
    resubscribe: true,
    keepalive: 30,
  })

/**
 * An external broker, such as Mosquitto. Its users and access rules isolate machines (docs/device-protocol.md), and several
 * gateways share the messages. The broker acknowledges before the gateway sees a message, so the machines' journals prevent
 * data loss. The gateway takes a message from the broker only when it has room for it.
 */
export async function connectExternalBroker(url: string, parts: ExternalBrokerParts): Promise<Transport> {
  const { budget, events, log, logOnce } = parts
  const client = connectTo(url, parts)
  const topic = `$share/gettone/${topicRoot}/+/up/+`
  const accounts = parts.givesAccounts ? createBrokerAccounts(client, topic, logFailuresOnce(parts.logOnce)) : undefined
  const inWork = new Set<Promise<unknown>>()
  let isStopping = false

  client.on('error', (error) => logOnce('broker', { error: error.message }, 'The broker cannot be reached'))
  // mqtt.js makes one attempt at a time, and waits this long before the next.
  const backoff = createBackoff(reconnectMs)
  client.on('reconnect', () => {
    client.options.reconnectPeriod = backoff.failed()
  })
  client.on('connect', () => {
    backoff.worked()
    client.options.reconnectPeriod = reconnectMs.leastMs
    log.info({ broker: new URL(url).host }, 'Connected to the broker')
  })

  // mqtt.js takes the next message after this callback, so a wait here makes the broker wait.
  client.handleMessage = (packet, done) => {
    if (accounts?.hear(packet.topic, Buffer.from(packet.payload))) return done()
    const [, , serial = '', direction, kind = ''] = packet.topic.split('/')
    if (isStopping || direction !== 'up' || !Serial.safeParse(serial).success) return done()
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
    // All machines share this connection, so none may stop it. What is left out here is not acknowledged: the machine sends it again.
    if (budget.isAlone(serial)) return done()
    const release = budget.take(serial, payload.length + 256)
    const parsedKind = UpKind.safeParse(kind)
    const handled = parsedKind.success
      ? events.message(serial, parsedKind.data, payload, packet.dup === true)
      : events.unknownKind(serial, kind.slice(0, 20), payload)
    const work = handled
      .catch((error: unknown) => log.debug({ error, serial }, 'A message was not stored'))
      .finally(() => {
        release()
        inWork.delete(work)
      })
    inWork.add(work)
    const next = () => {
      if (budget.hasRoom(serial) || budget.isAlone(serial) || isStopping) done()
      else budget.whenRoom(next)
    }
    next()
  }
  const subscribed = accounts
    ? accounts.ready
    : client
        .subscribeAsync(topic, { qos: 1 })
        .catch((error: Error) => logOnce('subscribe', { error: error.message }, 'The broker refused the subscription'))
  // An unavailable broker does not stop the rest of the server from starting.
  await Promise.race([subscribed, pause(startMs, undefined, { ref: false })])

  return {
    port: parts.port,
    // Only the broker knows the subscribers; presence shows who should be one.
    isReachable: () => client.connected,
    send(serial, kind, payload) {
      client.publish(downTopic(serial, kind), payload, { qos: 1 })
    },
    disconnect() {},
    dismiss(serial) {
      accounts?.remove(serial).catch((error: Error) => {
        logOnce(
          `remove ${serial}`,
          { serial, error: error.message },
          'The account of a deleted machine stays on the broker',
        )
      })
    },
    admit: async (serial, secret) => accounts?.put(serial, secret),
    async stopReading() {
      // After the unsubscription the broker gives this gateway's share to the others.
      await patiently(client.unsubscribeAsync(topic))
      await Promise.allSettled(inWork)
      isStopping = true
    },
    async close() {
      // On a broken connection mqtt.js waits for acknowledgements that never arrive.
      const closed = new Promise<void>((resolve) => client.once('close', resolve))
      if (client.connected) await patiently(Promise.race([client.endAsync(), closed]))
      else client.end(true)
      client.stream.destroy()
    },
  }
}
