import { sql } from 'kysely'
import type { DeviceAnswer, UpKind } from '#contract/device-protocol.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { readJournal } from '#database/journal.ts'
import { markSilent } from '#database/machine-condition.ts'
import type { KnownMachine } from '#database/machine-directory.ts'
import { noteListening } from '#database/silence.ts'
import type { Doors } from '#database/tenant.ts'
import type { Config } from '../config.ts'
import type { LiveHub } from '../live/hub.ts'
import { ackOf, createAcknowledgements } from './acknowledgements.ts'
import { createAuditReader } from './audit-reader.ts'
import { createBatcher } from './batcher.ts'
import { createBudget } from './budget.ts'
import { certificateFiles } from './certificate.ts'
import { createCommands } from './commands.ts'
import { createConditions } from './conditions.ts'
import { createDeadLetterBox } from './dead-letter-box.ts'
import { startEmbeddedBroker } from './embedded-broker.ts'
import { connectExternalBroker } from './external-broker.ts'
import { createKnownMachines } from './known-machines.ts'
import { createOnceLog, type Log } from './log.ts'
import { inAnyMonth } from './missing-month.ts'
import type { Fault } from './read-message.ts'
import { createReceiver, keptDays, MachineGoneError } from './receive.ts'
import { startReplays } from './replays.ts'
import { type StoreInput, type StoreOutcome, storeBatch } from './store-batch.ts'
import type { Transport, TransportEvents } from './transport.ts'

/** The gateway as the rest of the server sees it. */
export interface Gateway {
  /** Where machines connect over MQTT. */
  mqttPort: number
  /** The machine that signs in with this secret, or null. */
  authenticate(serial: string, secret: string): Promise<KnownMachine | null>
  /** Whether there is memory for a message of the machine. */
  hasRoom(serial: string): boolean
  /** Takes in a message that came over HTTP; answers what the machine would be told over MQTT, and what was wrong. */
  receive(
    machine: KnownMachine,
    kind: UpKind,
    payload: Uint8Array,
  ): Promise<{ answer: DeviceAnswer | null; fault: Fault | null }>
  waitingCommands(machine: KnownMachine): Promise<DeviceAnswer['commands']>
  /**
   * The machine has a new secret: whoever is connected with the old one is sent away. Rejects when an external broker cannot be told of it;
   * the machine then has to associate once more.
   */
  renewed(serial: string, secret: string): Promise<void>
  stop(): Promise<void>
}

/** Bytes that are in memory and not yet committed. */
const bytesInFlight = { perMachine: 1024 * 1024, inAll: 64 * 1024 * 1024 }
const batches = { fullWeight: 256, delayMs: 10, maximumWeight: 1000, maximumMerchants: 32, parallel: 3 }
const drainMs = 10_000

/** Starts listening to machines; everything they send is stored before it is acknowledged. */
export async function startGateway({
  config,
  doors,
  live,
  log,
}: {
  config: Config
  doors: Doors
  live: Pick<LiveHub, 'announce' | 'subscribe'>
  log: Log
}): Promise<Gateway> {
  const announce = live.announce.bind(live)
  const logOnce = createOnceLog(log)
  const known = createKnownMachines(doors)
  const budget = createBudget(bytesInFlight)
  const deadLetters = createDeadLetterBox(doors, logOnce)
  const conditions = createConditions(doors, announce, config.NO_DATA_MINUTES)
  const batcher = createBatcher<StoreInput & { weight: number }, StoreOutcome>(
    inAnyMonth(doors, (inputs) => storeBatch(doors, inputs, announce)),
    batches,
  )
  // What the parts need of the broker before it stands is asked of it later.
  let transport: Transport | undefined
  const commands = createCommands(
    doors,
    {
      isReachable: (serial) => transport?.isReachable(serial) ?? false,
      sendCommand: (serial, command) => transport?.send(serial, 'command', JSON.stringify(command)),
    },
    announce,
    log,
  )
  const acknowledgements = createAcknowledgements((serial, ack) => transport?.send(serial, 'ack', JSON.stringify(ack)))
  const audits = createAuditReader()
  const forgetMachine = (serial: string) => known.forget(serial)
  const receiver = createReceiver({ doors, batcher, conditions, commands, deadLetters, audits, forgetMachine })

  async function sendWaiting(machine: KnownMachine): Promise<void> {
    for (const command of await commands.waitingFor(machine))
      transport?.send(machine.serial, 'command', JSON.stringify(command))
  }

  const events: TransportEvents = {
    async message(serial, kind, payload, isRepeated) {
      const receivedAt = new Date()
      const machine = await known.find(serial)
      if (!machine) throw new MachineGoneError()
      try {
        const incoming = { kind, payload, transport: 'mqtt' as const, isRepeated, receivedAt }
        const { journal, given, go } = await receiver.receive(machine, incoming)
        if (given !== null) acknowledgements.given(serial, given)
        if (journal) acknowledgements.note(serial, journal)
        if (go) transport?.send(serial, 'go', JSON.stringify(go))
        if (kind === 'hello') sendWaiting(machine).catch(() => {})
      } catch (error) {
        if (error instanceof MachineGoneError) transport?.disconnect(serial)
        throw error
      }
    },
    async unknownKind(serial, kind, payload) {
      const reason = 'unknownKind: no message of this kind exists'
      const machine = await known.find(serial)
      const merchantId = machine?.merchantId ?? null
      await deadLetters.keep({ serial, merchantId, kind, transport: 'mqtt', reason, payload })
    },
    oversized(serial, bytes) {
      const reason = `oversized: ${bytes} bytes were announced and none were read`
      known
        .find(serial)
        .then((machine) => {
          const merchantId = machine?.merchantId ?? null
          return deadLetters.keep({ serial, merchantId, kind: '', transport: 'mqtt', reason, payload: Buffer.alloc(0) })
        })
        .catch(() => {})
    },
    listening: (serial) => withMachine(serial, sendWaiting),
    alive: (serial) =>
      withMachine(serial, async ({ merchantId, id: machineId }) => {
        const now = new Date()
        conditions.note({ merchantId, machineId, lastSeenAt: now, lastPingAt: now, connection: connections.online })
      }),
    gone(serial) {
      acknowledgements.forget(serial)
      withMachine(serial, async ({ merchantId, id: machineId }) => {
        if (transport?.isReachable(serial)) return
        conditions.note({ merchantId, machineId, lastSeenAt: new Date(), connection: connections.offline })
      })
    },
  }

  /** For what is not answered: when the machine cannot be found now, it is left. */
  function withMachine(serial: string, work: (machine: KnownMachine) => Promise<void>): void {
    known
      .find(serial)
      // One that has been deleted may have missed its dismissal.
      .then((machine) => (machine ? work(machine) : transport?.dismiss(serial)))
      .catch(() => {})
  }

  async function keepPartitions(): Promise<void> {
    await doors.withSystem('partitions', (db) =>
      sql`select ensure_partitions(now() - make_interval(days => ${keptDays + 1}), now() + interval '40 days')`.execute(
        db,
      ),
    )
  }

  await keepPartitions()
  if (!config.MQTT_URL) {
    // Nobody is connected to a broker that has just started.
    for (const { merchantId, machineId } of await markSilent(doors, new Date()))
      announce(merchantId, 'machine', machineId)
  }
  transport = config.MQTT_URL
    ? await connectExternalBroker(config.MQTT_URL, {
        budget,
        events,
        log,
        logOnce,
        port: config.MQTT_PORT,
        name: config.GATEWAY_NAME,
        caFile: config.MQTT_CA_FILE,
        givesAccounts: config.MQTT_ACCOUNTS === 'dynamic-security',
      })
    : await startEmbeddedBroker(
        {
          host: config.MQTT_HOST,
          port: config.MQTT_PORT,
          maximumConnections: config.MAX_MQTT_CONNECTIONS,
          certificate: certificateFiles(config.MQTT_TLS_CERT_FILE, config.MQTT_TLS_KEY_FILE),
        },
        { authenticate: known.authenticate, budget, events, logOnce },
      )
  const broker = transport
  await noteListening(doors, new Date())
  const replays = startReplays(doors, { receiver, find: known.find })
  const timers = [
    setInterval(() => noteListening(doors, new Date()).catch(() => {}), 60_000),
    setInterval(
      () => keepPartitions().catch((error) => log.error({ error }, 'Partitions cannot be made')),
      6 * 3_600_000,
    ),
  ]
  const unsubscribe = live.subscribe(({ merchantId, topics, posIds }) => {
    if (topics.includes('command')) commands.wake()
    // Machines have been deleted; whoever looks a forgotten one up again finds out which.
    if (topics.includes('association'))
      for (const serial of known.forgetMachines(merchantId, posIds)) withMachine(serial, async () => {})
  })

  return {
    mqttPort: broker.port,
    authenticate: known.authenticate,
    hasRoom: budget.hasRoom,
    async receive(machine, kind, payload) {
      const release = budget.take(machine.serial, payload.length + 256)
      try {
        const incoming = { kind, payload, transport: 'http' as const, isRepeated: false, receivedAt: new Date() }
        const { journal, given, go, fault } = await receiver.receive(machine, incoming)
        if (fault) return { answer: null, fault }
        const waiting = await commands.waitingFor(machine)
        const ack = journal ? ackOf(journal, given ?? 0) : await standingOf(machine)
        return { answer: { ack, commands: waiting, ...(go && { go }) }, fault: null }
      } finally {
        release()
      }
    },
    waitingCommands: commands.waitingFor,
    async renewed(serial, secret) {
      known.forget(serial)
      broker.disconnect(serial)
      await broker.admit(serial, secret)
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      unsubscribe()
      await replays.stop()
      await broker.stopReading()
      await commands.stop()
      await batcher.stop(drainMs)
      await audits.stop()
      await conditions.stop()
      acknowledgements.stop()
      await deadLetters.stop()
      // The last answers leave before the connections close.
      await new Promise((resolve) => setTimeout(resolve, 50))
      await broker.close()
    },
  }

  async function standingOf(machine: KnownMachine) {
    const scope = [{ merchantId: machine.merchantId, groups: 'all' as const }]
    const journal = await doors.withTenant(scope, (db) => readJournal(db, machine), 'read')
    if (!journal) throw new MachineGoneError()
    return ackOf(journal)
  }
}
