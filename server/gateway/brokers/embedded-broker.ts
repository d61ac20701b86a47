import { Aedes, type PublishPacket } from 'aedes'
import { downTopic } from '#contract/device-protocol.ts'
import { type AccessParts, publishingOf, signInOf, subscribingOf } from './machine-access.ts'
import { createConnections, isSubscribed } from './machine-connections.ts'
import { type BrokerSettings, connectMs, guardsOf, listenForMachines } from './machine-sockets.ts'
import { publishFrame } from './publish-frame.ts'
import type { Transport } from './transport.ts'

/** Above this much unsent data a machine gets no more messages. They are sent again later. */
const unreadBytes = 256 * 1024

/**
 * Messages of machines end here: nothing is forwarded, retained or stored for subscribers. Only the broker's own heartbeat
 * circulates. Without it, the broker considers itself dead and publishes the wills of all connections.
 */
class MachinesBroker extends Aedes {
  override publish(packet: PublishPacket, client: unknown, done?: (error?: Error) => void): void {
    const call = typeof client === 'function' ? (client as (error?: Error) => void) : done
    if (packet.topic === `$SYS/${this.id}/heartbeat`) super.publish(packet, call ?? (() => {}))
    else if (call) setImmediate(call)
  }
}

/** The broker for the connections of `parts`, with their events. */
async function openBroker(parts: AccessParts): Promise<Aedes> {
  const { connections, events } = parts
  const broker = new MachinesBroker({
    connectTimeout: connectMs,
    drainTimeout: 30_000,
    queueLimit: 10,
    maxInflightInbound: 32,
    maxTopicLevels: 10,
    ...signInOf(parts),
    authorizePublish: publishingOf(parts),
    authorizeSubscribe: subscribingOf(parts),
  })
  await broker.listen()
  broker.on('clientReady', (client) => {
    if (!connections.isStopping()) connections.ofClient(client)?.guard.open()
  })
  broker.on('subscribe', (_, client) => {
    const connection = connections.ofClient(client)
    if (connection) events.listening(connection.serial)
  })
  broker.on('unsubscribe', (topics, client) => {
    for (const topic of topics) connections.ofClient(client)?.filters.delete(topic)
  })
  broker.on('ping', (_, client) => {
    const connection = connections.ofClient(client)
    if (connection) events.alive(connection.serial)
  })
  // Each error is logged where it is refused. The listener is required: an unhandled error event ends the process.
  broker.on('clientError', () => {})
  broker.on('connectionError', () => {})
  return broker
}

/**
 * The MQTT broker inside the gateway. A machine signs in with its serial and secret. It publishes and subscribes under its
 * own serial only. It gets a PUBACK when its message is committed.
 */
export async function startEmbeddedBroker(
  settings: BrokerSettings,
  accessParts: Omit<AccessParts, 'connections'>,
): Promise<Transport> {
  const connections = createConnections(accessParts.events)
  const parts = { ...accessParts, connections }
  const broker = await openBroker(parts)
  const guardOf = guardsOf(parts)
  const listener = await listenForMachines(settings, (socket) => broker.handle(guardOf(socket)), accessParts.logOnce)

  const disconnect = (serial: string) => {
    for (const { guard } of connections.of(serial)) guard.destroy()
  }
  return {
    port: listener.port,
    isReachable: (serial) => connections.of(serial).some(({ filters, client }) => filters.size > 0 && !client.closed),
    send(serial, kind, payload) {
      const topic = downTopic(serial, kind)
      for (const connection of connections.of(serial)) {
        const { client, guard } = connection
        if (client.closed || !isSubscribed(connection, kind)) continue
        if (kind !== 'ack')
          client.publish({ cmd: 'publish', topic, payload, qos: 1, dup: false, retain: false }, () => {})
        // QoS 0 needs no bookkeeping by the broker, and most messages get such an answer.
        else if (guard.writableLength <= unreadBytes) guard.write(publishFrame(topic, payload))
      }
    },
    disconnect,
    // Its secret is deleted from the database, so it cannot reconnect.
    dismiss: disconnect,
    // The broker queries the database for every secret.
    admit: async () => {},
    async stopReading() {
      listener.stop()
      connections.stopReading()
    },
    async close() {
      await new Promise<void>((resolve) => broker.close(resolve))
      listener.destroyAll()
    },
  }
}
