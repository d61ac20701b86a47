import type { DownKind, UpKind } from '#contract/device-protocol.ts'

/** Messages to machines over MQTT, with any broker. */
export interface Transport {
  /** Where machines connect; the broker's own port when it is ours. */
  port: number
  /** Whether a message would probably reach the machine now. */
  isReachable(serial: string): boolean
  /** Sends to a connected machine. Nothing is stored for an offline machine. */
  send(serial: string, kind: DownKind, payload: string): void
  /** Closes the machine's connections: its secret has changed. */
  disconnect(serial: string): void
  /** The machine was deleted: closes its connections and removes its account. */
  dismiss(serial: string): void
  /** The machine has a new secret. Resolves when it can connect with it; rejects when the broker cannot accept it yet. */
  admit(serial: string, secret: string): Promise<void>
  /** Stops receiving, and lets pending messages be answered. */
  stopReading(): Promise<void>
  close(): Promise<void>
}

export interface TransportEvents {
  /** Resolves when the message may be acknowledged; rejects when it must not be. */
  message(serial: string, kind: UpKind, payload: Uint8Array, isRepeated: boolean): Promise<void>
  /** A message of an unknown kind arrived on the machine's own topics. */
  unknownKind(serial: string, kind: string, payload: Uint8Array): Promise<void>
  /** The machine announced a message above the maximum size. It was not read. */
  oversized(serial: string, bytes: number): void
  /** A machine has subscribed to its topics. */
  listening(serial: string): void
  /** A machine sent a packet that is not a message. */
  alive(serial: string): void
  /** The machine's last connection is gone. */
  gone(serial: string): void
}
