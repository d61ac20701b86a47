import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import mqtt from 'mqtt'
import { downTopic, Serial, topicRoot, UpKind } from '#contract/device-protocol.ts'
import type { Budget } from './budget.ts'
import type { Log, OnceLog } from './log.ts'
import type { Transport, TransportEvents } from './transport.ts'

const startMs = 5000

/**
 * A broker that others run, such as Mosquitto. Its users and access rules keep machines apart (docs/device-protocol.md); several
 * gateways share the messages. The broker acknowledges before we see a message, so the machines' own journals are what nothing
 * is lost by; here a message is taken off the broker when there is room for it.
 */
export async function connectExternalBroker(
  url: string,
  parts: { budget: Budget; events: TransportEvents; log: Log; logOnce: OnceLog; port: number; name: string },
): Promise<Transport> {
  const { budget, events, log, logOnce } = parts
  const client = mqtt.connect(url, {
    // The same after a restart, so that what the broker holds for this gateway is not stranded.
    clientId: `gettone-gateway-${hostname()}-${parts.name}`,
    clean: false,
    reconnectPeriod: 1000,
    resubscribe: true,
    keepalive: 30,
  })
  const topic = `$share/gettone/${topicRoot}/+/up/+`
  const inWork = new Set<Promise<unknown>>()
  let isStopping = false

  client.on('error', (error) => logOnce('broker', { error: error.message }, 'The broker cannot be reached'))
  client.on('connect', () => log.info({ broker: new URL(url).host }, 'Connected to the broker'))

  // mqtt.js takes the next message when this calls back, so waiting here is what makes the broker wait.
  client.handleMessage = (packet, done) => {
    const [, , serial = '', direction, kind = ''] = packet.topic.split('/')
    if (isStopping || direction !== 'up' || !Serial.safeParse(serial).success) return done()
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
    const release = budget.take(serial, payload.length + 256)
    const known = UpKind.safeParse(kind)
    const taken = known.success
      ? events.message(serial, known.data, payload, packet.dup === true)
      : events.unknownKind(serial, kind.slice(0, 20), payload)
    const work = taken
      .catch((error: unknown) => log.debug({ error, serial }, 'A message was not stored'))
      .finally(() => {
        release()
        inWork.delete(work)
      })
    inWork.add(work)
    const next = () => {
      if (budget.hasRoom(serial) || isStopping) done()
      else budget.whenRoom(next)
    }
    next()
  }
  const subscribed = client
    .subscribeAsync(topic, { qos: 1 })
    .catch((error: Error) => logOnce('subscribe', { error: error.message }, 'The broker refused the subscription'))
  // A broker that is away does not keep the rest of the server from starting.
  await Promise.race([subscribed, pause(startMs, undefined, { ref: false })])

  return {
    port: parts.port,
    // The broker alone knows who listens; presence says who should.
    isReachable: () => client.connected,
    send(serial, kind, payload) {
      client.publish(downTopic(serial, kind), payload, { qos: 1 })
    },
    disconnect() {},
    async stopReading() {
      // Unsubscribed, the broker gives this gateway's part to the others.
      await client.unsubscribeAsync(topic).catch(() => {})
      await Promise.allSettled(inWork)
      isStopping = true
    },
    close: () => client.endAsync(),
  }
}
