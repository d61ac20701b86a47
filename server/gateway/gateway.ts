import { sql } from 'kysely'
import { isDistributed } from '#database/frame/distributed.ts'
import { nodeOf } from '#database/frame/nodes/placement.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { markSilent } from '#database/machines/machine-condition.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { noteListening } from '#database/machines/silence.ts'
import type { Config } from '../config.ts'
import type { LiveHub } from '../live/hub.ts'
import { createOnceLog, type Log, logFailuresOnce, type OnceLog } from '../log/once-log.ts'
import { nowOrLater } from '../retry/now-or-later.ts'
import { createAcknowledgements } from './acknowledgements.ts'
import { createAuditReader } from './audits/audit-reader.ts'
import { certificateFiles } from './brokers/certificate.ts'
import { startEmbeddedBroker } from './brokers/embedded-broker.ts'
import { connectExternalBroker } from './brokers/external-broker.ts'
import type { Transport, TransportEvents } from './brokers/transport.ts'
import { type Budget, createBudget } from './budget.ts'
import { createCashless } from './cashless/authorise.ts'
import { createCommands } from './commands.ts'
import { createConditions } from './conditions.ts'
import { createDeadLetterBox } from './dead-letter-box.ts'
import { createKnownMachines } from './known-machines.ts'
import { createMachineEvents } from './machine-events.ts'
import { inAnyMonth } from './missing-month.ts'
import { createNodeBatchers } from './node-batchers.ts'
import { createReceiver } from './receive.ts'
import { createDeviceAnswers, type DeviceAnswers } from './receiving/device-answers.ts'
import { MachineGoneError } from './receiving/machine-gone.ts'
import { journalOf } from './receiving/machine-journal.ts'
import { keptDays } from './receiving/measured.ts'
import { createOverload, type Overload } from './receiving/overload.ts'
import { openRecoveries, type Recoveries } from './receiving/recoveries.ts'
import { startReplays } from './replays.ts'
import { noteSecretUse } from './secret-use.ts'
import { createRefills } from './stock/refills.ts'
import { type GatheredInput, type StoreOutcome, storeBatch } from './store-batch.ts'

/** The gateway as the rest of the server sees it. */
export interface Gateway extends DeviceAnswers {
  /** Where machines connect over MQTT. */
  mqttPort: number
  /** The machine that signs in with this secret, or null. */
  authenticate(serial: string, secret: string): Promise<KnownMachine | null>
  /** Whether there is memory for another message of the machine. */
  hasRoom(serial: string): boolean
  /** Whether the gateway keeps up, and which machines wait for it. */
  overload: Pick<Overload, 'seconds' | 'isWaiting'>
  /**
   * The machine has a new secret: closes connections with the old one. Rejects when an external broker is unreachable; the
   * machine must then associate again.
   */
  renewed(serial: string, secret: string): Promise<void>
  stop(): Promise<void>
}

/** Maximum uncommitted bytes in memory. */
const bytesInFlight = { perMachine: 1024 * 1024, inAll: 64 * 1024 * 1024 }
const batches = { fullWeight: 256, delayMs: 10, maximumWeight: 1000, maximumMerchants: 32, parallel: 3 }
const drainMs = 10_000

/** Starts receiving from machines. Every item is stored before it is acknowledged. */
export async function startGateway({
  config,
  doors,
  live,
  log,
}: {
  config: Config
  doors: Doors
  live: Pick<LiveHub, 'announce' | 'subscribeGateway'>
  log: Log
}): Promise<Gateway> {
  const announce = live.announce.bind(live)
  const logOnce = createOnceLog(log)
  const logFailure = logFailuresOnce(logOnce)
  const knownMachines = createKnownMachines(doors)
  const budget = createBudget(bytesInFlight, knownMachines.nodeOf)
  const deadLetters = createDeadLetterBox(doors, logOnce)
  const conditions = createConditions(doors, announce, config.NO_DATA_MINUTES, log)
  const batcher = createNodeBatchers<GatheredInput, StoreOutcome>(
    inAnyMonth(doors, (inputs) => storeBatch(doors, inputs, announce)),
    isDistributed() ? { ...batches, maximumMerchants: 1 } : batches,
    nodeOf,
  )
  // Assigned below: the broker needs these parts first.
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
  const refills = createRefills(
    doors,
    {
      isReachable: (serial) => transport?.isReachable(serial) ?? false,
      sendRefill: (serial, refill) => transport?.send(serial, 'refill', JSON.stringify(refill)),
    },
    knownMachines.find,
    log,
  )
  const unlessGone = (error: unknown) => {
    if (!(error instanceof MachineGoneError)) throw error
  }
  const recoveries = await openRecoveries({
    doors,
    // A machine that was deleted meanwhile gets nothing.
    notify: (serial) => acknowledgements.repeat(serial).catch(unlessGone),
    onFailure: logFailure('Machines are notified later that the database was restored'),
  })
  const logUnsent = logFailure('Refusals are sent with the next acknowledgement')
  const acknowledgements = createAcknowledgements({
    send: (serial, ack) => transport?.send(serial, 'ack', JSON.stringify(ack)),
    isReachable: (serial) => transport?.isReachable(serial) ?? false,
    async find(serial) {
      const machine = await knownMachines.find(serial)
      return machine && { machine, journal: await journalOf(doors, machine) }
    },
    recovery: recoveries.current,
    onFailure(error) {
      if (!(error instanceof MachineGoneError)) logUnsent(error)
    },
  })
  const audits = createAuditReader()
  const forgetMachine = (serial: string) => knownMachines.forget(serial)
  const cashless = createCashless({ doors, secretKey: config.secretKey }, announce, forgetMachine)
  const receiver = createReceiver({
    doors,
    batcher,
    conditions,
    commands,
    cashless,
    deadLetters,
    audits,
    logOnce,
    forgetMachine,
  })

  const overload = createOverload({
    send: (serial, wait) => transport?.send(serial, 'wait', JSON.stringify(wait)),
    isReachable: (serial) => transport?.isReachable(serial) ?? false,
    memoryShare: budget.share,
    nodeOf: knownMachines.nodeOf,
  })

  const secretUse = (machine: KnownMachine) => noteSecretUse(machine, { doors, announce, logFailure })

  async function authenticate(serial: string, secret: string | Uint8Array): Promise<KnownMachine | null> {
    const machine = await knownMachines.authenticate(serial, secret)
    if (machine) secretUse(machine)
    return machine
  }

  const { events, withMachine } = createMachineEvents({
    knownMachines,
    receiver,
    acknowledgements,
    commands,
    refills,
    conditions,
    deadLetters,
    overload,
    transport: () => transport,
    noteSecretUse: secretUse,
    logOnce,
    logFailure,
  })

  const starting = nowOrLater(logFailure('Partitions and lost connections are noted when all database nodes are back'))
  await starting.run(() => keepPartitions(doors))
  if (!config.MQTT_URL) {
    // A broker that has just started has no connections.
    const startedAt = new Date()
    await starting.run(async () => {
      for (const { merchantId, machineId } of await markSilent(doors, startedAt))
        announce(merchantId, 'machine', machineId)
    })
  }
  const broker = await openBroker(config, { authenticate, budget, events, log, logOnce })
  transport = broker
  await noteListening(doors, new Date())
  await recoveries.check()
  const replays = startReplays(doors, { receiver, find: knownMachines.find })
  const notListening = logFailure('It is not noted that machines are heard; none is taken for silent meanwhile')
  const upkeep = startUpkeep(doors, {
    recoveries,
    notListening,
    noPartitions: (error) => log.error({ error }, 'Partitions cannot be created'),
  })
  const unsubscribe = live.subscribeGateway(({ merchantId, words, machineIds }) => {
    if (words.includes('commandWaiting')) commands.wake()
    // The next lookup shows whether the machine was deleted.
    if (words.includes('machineDeleted'))
      for (const serial of knownMachines.forgetMachines(merchantId, machineIds)) withMachine(serial, async () => {})
  })

  return {
    mqttPort: broker.port,
    authenticate,
    hasRoom: budget.hasRoom,
    overload,
    ...createDeviceAnswers({ doors, budget, overload, receiver, commands, refills, recovery: recoveries.current }),
    async renewed(serial, secret) {
      knownMachines.forget(serial)
      broker.disconnect(serial)
      withMachine(serial, async ({ merchantId, id }) => {
        for (const topic of ['machine', 'group', 'client'] as const) announce(merchantId, topic, id)
      })
      await broker.admit(serial, secret)
    },
    async stop() {
      starting.stop()
      upkeep.stop()
      recoveries.stop()
      unsubscribe()
      await replays.stop()
      await broker.stopReading()
      await commands.stop()
      await refills.stop()
      await batcher.stop(drainMs)
      await audits.stop()
      await conditions.stop()
      acknowledgements.stop()
      overload.stop()
      await deadLetters.stop()
      // Let the last answers leave before the connections close.
      await new Promise((resolve) => setTimeout(resolve, 50))
      await broker.close()
    },
  }
}

/** The operator's broker, or one of its own. */
function openBroker(
  config: Config,
  parts: {
    authenticate: (serial: string, secret: string | Uint8Array) => Promise<KnownMachine | null>
    budget: Budget
    events: TransportEvents
    log: Log
    logOnce: OnceLog
  },
): Promise<Transport> {
  const { authenticate, budget, events, log, logOnce } = parts
  if (config.MQTT_URL)
    return connectExternalBroker(config.MQTT_URL, {
      budget,
      events,
      log,
      logOnce,
      port: config.MQTT_PORT,
      name: config.GATEWAY_NAME,
      caFile: config.MQTT_CA_FILE,
      givesAccounts: config.MQTT_ACCOUNTS === 'dynamic-security',
    })
  const listener = {
    host: config.MQTT_HOST,
    port: config.MQTT_PORT,
    maximumConnections: config.MAX_MQTT_CONNECTIONS,
    certificate: certificateFiles(config.MQTT_TLS_CERT_FILE, config.MQTT_TLS_KEY_FILE),
  }
  return startEmbeddedBroker(listener, { authenticate, budget, events, logOnce })
}

/** Partitions for as long as items are kept, and for the weeks ahead. */
async function keepPartitions(doors: Doors): Promise<void> {
  await doors.withSystem('partitions', (db) =>
    sql`select ensure_partitions(now() - make_interval(days => ${keptDays + 1}), now() + interval '40 days')`.execute(
      db,
    ),
  )
}

/** Notes each minute that machines are heard, and creates partitions in time. */
function startUpkeep(
  doors: Doors,
  on: { recoveries: Recoveries; notListening: (error: unknown) => void; noPartitions: (error: unknown) => void },
): { stop(): void } {
  const timers = [
    setInterval(() => noteListening(doors, new Date()).then(on.recoveries.check).catch(on.notListening), 60_000),
    setInterval(() => keepPartitions(doors).catch(on.noPartitions), 6 * 3_600_000),
  ]
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
