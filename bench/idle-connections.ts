import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import mqtt, { type MqttClient } from 'mqtt'
import { upTopic } from '#contract/device-protocol.ts'
import { demoMerchants } from '#demo/operators/merchants.ts'
import type { FleetMember } from '#simulator/fleet.ts'
import { install } from './installation.ts'
import { inMs, type Measurement, median, type Subject, type Times, timesOfRounds } from './measure.ts'

const merchantId = demoMerchants[0]?.id ?? ''
const idle = 2000
const calls = 150
const rounds = 3

export const idleConnections: Measurement = {
  title: `${idle.toLocaleString('en')} idle HTTP connections and ${idle.toLocaleString('en')} idle MQTT connections`,
  about: `In three rounds, one client reads the list of machines and one machine sends sales (from publishing to the PUBACK, which follows the
    commit): first alone, then beside ${idle} idle HTTP connections with keep-alive and ${idle} idle signed-in machines.`,
  async run({ say }) {
    // No history is needed, but one machine per connection.
    const installation = await install(say, { historyDays: 2, machines: idle + 1, transactions: 20_000 })
    const server = await installation.serve(['api', 'gateway'])
    const client = await server.signIn('superAdmin')
    const [seller, ...others] = installation.fleet
    if (!seller || others.length < idle) throw new Error(`The demo has only ${installation.fleet.length} machines.`)
    const broker = `mqtt://127.0.0.1:${server.mqttPort}`
    const selling = await signInMachine(broker, seller)
    let seq = seller.lastSeq
    const subjects: Subject[] = [
      { name: 'list of machines over HTTP', once: () => client.get(`/merchants/${merchantId}/pos/paged`) },
      { name: 'sale over MQTT', once: () => sell(selling, seller.plan.serial, (seq += 1)) },
    ]
    const alone: Times[][] = [[], []]
    const beside: Times[][] = [[], []]
    try {
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, subject] of subjects.entries()) alone[index]?.push(await timesOf(subject))
        const http = await Promise.all(Array.from({ length: idle }, () => idleHttp(server.origin)))
        const machines: MqttClient[] = []
        for (let from = 0; from < idle; from += 50) {
          machines.push(...(await Promise.all(others.slice(from, from + 50).map((one) => signInMachine(broker, one)))))
        }
        for (const [index, subject] of subjects.entries()) beside[index]?.push(await timesOf(subject))
        const held = {
          http: http.filter((socket) => socket.readyState === 'open').length,
          mqtt: machines.filter((one) => one.connected).length,
        }
        say(`round ${round + 1}: ${held.http} HTTP and ${held.mqtt} MQTT connections were held to its end`)
        if (held.http < idle || held.mqtt < idle) throw new Error('Not all idle connections were held.')
        for (const socket of http) socket.destroy()
        await Promise.all(machines.map((one) => one.endAsync(true)))
      }
      return subjects.map(({ name }, index) => {
        const before = alone[index] ?? []
        const after = beside[index] ?? []
        const latencyText = (times: readonly Times[]) =>
          `${inMs(median(times.map(({ p95 }) => p95)))} (p50 ${inMs(median(times.map(({ p50 }) => p50)))})`
        return {
          what: `p95 of a ${name}`,
          figure: latencyText(after),
          reference: `alone ${latencyText(before)}`,
          value: median(after.map(({ p95 }, round) => p95 / (before[round]?.p95 ?? Number.NaN))),
          promised: { atMost: 2, unit: '×' as const },
        }
      })
    } finally {
      await selling.endAsync(true)
      client.close()
      await server.stop()
      await installation.stop()
    }
  },
}

async function timesOf(subject: Subject): Promise<Times> {
  const [times] = await timesOfRounds(subject, calls, { warmUp: 20, rounds: 1 })
  return times as Times
}

const signInMachine = (broker: string, { plan }: FleetMember) =>
  mqtt.connectAsync(broker, {
    clientId: plan.serial,
    username: plan.serial,
    password: plan.secret,
    keepalive: 0,
    reconnectPeriod: 0,
  })

/** A connection that sends one request, like a browser's, and then stays idle. */
async function idleHttp(origin: string): Promise<Socket> {
  const { port } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  return socket
}

async function sell(client: MqttClient, serial: string, seq: number): Promise<void> {
  const at = new Date().toISOString().slice(0, 23)
  const items = [{ seq, at, type: 1, mediaType: 1, value: 100, priceLine: 11, product: 'Espresso' }]
  const payload = JSON.stringify({ id: randomUUID(), at, epoch: 1, items })
  await client.publishAsync(upTopic(serial, 'sale'), payload, { qos: 1 })
}
