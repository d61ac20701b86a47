import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import mqtt from 'mqtt'
import { expect, onTestFinished, test } from 'vitest'
import type { Ack } from '#contract/device-protocol.ts'
import { aCertificate } from '#testkit/certificate.ts'
import { aDatabase } from '#testkit/database.ts'
import { aMachine, aMerchant } from '#testkit/fixtures.ts'
import { aConnection, aGateway } from '#testkit/machines/gateway.ts'
import { deviceAddresses } from '../association.ts'
import { readCertificate, renewCertificate } from './certificate.ts'

const at = '2026-11-21T08:00:00'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function aSecureGateway() {
  const { caFile, certFile, keyFile } = await aCertificate(aFolder())
  const database = await aDatabase()
  const machine = await aMachine(database, (await aMerchant(database)).id)
  const server = await aGateway(database, { MQTT_TLS_CERT_FILE: certFile, MQTT_TLS_KEY_FILE: keyFile })
  return { machine, server, ca: readFileSync(caFile), mqttUrl: server.mqttUrl.replace('mqtt:', 'mqtts:') }
}

test('with a certificate, the embedded broker speaks TLS and announces a TLS address', async () => {
  const { machine, server, ca, mqttUrl } = await aSecureGateway()
  const connection = await aConnection({ mqttUrl }, machine, { ca })
  await connection.send('sale', { id: machine.id, at, epoch: 1, items: [{ seq: 1, at, type: 1, value: 100 }] })
  expect(await connection.next<Ack>('ack')).toMatchObject({ committed: 1 })
  expect(deviceAddresses(server.config).mqttTls).toBe(true)
})

test('clients without TLS, or without the authority, are refused', async () => {
  const { machine, server, mqttUrl } = await aSecureGateway()
  const options = { username: machine.serial, password: machine.secret, reconnectPeriod: 0, connectTimeout: 2_000 }
  const plain = mqtt.connect(server.mqttUrl, options).on('error', () => {})
  let isLetIn = false
  plain.on('connect', () => {
    isLetIn = true
  })
  await new Promise((resolve) => plain.once('close', () => resolve(undefined)))
  expect(isLetIn).toBe(false)
  await expect(mqtt.connectAsync(mqttUrl, options)).rejects.toThrow(/certificate/)
})

test('a gateway stops although a client is stuck in the handshake', async () => {
  const { server } = await aSecureGateway()
  const stranger = mqtt.connect(server.mqttUrl, { reconnectPeriod: 0 }).on('error', () => {})
  onTestFinished(async () => void (await stranger.endAsync(true)))
  await once(stranger.stream, 'connect')
  await server.stop()
  await expect.poll(() => stranger.stream.destroyed).toBe(true)
})

test('a renewed certificate is loaded, and a broken one is ignored', async () => {
  const folder = aFolder()
  const first = await aCertificate(folder, 'first')
  const second = await aCertificate(folder, 'second')
  const files = { cert: join(folder, 'now.crt'), key: join(folder, 'now.key') }
  const use = ({ certFile, keyFile }: typeof first) => {
    copyFileSync(certFile, files.cert)
    copyFileSync(keyFile, files.key)
  }
  use(first)
  const server = createServer(readCertificate(files), (socket) => socket.on('error', () => {}).end()).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const logLines: string[] = []
  const stop = renewCertificate(server, files, (_, __, text) => void logLines.push(text), 20)
  onTestFinished(() => {
    stop()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const isBelieved = async ({ caFile }: typeof first) => {
    const socket = connect({ port, host: '127.0.0.1', ca: readFileSync(caFile) })
    return Promise.race([
      once(socket, 'secureConnect').then(() => true),
      new Promise<boolean>((resolve) => socket.once('error', () => resolve(false))),
    ]).finally(() => socket.destroy())
  }
  expect(await isBelieved(first)).toBe(true)
  use(second)
  await expect.poll(() => isBelieved(second)).toBe(true)
  writeFileSync(files.cert, 'no certificate')
  await expect.poll(() => logLines).toContain('The renewed certificate cannot be used')
  expect(await isBelieved(second)).toBe(true)
})
