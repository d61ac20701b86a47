import type { DownKind, UpKind } from '#contract/device-protocol.ts'

/** Messages to machines over MQTT, with any broker. */
export interface Transport {
  /** Where machines connect; the broker's own port when it is ours. */
  port: number
  /** Whether a message would reach the machine now, as far as one can know. */
  isReachable(serial: string): boolean
  /** Sends to a connected machine; nothing is kept for an offline one. */
  send(serial: string, kind: DownKind, payload: string): void
  /** Closes the machine's connections: its secret has changed. */
  disconnect(serial: string): void
  /** The machine was deleted: closes its connections and removes its account. */
  dismiss(serial: string): void
  /** The machine has a new secret; resolves when it can connect with it. Rejects when the broker, for now, does not make that possible. */
  admit(serial: string, secret: string): Promise<void>
  /** Takes in nothing more, and lets what is on its way be answered. */
  stopReading(): Promise<void>
  close(): Promise<void>
}

export interface TransportEvents {
  /** Resolves when the message may be acknowledged. Rejects when it must not be. */
  message(serial: string, kind: UpKind, payload: Uint8Array, isRepeated: boolean): Promise<void>
  /** Something arrived on the machine's own topics of a kind that does not exist. */
  unknownKind(serial: string, kind: string, payload: Uint8Array): Promise<void>
  /** The machine announced a message that is larger than any may be; it was not read. */
  oversized(serial: string, bytes: number): void
  /** A machine listens to what is sent to it. */
  listening(serial: string): void
  /** A machine gave a sign of life that is no message. */
  alive(serial: string): void
  /** The machine's last connection is gone. */
  gone(serial: string): void
}
