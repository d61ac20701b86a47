import type { Aedes, AuthenticateError, Client, ConnectPacket } from 'aedes'
import { Serial, topicRoot, UpKind } from '#contract/device-protocol.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import type { OnceLog } from '../../log/once-log.ts'
import type { Budget } from '../budget.ts'
import { counted } from '../metrics.ts'
import type { FrameGuard } from './frame-guard.ts'
import { type Connections, maySubscribe } from './machine-connections.ts'
import type { TransportEvents } from './transport.ts'

export interface AccessParts {
  authenticate(serial: string, secret: Uint8Array): Promise<KnownMachine | null>
  budget: Budget
  events: TransportEvents
  logOnce: OnceLog
  connections: Connections
}

/** How machines connect: with their serial and secret. */
export function signInOf({ authenticate, connections, logOnce }: AccessParts) {
  const requested = new WeakMap<Client, ConnectPacket>()
  const preConnect: Aedes['preConnect'] = (client, packet, callback) => {
    requested.set(client, { ...packet, clientId: packet.clientId })
    // Client ids are unique per machine only. The serial is added so that no machine can disconnect another.
    packet.clientId = `${packet.username ?? ''}:${packet.clientId || Math.random().toString(36).slice(2)}`
    // The broker keeps no session for offline machines; missed messages are sent again from the database.
    packet.clean = true
    callback(null, true)
  }
  const signIn: Aedes['authenticate'] = (client, username, password, callback) => {
    const refused = refusalOf(requested.get(client), username)
    const refuse = (reason: string, returnCode: number) => {
      counted.refusedConnections.inc({ reason })
      const serial = username?.slice(0, 60)
      const key = reason === 'databaseAway' ? reason : `${reason} ${serial}`
      logOnce(key, { serial, reason }, 'A connection was refused')
      callback(Object.assign(new Error(reason), { returnCode }) as AuthenticateError, false)
    }
    if (refused || username === undefined) return refuse(refused ?? 'noCredentials', refused === 'clientId' ? 2 : 4)
    authenticate(username, password ?? Buffer.alloc(0)).then(
      (machine) => {
        if (!machine) return refuse('wrongCredentials', 4)
        connections.admit(username, client)
        callback(null, true)
      },
      () => refuse('databaseAway', 3),
    )
  }
  return { preConnect, authenticate: signIn }
}

/** Passes a machine's messages on, and answers when they are committed. */
export function publishingOf({ connections, budget, events, logOnce }: AccessParts): Aedes['authorizePublish'] {
  const holdUntilRoom = holdsOf(connections, budget)
  return (client, packet, callback) => {
    const connection = client && connections.ofClient(client)
    if (!connection) return callback(new Error('Nobody may publish here'))
    const { serial, guard } = connection
    const kind = kindOf(packet.topic, serial)
    if (kind === null) {
      const topic = packet.topic.slice(0, 200)
      logOnce(`topic ${serial}`, { serial, topic }, 'A machine published on a foreign topic')
      counted.refusedConnections.inc({ reason: 'topic' })
      return callback(new Error('A machine publishes under its own serial alone'))
    }
    // The machine is still connected: ignore the will of its replaced connection.
    const isWill = client.closed
    if (isWill && connections.of(serial).length > 1) return callback(null)
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
    const release = budget.take(serial, payload.length + 256)
    if (!budget.hasRoom(serial)) holdUntilRoom(serial, guard)
    const parsedKind = UpKind.safeParse(kind)
    const handled = parsedKind.success
      ? events.message(serial, parsedKind.data, payload, packet.dup === true)
      : events.unknownKind(serial, kind, payload)
    handled
      .then(
        () => callback(null),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      )
      .finally(() => {
        release()
        // A QoS 2 message waits in the broker for its release; its payload is not needed there.
        packet.payload = Buffer.alloc(0)
      })
  }
}

/** Lets a machine subscribe to its own topics. */
export const subscribingOf =
  ({ connections, logOnce }: AccessParts): Aedes['authorizeSubscribe'] =>
  (client, subscription, callback) => {
    const connection = connections.ofClient(client)
    if (!connection || !maySubscribe(connection.serial, subscription.topic)) {
      const subject = { serial: connection?.serial, topic: subscription.topic.slice(0, 200) }
      logOnce(`subscribe ${connection?.serial}`, subject, 'A machine subscribed to a foreign topic')
      return callback(null, null)
    }
    connection.filters.add(subscription.topic)
    callback(null, subscription)
  }

/** Stops reading from a connection until the budget has room for its machine. */
function holdsOf(connections: Connections, budget: Budget) {
  const held = new Set<FrameGuard>()
  return (serial: string, guard: FrameGuard): void => {
    if (held.has(guard)) return
    held.add(guard)
    guard.hold()
    const look = () => {
      if (guard.destroyed) return held.delete(guard)
      if (!budget.hasRoom(serial) || connections.isStopping()) return budget.whenRoom(look)
      held.delete(guard)
      guard.release()
    }
    budget.whenRoom(look)
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
  const upTopics = `${topicRoot}/${serial}/up/`
  const kind = topic.startsWith(upTopics) ? topic.slice(upTopics.length) : ''
  return /^[A-Za-z]{1,20}$/.test(kind) ? kind : null
}
