import { sql } from 'kysely'
import type { DeviceAnswer, Refusal } from '#contract/device-protocol.ts'
import { connections } from '#contract/vocabulary/device.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { isAway } from '#database/frame/transient.ts'
import { readJournal } from '#database/ingest/journal.ts'
import { markSecretUsed } from '#database/machines/association.ts'
import { markSilent } from '#database/machines/machine-condition.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { noteListening } from '#database/machines/silence.ts'
import type { Config } from '../config.ts'
import type { LiveHub } from '../live/hub.ts'
import { ackOf, createAcknowledgements } from './acknowledgements.ts'
import { createAuditReader } from './audits/audit-reader.ts'
import { createBatcher, StoppedError } from './batcher.ts'
import { certificateFiles } from './brokers/certificate.ts'
import { startEmbeddedBroker } from './brokers/embedded-broker.ts'
import { connectExternalBroker } from './brokers/external-broker.ts'
import type { Transport, TransportEvents } from './brokers/transport.ts'
import { createBudget } from './budget.ts'
import { createCommands } from './commands.ts'
import { createConditions } from './conditions.ts'
import { createDeadLetterBox } from './dead-letter-box.ts'
import { createKnownMachines } from './known-machines.ts'
import { createOnceLog, type Log } from './log.ts'
import { inAnyMonth } from './missing-month.ts'
import { createReceiver, keptDays, MachineGoneError } from './receive.ts'
import { wholeRefusal } from './refusals.ts'
import { startReplays } from './replays.ts'
import { type StoreInput, type StoreOutcome, storeBatch } from './store-batch.ts'

/** The gateway as the rest of the server sees it. */
export interface Gateway {
  /** Where machines connect over MQTT. */
  mqttPort: number
  /** The machine that signs in with this secret, or null. */
  authenticate(serial: string, secret: string): Promise<KnownMachine | null>
  /** Whether there is memory for a message of the machine. */
  hasRoom(serial: string): boolean
  /** Takes in a message that came over HTTP; answers what the machine would be told over MQTT, and what was refused when that is all of it. */
  receive(
    machine: KnownMachine,
    kind: string,
    payload: Uint8Array,
  ): Promise<{ answer: DeviceAnswer; refused: Refusal[] }>
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
  live: Pick<LiveHub, 'announce' | 'hearAsGateway'>
  log: Log
}): Promise<Gateway> {
  const announce = live.announce.bind(live)
  const logOnce = createOnceLog(log)
  const known = createKnownMachines(doors)
  const budget = createBudget(bytesInFlight)
  const deadLetters = createDeadLetterBox(doors, logOnce)
  const conditions = createConditions(doors, announce, config.NO_DATA_MINUTES, log)
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
  const acknowledgements = createAcknowledgements({
    send: (serial, ack) => transport?.send(serial, 'ack', JSON.stringify(ack)),
    isReachable: (serial) => transport?.isReachable(serial) ?? false,
    async find(serial) {
      const machine = await known.find(serial)
      return machine && { machine, journal: await journalOf(machine) }
    },
  })
  const audits = createAuditReader()
  const forgetMachine = (serial: string) => known.forget(serial)
  const receiver = createReceiver({ doors, batcher, conditions, commands, deadLetters, audits, logOnce, forgetMachine })

  /** Ends what could still renew the secret, since the machine has the newest one. */
  function noteSecretUse(machine: KnownMachine): void {
    if (machine.isSecretUsed) return
    machine.isSecretUsed = true
    markSecretUsed(doors, machine, machine.secretHash).then(
      () => announce(machine.merchantId, 'machine', machine.id),
      () => {
        machine.isSecretUsed = false
      },
    )
  }

  async function authenticate(serial: string, secret: string | Uint8Array): Promise<KnownMachine | null> {
    const machine = await known.authenticate(serial, secret)
    if (machine) noteSecretUse(machine)
    return machine
  }

  async function sendWaiting(machine: KnownMachine): Promise<void> {
    for (const command of await commands.waitingFor(machine))
      transport?.send(machine.serial, 'command', JSON.stringify(command))
  }

  /** Takes in what came over MQTT, and tells the machine what became of it. */
  async function hear(serial: string, kind: string, payload: Uint8Array, isRepeated: boolean): Promise<void> {
    const receivedAt = new Date()
    const machine = await known.find(serial)
    if (!machine) throw new MachineGoneError()
    // An external broker signs machines in: only the epoch shows that the newest secret arrived.
    if (!machine.isSecretUsed && epochIn(payload) === machine.epoch) noteSecretUse(machine)
    const incoming = { kind, payload, transport: 'mqtt' as const, isRepeated, receivedAt }
    const { journal, given, go, refused } = await receiver.receive(machine, incoming)
    if (given !== null) acknowledgements.given(serial, given)
    if (refused.length > 0) acknowledgements.refuse(serial, refused)
    if (journal) acknowledgements.note(machine, journal)
    if (go) transport?.send(serial, 'go', JSON.stringify(go))
    if (kind === 'hello') sendWaiting(machine).catch(() => {})
  }

  const events: TransportEvents = {
    async message(serial, kind, payload, isRepeated) {
      try {
        await hear(serial, kind, payload, isRepeated)
      } catch (error) {
        if (error instanceof MachineGoneError) transport?.disconnect(serial)
        else if (!(error instanceof StoppedError || isAway(error)))
          logOnce(`fault ${serial}`, { error, serial, kind }, 'A message cannot be stored; its machine keeps it')
        throw error
      }
    },
    async unknownKind(serial, kind, payload) {
      if (await known.find(serial)) return hear(serial, kind, payload, false)
      const reason = 'unknownKind: no message of this kind exists'
      await deadLetters.keep({ serial, merchantId: null, kind, transport: 'mqtt', reason, payload })
    },
    oversized(serial, bytes) {
      const detail = `${bytes} bytes were announced and none were read; send fewer items at once`
      const reason = `oversized: ${detail}`
      acknowledgements.refuse(serial, [wholeRefusal('', { code: 'oversized', detail })])
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
        { authenticate, budget, events, logOnce },
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
  const unsubscribe = live.hearAsGateway(({ merchantId, words, machineIds }) => {
    if (words.includes('commandWaits')) commands.wake()
    // Whoever looks a forgotten one up again finds out which are gone.
    if (words.includes('machineGone'))
      for (const serial of known.forgetMachines(merchantId, machineIds)) withMachine(serial, async () => {})
  })

  return {
    mqttPort: broker.port,
    authenticate,
    hasRoom: budget.hasRoom,
    async receive(machine, kind, payload) {
      const release = budget.take(machine.serial, payload.length + 256)
      try {
        const incoming = { kind, payload, transport: 'http' as const, isRepeated: false, receivedAt: new Date() }
        const { journal, given, go, refused, isRefused } = await receiver.receive(machine, incoming)
        const waiting = isRefused ? [] : await commands.waitingFor(machine)
        const ack = {
          ...ackOf(journal ?? (await journalOf(machine)), machine.timeZone, given ?? 0),
          ...(refused.length > 0 && { refused }),
        }
        return { answer: { ack, commands: waiting, ...(go && { go }) }, refused: isRefused ? refused : [] }
      } finally {
        release()
      }
    },
    waitingCommands: commands.waitingFor,
    async renewed(serial, secret) {
      known.forget(serial)
      broker.disconnect(serial)
      withMachine(serial, async ({ merchantId, id }) => {
        for (const topic of ['machine', 'group', 'client'] as const) announce(merchantId, topic, id)
      })
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

  async function journalOf(machine: KnownMachine) {
    const scope = [{ merchantId: machine.merchantId, groups: 'all' as const }]
    const journal = await doors.withTenant(scope, (db) => readJournal(db, machine), 'read')
    if (!journal) throw new MachineGoneError()
    return journal
  }
}

/** The epoch of a message, as far as it can be read. */
function epochIn(payload: Uint8Array): unknown {
  try {
    return (JSON.parse(Buffer.from(payload).toString()) as { epoch?: unknown } | null)?.epoch
  } catch {
    return undefined
  }
}
