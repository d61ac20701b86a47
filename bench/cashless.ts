import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import mqtt, { type MqttClient } from 'mqtt'
import { type Authorised, downTopic, type UpKind, upTopic } from '#contract/device-protocol.ts'
import { install } from './installation.ts'
import { type Finding, inMs, type Measurement, percentile } from './measure.ts'

const machinesUsed = 100
const mediaPerMachine = 20
const credit = 100_000
const price = 120
const perSecond = 100
const patienceMs = 10_000

/** A machine that requests credit, and settles what it got. */
interface Machine {
  /** Milliseconds until the answer. */
  vend(): Promise<number>
  stop(): Promise<void>
}

async function aMachine(broker: string, member: { serial: string; secret: string; lastSeq: number }): Promise<Machine> {
  const { serial } = member
  const client: MqttClient = await mqtt.connectAsync(broker, {
    clientId: serial,
    username: serial,
    password: member.secret,
    keepalive: 0,
    reconnectPeriod: 0,
  })
  const waiting = new Map<string, (answer: Authorised) => void>()
  client.on('message', (_topic, payload) => {
    const answer = JSON.parse(payload.toString()) as Authorised
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  await client.subscribeAsync(downTopic(serial, 'authorised'), { qos: 1 })
  let seq = member.lastSeq
  const at = () => new Date().toISOString().slice(0, 23)
  const send = (kind: UpKind, body: object) =>
    client.publishAsync(upTopic(serial, kind), JSON.stringify({ id: randomUUID(), at: at(), ...body }), { qos: 1 })
  const report = (kind: UpKind, items: readonly object[]) =>
    send(kind, { epoch: 1, items: items.map((item) => ({ seq: ++seq, at: at(), ...item })) })
  const media = Array.from({ length: mediaPerMachine }, (_, index) => `BENCH-${serial}-${index}`)
  const paidBy = (mediaSerial: string) => ({ mediaSerial, mediaType: 2 })
  await report(
    'credit',
    media.map((serial) => ({ action: 'recharge', ...paidBy(serial), amount: credit, to: 'cloud' })),
  )
  let turn = 0
  return {
    async vend() {
      const mediaSerial = media[turn++ % media.length] as string
      const id = randomUUID()
      const startedAt = performance.now()
      const answered = new Promise<Authorised>((resolve, reject) => {
        waiting.set(id, resolve)
        setTimeout(() => reject(new Error('A request was not answered.')), patienceMs).unref()
      })
      const request = { id, at: at(), amount: price, purpose: 'vend', ...paidBy(mediaSerial) }
      await Promise.all([
        client.publishAsync(upTopic(serial, 'authorise'), JSON.stringify(request), { qos: 1 }),
        answered,
      ])
      const { approved, reservationId } = await answered
      const took = performance.now() - startedAt
      if (!approved) throw new Error('A request was refused.')
      await report('sale', [{ type: 1, ...paidBy(mediaSerial), mediaSource: 5, value: price, reservationId }])
      return took
    },
    stop: () => client.endAsync(true),
  }
}

/** Vends at a constant rate, however long answers take. */
async function load(machines: readonly Machine[], seconds: number): Promise<number[]> {
  const vends: Promise<number>[] = []
  const startedAt = performance.now()
  for (let number = 0; number < perSecond * seconds; number++) {
    await pause(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()))
    vends.push((machines[number % machines.length] as Machine).vend())
  }
  return Promise.all(vends)
}

export const cashless: Measurement = {
  title: `${perSecond} authorisations per second`,
  about: `${machinesUsed} machines request credit for ${(machinesUsed * mediaPerMachine).toLocaleString('en')} media over MQTT, ${perSecond} times per second, from publishing to the
    answer, which follows the commit. Each then reports its sale, which settles the reservation, in the same load.`,
  async run({ quick, say }) {
    const installation = await install(say, { historyDays: 2, machines: 200, transactions: 20_000 })
    const server = await installation.serve(['gateway'])
    const broker = `mqtt://127.0.0.1:${server.mqttPort}`
    const members = installation.fleet.slice(0, machinesUsed)
    await installation.asOwner((db) =>
      db.query(
        `update merchant_features set features = features || '{customerMedia}' where not 'customerMedia' = any(features)`,
      ),
    )
    const machines = await Promise.all(members.map(({ plan, lastSeq }) => aMachine(broker, { ...plan, lastSeq })))
    try {
      await load(machines, 5)
      const times = await load(machines, quick ? 10 : 60)
      const [owed] = await installation.asOwner(
        async (db) =>
          (
            await db.query<{ unpaid: string; held: string }>(
              `select (select coalesce(sum(balance), 0) from ledger_accounts where kind = 'unpaid') as unpaid,
                 (select count(*) from credit_reservations where state = 'held') as held`,
            )
          ).rows,
      )
      say(`${times.length} vends; afterwards ${owed?.held} reservations are held, and ${owed?.unpaid} is unpaid`)
      const p99 = percentile(times, 0.99)
      const finding: Finding = {
        what: `p99 of an authorisation at ${perSecond}/s`,
        figure: `${inMs(p99)} (p50 ${inMs(percentile(times, 0.5))}, p95 ${inMs(percentile(times, 0.95))})`,
        value: p99,
        promised: { atMost: 100, unit: 'ms' },
      }
      return [finding]
    } finally {
      await Promise.all(machines.map((machine) => machine.stop()))
      await server.stop()
      await installation.stop()
    }
  },
}
