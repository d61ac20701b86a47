import { randomUUID } from 'node:crypto'
import { connect, type MqttClient } from 'mqtt'
import type { z } from 'zod'
import {
  Ack,
  Authorised,
  BlockChanges,
  DownCommand,
  downTopic,
  Go,
  LinkCode,
  Refill,
  topicRoot,
  type UpKind,
  upTopic,
  Wait,
} from '#contract/device-protocol.ts'

export interface ConnectionHandlers {
  /** Signed in and subscribed. */
  connected(): void
  /** The connection is lost, or failed to open. */
  closed(): void
  ack(ack: Ack): void
  command(command: DownCommand): void
  go(go: Go): void
  authorised(answer: Authorised): void
  linked(answer: LinkCode): void
  blocked(changes: BlockChanges): void
  refill(refill: Refill): void
  wait(wait: Wait): void
}

export interface Connection {
  isOpen(): boolean
  /** Sends with QoS 1, or drops the message without a connection. */
  send(kind: UpKind, payload: object): void
  open(): void
  /** Disconnects cleanly, so that the last will is not published. */
  close(): Promise<void>
  /** Breaks the connection, as if the cable were cut. */
  cut(): void
}

const keepAliveSeconds = 60

/** One machine's MQTT connection. Each opening is a separate connection. The journal resends undelivered items. */
export function machineConnection(
  broker: string,
  serial: string,
  secret: string,
  handlers: ConnectionHandlers,
): Connection {
  let client: MqttClient | undefined
  let isListening = false

  function open() {
    client?.end(true)
    isListening = false
    const opened = connect(broker, {
      clientId: serial,
      username: serial,
      password: secret,
      clean: true,
      keepalive: keepAliveSeconds,
      reconnectPeriod: 0,
      connectTimeout: 20_000,
      resubscribe: false,
      queueQoSZero: false,
      will: {
        topic: upTopic(serial, 'state'),
        payload: Buffer.from(JSON.stringify({ id: randomUUID(), online: false })),
        qos: 1,
        retain: false,
      },
    })
    client = opened
    opened.on('connect', () => {
      opened.subscribe(`${topicRoot}/${serial}/down/+`, { qos: 1 }, (error) => {
        if (error || client !== opened) return
        isListening = true
        handlers.connected()
      })
    })
    opened.on('message', (topic, payload) => {
      if (client === opened) receive(topic, payload)
    })
    // A close follows every error.
    opened.on('error', () => {})
    opened.on('close', () => {
      if (client !== opened) return
      client = undefined
      isListening = false
      opened.end(true)
      handlers.closed()
    })
  }

  function receive(topic: string, payload: Buffer) {
    if (topic === downTopic(serial, 'ack')) read(Ack, payload, handlers.ack)
    else if (topic === downTopic(serial, 'command')) read(DownCommand, payload, handlers.command)
    else if (topic === downTopic(serial, 'go')) read(Go, payload, handlers.go)
    else if (topic === downTopic(serial, 'authorised')) read(Authorised, payload, handlers.authorised)
    else if (topic === downTopic(serial, 'linked')) read(LinkCode, payload, handlers.linked)
    else if (topic === downTopic(serial, 'refill')) read(Refill, payload, handlers.refill)
    else if (topic === downTopic(serial, 'wait')) read(Wait, payload, handlers.wait)
    else if (topic === downTopic(serial, 'blocked')) read(BlockChanges, payload, handlers.blocked)
  }

  return {
    isOpen: () => isListening,
    send(kind, payload) {
      if (isListening) client?.publish(upTopic(serial, kind), JSON.stringify(payload), { qos: 1 }, () => {})
    },
    open,
    async close() {
      const closing = client
      client = undefined
      isListening = false
      if (!closing) return
      // On a broken connection mqtt.js waits for acknowledgements that never arrive.
      const closed = new Promise<void>((resolve) => closing.once('close', resolve))
      await Promise.race([closing.endAsync(), closed]).catch(() => {})
      closing.end(true)
    },
    cut() {
      client?.stream?.destroy()
    },
  }
}

/** Ignores messages that a machine does not understand. */
function read<T extends z.ZodType>(schema: T, payload: Buffer, take: (value: z.infer<T>) => void) {
  try {
    const parsed = schema.safeParse(JSON.parse(payload.toString()))
    if (parsed.success) take(parsed.data)
  } catch {
    // Not JSON.
  }
}
