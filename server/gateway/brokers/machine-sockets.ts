import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { deviceLimits } from '#contract/device-protocol.ts'
import type { OnceLog } from '../../log/once-log.ts'
import type { Budget } from '../budget.ts'
import { counted } from '../metrics.ts'
import { type CertificateFiles, readCertificate, renewCertificate } from './certificate.ts'
import { FrameGuard, type GuardRefusal } from './frame-guard.ts'
import type { Connections } from './machine-connections.ts'
import type { TransportEvents } from './transport.ts'

/** Room for a topic, packet id and will beside the payload. */
const guardLimits = {
  firstPacketBytes: 16 * 1024,
  publishBytes: deviceLimits.upBytes + 512,
  otherBytes: 16 * 1024,
  packetMs: 60_000,
}
/** How long a TLS handshake and the first packet may take. */
export const connectMs = 10_000

export interface BrokerSettings {
  host: string
  port: number
  maximumConnections: number
  /** With a certificate, the broker accepts TLS only. */
  certificate?: CertificateFiles | undefined
}

interface GuardParts {
  connections: Connections
  budget: Budget
  events: Pick<TransportEvents, 'oversized'>
  logOnce: OnceLog
}

/** Puts a guard before a socket: it limits packets and waits for room in the budget. */
export function guardsOf({ connections, budget, events, logOnce }: GuardParts) {
  const reserve = (guard: FrameGuard, bytes: number): (() => void) | null => {
    const serial = connections.serialOf(guard) ?? ''
    if (budget.hasRoom(serial)) return budget.take(serial, bytes)
    budget.whenRoom(() => {
      if (!guard.destroyed) guard.proceed()
    })
    return null
  }
  const refused = (guard: FrameGuard, refusal: GuardRefusal, bytes: number) => {
    const serial = connections.serialOf(guard)
    const address = guard.socket.remoteAddress
    counted.refusedConnections.inc({ reason: refusal })
    if (serial && refusal === 'oversized') events.oversized(serial, bytes)
    const key = `${refusal} ${serial ?? address ?? 'unknown'}`
    logOnce(key, { serial, address, bytes, refusal }, 'A connection was cut')
  }
  return (socket: Socket): FrameGuard => {
    const onRefusal = (refusal: GuardRefusal, bytes: number) => refused(guard, refusal, bytes)
    const guard = new FrameGuard(socket, guardLimits, { reserve, onRefusal })
    return guard
  }
}

/** Accepts connections over TCP, or TLS with a certificate. */
export async function listenForMachines(settings: BrokerSettings, welcome: (socket: Socket) => void, logOnce: OnceLog) {
  const { certificate, maximumConnections } = settings
  const sockets = new Set<Socket>()
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
  server.maxConnections = maximumConnections
  server.on('drop', () => {
    counted.refusedConnections.inc({ reason: 'tooMany' })
    logOnce('tooMany', { limit: maximumConnections }, 'The limit of MQTT connections is reached')
  })
  server.listen(settings.port, settings.host)
  await once(server, 'listening')
  const address = server.address()

  return {
    port: typeof address === 'object' && address ? address.port : settings.port,
    /** Accepts no new connections. */
    stop(): void {
      stopRenewing?.()
      server.close()
    },
    destroyAll(): void {
      for (const socket of sockets) socket.destroy()
    },
  }
}
