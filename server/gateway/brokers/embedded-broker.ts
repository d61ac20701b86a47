import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Aedes, type AuthenticateError, type Client, type ConnectPacket, type PublishPacket } from 'aedes'
import {
  type DownKind,
  deviceLimits,
  downKinds,
  downTopic,
  Serial,
  topicRoot,
  UpKind,
} from '#contract/device-protocol.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import type { Budget } from '../budget.ts'
import type { OnceLog } from '../log.ts'
import { counted } from '../metrics.ts'
import { type CertificateFiles, readCertificate, renewCertificate } from './certificate.ts'
import { FrameGuard, type GuardRefusal } from './frame-guard.ts'
import { publishFrame } from './publish-frame.ts'
import type { Transport, TransportEvents } from './transport.ts'

/** Room for a topic, packet id and will beside the payload. */
const guardLimits = {
  firstPacketBytes: 16 * 1024,
  publishBytes: deviceLimits.upBytes + 512,
  otherBytes: 16 * 1024,
  packetMs: 60_000,
}
const connectMs = 10_000
/** A machine has one connection, and a technician's tools a few more. */
const connectionsPerMachine = 8
/** Above this much unsent data a machine gets no more messages. They are sent again later. */
const unreadBytes = 256 * 1024

type Connection = { client: Client; guard: FrameGuard; filters: Set<string> }

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

export interface BrokerSettings {
  host: string
  port: number
  maximumConnections: number
  /** With a certificate, the broker accepts TLS only. */
  certificate?: CertificateFiles | undefined
}

/**
 * The MQTT broker inside the gateway. A machine signs in with its serial and secret. It publishes and subscribes under its
 * own serial only. It gets a PUBACK when its message is committed.
 */
export async function startEmbeddedBroker(
  settings: BrokerSettings,
  parts: {
    authenticate(serial: string, secret: Uint8Array): Promise<KnownMachine | null>
    budget: Budget
    events: TransportEvents
    logOnce: OnceLog
  },
): Promise<Transport> {
  const { budget, events, logOnce } = parts
  const connections = new Map<string, Connection[]>()
  const ofClient = new WeakMap<Client, { serial: string; connection: Connection }>()
  const asked = new WeakMap<Client, ConnectPacket>()
  let isStopping = false

  const broker = new MachinesBroker({
    connectTimeout: connectMs,
    drainTimeout: 30_000,
    queueLimit: 10,
    maxInflightInbound: 32,
    maxTopicLevels: 10,

    preConnect(client, packet, callback) {
      asked.set(client, { ...packet, clientId: packet.clientId })
      // Client ids are unique per machine only. The serial is added so that no machine can disconnect another.
      packet.clientId = `${packet.username ?? ''}:${packet.clientId || Math.random().toString(36).slice(2)}`
      // The broker keeps no session for offline machines; missed messages are sent again from the database.
      packet.clean = true
      callback(null, true)
    },

    authenticate(client, username, password, callback) {
      const packet = asked.get(client)
      const refused = refusalOf(packet, username)
      const refuse = (reason: string, returnCode: number) => {
        counted.refusedConnections.inc({ reason })
        const serial = username?.slice(0, 60)
        logOnce(
          reason === 'databaseAway' ? reason : `${reason} ${serial}`,
          { serial, reason },
          'A connection was refused',
        )
        callback(Object.assign(new Error(reason), { returnCode }) as AuthenticateError, false)
      }
      if (refused || username === undefined) return refuse(refused ?? 'noCredentials', refused === 'clientId' ? 2 : 4)
      parts.authenticate(username, password ?? Buffer.alloc(0)).then(
        (machine) => {
          if (!machine) return refuse('wrongCredentials', 4)
          admit(username, client)
          callback(null, true)
        },
        () => refuse('databaseAway', 3),
      )
    },

    authorizePublish(client, packet, callback) {
      const own = client && ofClient.get(client)
      if (!own) return callback(new Error('Nobody may publish here'))
      const { serial, connection } = own
      const kind = kindOf(packet.topic, serial)
      if (kind === null) {
        logOnce(
          `topic ${serial}`,
          { serial, topic: packet.topic.slice(0, 200) },
          'A machine published on a foreign topic',
        )
        counted.refusedConnections.inc({ reason: 'topic' })
        return callback(new Error('A machine publishes under its own serial alone'))
      }
      // The will of a replaced connection says nothing about the machine.
      const isWill = client.closed
      if (isWill && (connections.get(serial)?.length ?? 0) > 1) return callback(null)
      const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
      const release = budget.take(serial, payload.length + 256)
      if (!budget.hasRoom(serial)) holdUntilRoom(serial, connection.guard)
      const known = UpKind.safeParse(kind)
      const taken = known.success
        ? events.message(serial, known.data, payload, packet.dup === true)
        : events.unknownKind(serial, kind, payload)
      taken
        .then(
          () => callback(null),
          (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
        )
        .finally(() => {
          release()
          // A QoS 2 message waits in the broker for its release; its payload is not needed there.
          packet.payload = Buffer.alloc(0)
        })
    },

    authorizeSubscribe(client, subscription, callback) {
      const own = ofClient.get(client)
      const isAllowed = own !== undefined && mayListen(own.serial, subscription.topic)
      if (!isAllowed) {
        logOnce(
          `subscribe ${own?.serial}`,
          { serial: own?.serial, topic: subscription.topic.slice(0, 200) },
          'A machine subscribed to a foreign topic',
        )
        return callback(null, null)
      }
      own.connection.filters.add(subscription.topic)
      callback(null, subscription)
    },
  })
  await broker.listen()

  broker.on('clientReady', (client) => {
    const own = ofClient.get(client)
    if (own && !isStopping) own.connection.guard.open()
  })
  broker.on('subscribe', (_, client) => {
    const own = ofClient.get(client)
    if (own) events.listening(own.serial)
  })
  broker.on('unsubscribe', (topics, client) => {
    for (const topic of topics) ofClient.get(client)?.connection.filters.delete(topic)
  })
  broker.on('ping', (_, client) => {
    const own = ofClient.get(client)
    if (own) events.alive(own.serial)
  })
  // Each error is logged where it is refused. The listener is required: an unhandled error event ends the process.
  broker.on('clientError', () => {})
  broker.on('connectionError', () => {})

  function admit(serial: string, client: Client): void {
    const guard = client.conn as FrameGuard
    const connection: Connection = { client, guard, filters: new Set() }
    ofClient.set(client, { serial, connection })
    const all = connections.get(serial) ?? []
    all.push(connection)
    connections.set(serial, all)
    counted.connections.inc()
    guard.once('close', () => leave(serial, connection))
    if (all.length > connectionsPerMachine) all[0]?.guard.destroy()
    events.alive(serial)
  }

  function leave(serial: string, connection: Connection): void {
    counted.connections.dec()
    const left = (connections.get(serial) ?? []).filter((each) => each !== connection)
    if (left.length > 0) connections.set(serial, left)
    else {
      connections.delete(serial)
      if (!isStopping) events.gone(serial)
    }
  }

  const held = new Set<FrameGuard>()
  function holdUntilRoom(serial: string, guard: FrameGuard): void {
    if (held.has(guard)) return
    held.add(guard)
    guard.hold()
    const look = () => {
      if (guard.destroyed) return held.delete(guard)
      if (!budget.hasRoom(serial) || isStopping) return budget.whenRoom(look)
      held.delete(guard)
      guard.release()
    }
    budget.whenRoom(look)
  }

  const sockets = new Set<Socket>()
  const welcome = (socket: Socket) => {
    const onRefusal = (refusal: GuardRefusal, bytes: number) => refused(guard, refusal, bytes)
    const guard = new FrameGuard(socket, guardLimits, { reserve, onRefusal })
    broker.handle(guard)
  }
  const { certificate } = settings
  const tcp = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }
  const server = certificate
    ? createTlsServer({ ...tcp, ...readCertificate(certificate), handshakeTimeout: connectMs }, welcome)
    : createServer(tcp, welcome)
  // Under TLS a connection exists before its handshake, and must be closed with the broker too.
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const stopRenewing = certificate && renewCertificate(server, certificate, logOnce)
  server.maxConnections = settings.maximumConnections
  server.on('drop', () => {
    counted.refusedConnections.inc({ reason: 'tooMany' })
    logOnce('tooMany', { limit: settings.maximumConnections }, 'The limit of MQTT connections is reached')
  })

  const serialOf = (guard: FrameGuard) => {
    const { client } = guard as FrameGuard & { client?: Client }
    return client ? ofClient.get(client)?.serial : undefined
  }

  function reserve(guard: FrameGuard, bytes: number): (() => void) | null {
    const serial = serialOf(guard) ?? ''
    if (budget.hasRoom(serial)) return budget.take(serial, bytes)
    budget.whenRoom(() => {
      if (!guard.destroyed) guard.proceed()
    })
    return null
  }

  function refused(guard: FrameGuard, refusal: GuardRefusal, bytes: number): void {
    const serial = serialOf(guard)
    counted.refusedConnections.inc({ reason: refusal })
    if (serial && refusal === 'oversized') events.oversized(serial, bytes)
    const who = serial ?? guard.socket.remoteAddress ?? 'unknown'
    logOnce(
      `${refusal} ${who}`,
      { serial, address: guard.socket.remoteAddress, bytes, refusal },
      'A connection was cut',
    )
  }

  const disconnect = (serial: string) => {
    for (const { guard } of connections.get(serial) ?? []) guard.destroy()
  }

  server.listen(settings.port, settings.host)
  await once(server, 'listening')
  const address = server.address()

  return {
    port: typeof address === 'object' && address ? address.port : settings.port,
    isReachable: (serial) =>
      (connections.get(serial) ?? []).some(({ filters, client }) => filters.size > 0 && !client.closed),
    send(serial, kind, payload) {
      const topic = downTopic(serial, kind)
      for (const { client, guard, filters } of connections.get(serial) ?? []) {
        if (client.closed || !hears(filters, serial, kind)) continue
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
      isStopping = true
      stopRenewing?.()
      server.close()
      for (const all of connections.values()) for (const { guard } of all) guard.hold()
    },
    async close() {
      await new Promise<void>((resolve) => broker.close(resolve))
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Why a CONNECT packet is refused, before its secret is compared. */
function refusalOf(packet: ConnectPacket | undefined, username: string | undefined): string | null {
  if (!Serial.safeParse(username).success) return 'serial'
  // The expression searches for control characters on purpose.
  if (!packet || packet.clientId.length > 128 || /[#+\u0000-\u001f\u007f]/.test(packet.clientId)) return 'clientId'
  if (packet.will && packet.will.topic !== `${topicRoot}/${username}/up/state`) return 'will'
  return null
}

/** The kind in a topic of the machine's own; null for any other topic. */
function kindOf(topic: string, serial: string): string | null {
  const own = `${topicRoot}/${serial}/up/`
  const kind = topic.startsWith(own) ? topic.slice(own.length) : ''
  return /^[a-z]{1,20}$/.test(kind) ? kind : null
}

const every = (serial: string) => [`${topicRoot}/${serial}/down/#`, `${topicRoot}/${serial}/down/+`]

const mayListen = (serial: string, filter: string): boolean =>
  every(serial).includes(filter) || downKinds.some((kind) => filter === downTopic(serial, kind))

const hears = (filters: ReadonlySet<string>, serial: string, kind: DownKind): boolean =>
  filters.has(downTopic(serial, kind)) || every(serial).some((filter) => filters.has(filter))
