import type { Ack, DownCommand, Go, UpKind, Wait } from '#contract/device-protocol.ts'

/** What arrives from the portal. */
export interface LinkHandlers {
  /** Messages arrive from now on. */
  opened(): void
  closed(): void
  ack(ack: Ack): void
  command(command: DownCommand): void
  go(go: Go): void
  wait(wait: Wait): void
  /** The portal does not accept the serial and the secret. */
  refused(): void
}

/** The way to the portal: MQTT, or HTTP. */
export interface Link {
  isOpen(): boolean
  open(): void
  /** Sends without a promise that it arrives. */
  send(kind: UpKind, payload: object): void
  close(): Promise<void>
}

/** Who signs in where. */
export interface Access {
  portal: string
  serial: string
  secret: string
}
