import type { Client } from 'aedes'
import { type DownKind, downKinds, downTopic, topicRoot } from '#contract/device-protocol.ts'
import { counted } from '../metrics.ts'
import type { FrameGuard } from './frame-guard.ts'
import type { TransportEvents } from './transport.ts'

/** A machine has one connection, and a technician's tools a few more. */
const connectionsPerMachine = 8

export interface Connection {
  serial: string
  client: Client
  guard: FrameGuard
  /** The topics it subscribed to. */
  filters: Set<string>
}
export type Connections = ReturnType<typeof createConnections>

/** The connections of signed-in machines, by serial and by the broker's client. */
export function createConnections(events: Pick<TransportEvents, 'alive' | 'gone'>) {
  const bySerial = new Map<string, Connection[]>()
  const byClient = new WeakMap<Client, Connection>()
  let isStopping = false

  const leave = (connection: Connection) => {
    const { serial } = connection
    counted.connections.dec()
    const left = (bySerial.get(serial) ?? []).filter((each) => each !== connection)
    if (left.length > 0) bySerial.set(serial, left)
    else {
      bySerial.delete(serial)
      if (!isStopping) events.gone(serial)
    }
  }
  const of = (serial: string): readonly Connection[] => bySerial.get(serial) ?? []

  return {
    /** A machine has signed in. */
    admit(serial: string, client: Client): void {
      const guard = client.conn as FrameGuard
      const connection: Connection = { serial, client, guard, filters: new Set() }
      byClient.set(client, connection)
      const all = [...of(serial), connection]
      bySerial.set(serial, all)
      counted.connections.inc()
      guard.once('close', () => leave(connection))
      if (all.length > connectionsPerMachine) all[0]?.guard.destroy()
      events.alive(serial)
    },
    of,
    /** A client's connection; undefined until it has signed in. */
    ofClient: (client: Client) => byClient.get(client),
    serialOf(guard: FrameGuard): string | undefined {
      const { client } = guard as FrameGuard & { client?: Client }
      return client && byClient.get(client)?.serial
    },
    isStopping: () => isStopping,
    /** Receives nothing more, and reports no machine as gone. */
    stopReading(): void {
      isStopping = true
      for (const all of bySerial.values()) for (const { guard } of all) guard.hold()
    },
  }
}

/** Filters for all topics to a machine. */
const every = (serial: string) => [`${topicRoot}/${serial}/down/#`, `${topicRoot}/${serial}/down/+`]

/** Whether a machine may subscribe to a filter: only to its own topics. */
export const maySubscribe = (serial: string, filter: string): boolean =>
  every(serial).includes(filter) || downKinds.some((kind) => filter === downTopic(serial, kind))

/** Whether a connection is subscribed to a kind. */
export const isSubscribed = ({ filters, serial }: Connection, kind: DownKind): boolean =>
  filters.has(downTopic(serial, kind)) || every(serial).some((filter) => filters.has(filter))
