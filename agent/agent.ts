import { join } from 'node:path'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { type RemoteCommandTypeName, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { openDropFolder } from './drop/drop-folder.ts'
import { openJournal } from './journal/journal.ts'
import { computerFacts, computerSigns } from './machine/computer.ts'
import { openMachine, type Reading, totalsOf } from './machine/machine.ts'
import { transferOverPort } from './machine/port-transfer.ts'
import { runRestart } from './machine/restart.ts'
import { openMdbSource } from './mdb/mdb-source.ts'
import { type CommandAction, type Outcome, openCommandRunner } from './portal/commands.ts'
import { httpLink } from './portal/http-link.ts'
import type { LinkHandlers } from './portal/link.ts'
import { mqttLink } from './portal/mqtt-link.ts'
import { openUplink, type Uplink } from './portal/uplink.ts'
import { takeFolder } from './settings/only-agent.ts'
import type { AgentSettings } from './settings/settings.ts'
import { openUpdates } from './updates/updates.ts'

export interface RunningAgent {
  /** Ends what runs and lets the portal know. */
  stop(): Promise<void>
  /** Resolves when another version is to be started. */
  isUpdated: Promise<void>
}

export interface AgentLog {
  info(text: string): void
  warn(text: string): void
}

const minuteMs = 60_000

/** Reads the machine after the start, by its plan and by command, and reports to the portal. The journal is in the folder. */
export function startAgent(folder: string, settings: AgentSettings, log: AgentLog): RunningAgent {
  const giveFolderBack = takeFolder(folder)
  const journal = openJournal(join(folder, 'journal'))
  if (journal.damaged > 0) log.warn(`${journal.damaged} lines of the journal are damaged: check the disk`)
  if (settings.epoch > journal.epoch()) journal.beginEpoch(settings.epoch)
  const { serial, portal, mqtt } = settings
  const stopping = new AbortController()

  const machine = openMachine({
    transfer: (isCollection) => transferOverPort(settings.machine, { serial, isCollection, signal: stopping.signal }),
    report: (...items) => uplink.report(...items),
    signal: stopping.signal,
  })
  const handlers: LinkHandlers = {
    opened: () => uplink.opened(),
    closed: () => uplink.closed(),
    ack(ack) {
      uplink.acknowledged(ack)
      if (ack.epoch === journal.epoch()) updates.confirmed(ack.time)
    },
    command: (command) => commands.command(command),
    go: (go) => commands.go(go),
    wait: ({ seconds }) => uplink.wait(seconds),
    refused: () => log.warn('The portal refuses the secret: set the agent up again with a PIN'),
  }
  const access = { portal, serial, secret: settings.secret }
  const link = settings.transport === 'http' ? httpLink(access, handlers) : mqttLink(mqtt, access, handlers)
  const uplink: Uplink = openUplink({
    journal,
    link,
    facts: computerFacts,
    signs: computerSigns,
    stale: (epoch) => log.warn(`The portal has begun association ${epoch}: set the agent up again`),
  })
  const failed = (error: unknown) => log.warn(error instanceof Error ? error.message : String(error))
  const report = (commandId: string, outcome: Outcome) =>
    uplink.report({ kind: 'result', at: Date.now(), commandId, ...outcome })
  const updated = Promise.withResolvers<void>()
  const updates = openUpdates({
    folder,
    access,
    progress: (progress) => uplink.send('progress', progress),
    report(commandId, outcome) {
      if (journal.underway().includes(commandId)) report(commandId, outcome)
    },
    idle: machine.idle,
    restart: updated.resolve,
    signal: stopping.signal,
    failed,
  })
  const actions = { ...actionsOf(settings, machine.read, uplink.hello), updateFirmware: updates.action }
  const commands = openCommandRunner({
    journal,
    claim: (claim) => uplink.send('claim', claim),
    action: (type) => actions[nameOf(remoteCommandTypes, type) ?? 'none'],
    report,
    failed,
  })

  async function readByPlan(origin: number) {
    try {
      const reading = await machine.read(origin)
      log.info('fault' in reading ? `${reading.fault}: ${reading.text}` : `read ${reading.file.length} bytes`)
    } catch (error) {
      if (!stopping.signal.aborted) failed(error)
    }
  }

  commands.resume(updates.executedId())
  updates.reportEnd()
  link.open()
  void readByPlan(auditOrigins.boot)
  const plan =
    settings.readEvery > 0
      ? setInterval(() => void readByPlan(auditOrigins.scheduled), settings.readEvery * minuteMs)
      : undefined

  const drop =
    settings.drop === undefined ? undefined : openDropFolder(settings.drop, { report: uplink.report, failed })

  const mdb =
    settings.mdb === undefined
      ? undefined
      : openMdbSource(settings.mdb, { serial, report: uplink.report, isKnown: journal.has, failed })

  return {
    isUpdated: updated.promise,
    async stop() {
      clearInterval(plan)
      drop?.close()
      await mdb?.close()
      commands.stop()
      stopping.abort(new Error('The agent stops'))
      uplink.stop()
      await link.close()
      journal.close()
      giveFolderBack()
    },
  }
}

type Read = (origin: number, isCollection?: boolean) => Promise<Reading>

/** The commands that an agent can execute; the others are answered as unsupported. */
function actionsOf(
  { restart, machine }: AgentSettings,
  read: Read,
  hello: () => void,
): Partial<Record<RemoteCommandTypeName | 'none', CommandAction>> {
  const { remoteCommand } = auditOrigins
  const ended = (reading: Reading, info: (file: Uint8Array) => string): Outcome =>
    'fault' in reading ? { outcome: 'error', info: reading.text } : { outcome: 'success', info: info(reading.file) }
  return {
    readAudit: async () => ended(await read(remoteCommand), (file) => `${file.length} bytes over ${machine.protocol}`),
    readCounters: async () => ended(await read(remoteCommand), totalsOf),
    readBootInfo: async () => {
      hello()
      return { outcome: 'success' }
    },
    // Over DEX the machine decides about the counters of the interval.
    ...(machine.protocol === 'ddcmp' && {
      updateAccounting: async () => ended(await read(remoteCommand, true), totalsOf),
    }),
    ...(restart !== undefined && {
      restart: async () => {
        await runRestart(restart)
        return { outcome: 'success' }
      },
    }),
  }
}
