import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type DownKind, downTopic, type UpKind, upTopic } from '#contract/device-protocol.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Blobs } from '#server/files/blobs.ts'
import { folderBlobs } from '#server/files/folder-blobs.ts'
import { registerDeviceRoutes } from '#server/gateway/device-routes.ts'
import { type Gateway, startGateway } from '#server/gateway/gateway.ts'
import { createApp } from '#server/http/server.ts'
import type { GatewayHints, LiveHub } from '#server/live/hub.ts'
import { createVault, type Vault } from '#server/secrets/vault.ts'
import type { TestDatabase } from '../database.ts'
import type { TestMachine } from '../fixtures.ts'

export interface TestGateway {
  /** Files for machines. */
  blobs: Blobs
  vault: Vault
  gateway: Gateway
  config: Config
  app: FastifyInstance
  httpUrl: string
  mqttUrl: string
  /** News announced to screens. */
  hints: { merchantId: string; topic: string; machineId: string | undefined }[]
  /** Delivers news as another process would. */
  tell(news: GatewayHints): void
  /** Logged warnings and errors. */
  warnings: { facts: object; text: string }[]
  stop(): Promise<void>
}

/** A new gateway, stopped when the test ends. */
export async function aGateway(database: TestDatabase, environment: Record<string, string> = {}): Promise<TestGateway> {
  const server = await openGateway(database, environment)
  onTestFinished(server.stop)
  return server
}

/** A gateway with its broker and its HTTP server, on free ports; the caller stops it. */
export async function openGateway(
  database: TestDatabase,
  environment: Record<string, string> = {},
): Promise<TestGateway> {
  const config = readConfig(
    { MQTT_PORT: '0', PORT: '0', SECRET_KEY: 'a key of the tests alone', ...environment },
    { production: false },
  )
  const hints: TestGateway['hints'] = []
  const warnings: TestGateway['warnings'] = []
  const listeners = new Set<(news: GatewayHints) => void>()
  const live: Pick<LiveHub, 'announce' | 'subscribeGateway'> = {
    announce: (merchantId, topic, machineId) => hints.push({ merchantId, topic, machineId }),
    subscribeGateway(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const say = (facts: object, text: string) => void warnings.push({ facts, text })
  const log = { debug: () => {}, info: () => {}, warn: say, error: say }
  const gateway = await startGateway({ config, doors: database, live, log })
  const app = createApp(pino({ level: 'silent' }))
  const files = await mkdtemp(join(tmpdir(), 'gettone-files-'))
  const blobs = folderBlobs(files)
  const vault = createVault(config.secretKey)
  registerDeviceRoutes(app, gateway, { config, doors: database, blobs, vault })
  await app.listen({ port: 0, host: '127.0.0.1' })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= gateway
      .stop()
      .then(() => app.close())
      .then(() => rm(files, { recursive: true, force: true }))
    return stopped
  }
  return {
    gateway,
    blobs,
    vault,
    config,
    app,
    httpUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    mqttUrl: `mqtt://127.0.0.1:${gateway.mqttPort}`,
    hints,
    tell: (news) => {
      for (const listener of listeners) listener(news)
    },
    warnings,
    stop,
  }
}

/** A machine's connection: all received messages by kind, and a way to wait for one. */
export interface TestConnection {
  client: MqttClient
  /** Publishes with QoS 1; resolves with the PUBACK. */
  send(kind: UpKind, payload: object | string | Buffer): Promise<void>
  /** The next matching message of a kind, already received or later. */
  next<T>(kind: DownKind, fits?: (message: T) => boolean): Promise<T>
  close(): Promise<void>
}

/** Connects a machine over MQTT and listens to its messages; closed when the test ends. */
export async function aConnection(
  { mqttUrl }: Pick<TestGateway, 'mqttUrl'>,
  machine: Pick<TestMachine, 'serial' | 'secret'>,
  options: IClientOptions = {},
): Promise<TestConnection> {
  const client = await mqtt.connectAsync(mqttUrl, {
    clientId: machine.serial,
    username: machine.serial,
    password: machine.secret,
    reconnectPeriod: 0,
    ...options,
  })
  client.on('error', () => {})
  const inbox: { kind: string; message: unknown }[] = []
  const arrived: (() => void)[] = []
  client.on('message', (topic, payload) => {
    inbox.push({ kind: topic.split('/').at(-1) ?? '', message: JSON.parse(payload.toString()) })
    for (const call of arrived.splice(0)) call()
  })
  await client.subscribeAsync(downTopic(machine.serial, 'ack').replace('ack', '#'), { qos: 1 })
  onTestFinished(async () => {
    await client.endAsync(true)
  })
  return {
    client,
    async send(kind, payload) {
      const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
      await client.publishAsync(upTopic(machine.serial, kind), body, { qos: 1 })
    },
    async next<T>(kind: DownKind, fits: (message: T) => boolean = () => true) {
      const until = Date.now() + 10_000
      for (;;) {
        const index = inbox.findIndex((each) => each.kind === kind && fits(each.message as T))
        if (index !== -1) return inbox.splice(index, 1)[0]?.message as T
        if (Date.now() > until) throw new Error(`No fitting ${kind} came; there were ${JSON.stringify(inbox)}`)
        await new Promise<void>((resolve) => {
          arrived.push(resolve)
          setTimeout(resolve, 200)
        })
      }
    },
    close: () => client.endAsync(),
  }
}
