import { randomUUID } from 'node:crypto'
import { connect, type MqttClient } from 'mqtt'
import type { z } from 'zod'
import { Ack, DownCommand, downTopic, Go, topicRoot, upTopic, Wait } from '#contract/device-protocol.ts'
import type { Access, Link, LinkHandlers } from './link.ts'

/** Pauses between attempts in milliseconds: growing, and random, so that a thousand agents do not return together. */
const pause = { first: 2000, longest: 300_000 }
const keepAliveSeconds = 60
/** Bad user name or password, and not authorised, in MQTT 3.1.1. */
const refusals = new Set([4, 5])

export interface Broker {
  host: string
  port: number
  tls: boolean
}

/** The way over MQTT. Sessions are not kept; it connects again until it is closed. */
export function mqttLink(broker: Broker, { serial, secret }: Access, handlers: LinkHandlers): Link {
  let client: MqttClient | undefined
  let isListening = false
  let isClosing = false
  let failures = 0
  let again: NodeJS.Timeout | undefined

  function open() {
    clearTimeout(again)
    const opened = connect({
      protocol: broker.tls ? 'mqtts' : 'mqtt',
      host: broker.host,
      port: broker.port,
      clientId: serial,
      username: serial,
      password: secret,
      clean: true,
      keepalive: keepAliveSeconds,
      reconnectPeriod: 0,
      connectTimeout: 20_000,
      resubscribe: false,
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
        failures = 0
        isListening = true
        handlers.opened()
      })
    })
    opened.on('message', (topic, payload) => {
      if (client === opened) receive(topic, payload)
    })
    opened.on('error', (error) => {
      if ('code' in error && typeof error.code === 'number' && refusals.has(error.code)) handlers.refused()
    })
    opened.on('close', () => {
      if (client !== opened) return
      client = undefined
      opened.end(true)
      if (isListening) handlers.closed()
      isListening = false
      if (!isClosing) again = setTimeout(open, nextPause())
    })
  }

  function nextPause(): number {
    const base = Math.min(pause.longest, pause.first * 2 ** failures++)
    return base * (0.5 + Math.random())
  }

  function receive(topic: string, payload: Buffer) {
    if (topic === downTopic(serial, 'ack')) read(Ack, payload, handlers.ack)
    else if (topic === downTopic(serial, 'command')) read(DownCommand, payload, handlers.command)
    else if (topic === downTopic(serial, 'go')) read(Go, payload, handlers.go)
    else if (topic === downTopic(serial, 'wait')) read(Wait, payload, handlers.wait)
  }

  return {
    isOpen: () => isListening,
    open,
    send(kind, payload) {
      if (isListening) client?.publish(upTopic(serial, kind), JSON.stringify(payload), { qos: 1 }, () => {})
    },
    async close() {
      isClosing = true
      clearTimeout(again)
      const closing = client
      client = undefined
      isListening = false
      if (!closing) return
      // On a broken connection mqtt.js waits for acknowledgements that never arrive.
      const closed = new Promise<void>((resolve) => closing.once('close', resolve))
      await Promise.race([closing.endAsync(), closed]).catch(() => {})
      closing.end(true)
    },
  }
}

/** Ignores messages that the agent does not understand. */
function read<T extends z.ZodType>(schema: T, payload: Buffer, take: (value: z.infer<T>) => void) {
  let value: unknown
  try {
    value = JSON.parse(payload.toString())
  } catch {
    return
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) take(parsed.data)
}
