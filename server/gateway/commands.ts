import type { Claim, DownCommand, Go, Progress } from '#contract/device-protocol.ts'
import { appPaymentCommand } from '#contract/vocabulary/remote-command.ts'
import {
  changeCommand,
  dueCommands,
  lockCommands,
  type OutboxCommand,
  overdueCommands,
  writeProgress,
} from '#database/commands/command-outbox.ts'
import type { Doors, TenantDb } from '#database/frame/tenant.ts'
import { traced } from '#database/frame/watching/cause.ts'
import { paymentAtClaim, releaseAppPayment } from '#database/key-portal/app-payment.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { refusalAtClaim } from '#domain/cashless/app-payment.ts'
import { cancel, claim, expire, refuseToSend, send } from '#domain/commands/command-lifecycle.ts'
import type { Log } from '../log/once-log.ts'
import { fitsDown } from './acknowledgements.ts'
import { counted } from './metrics.ts'
import { createNodeChecks } from './node-checks.ts'
import type { Announce } from './store-batch.ts'

export interface Commands {
  /** Answers a machine that is about to execute. */
  claim(machine: KnownMachine, claim: Claim): Promise<Go>
  /** Notes how far a machine is with a command that it executes. */
  progress(machine: KnownMachine, progress: Progress): Promise<void>
  /** Pending commands of a machine that has connected or requests them. */
  waitingFor(machine: KnownMachine): Promise<DownCommand[]>
  /** Checks for due commands at once. */
  wake(): void
  stop(): Promise<void>
}

const pollMs = 500
const expiryMs = 1000
const commandsAtOnce = 200
/** A machine that is online over HTTP only fetches its commands. It is checked again after this time. */
const notReachableMs = 15_000

const scopeOf = (merchantId: string) => [{ merchantId, groups: 'all' as const }]

const downCommand = (command: OutboxCommand, now: Date): DownCommand => ({
  id: command.id,
  type: command.type,
  parameters: command.parameters,
  expiresInSeconds: Math.max(0, Math.floor((command.expiresAt.getTime() - now.getTime()) / 1000)),
})

/** Whether a machine may not vend for a payment that it claims. Its command then ends, and the amount is free again. */
async function isPaymentRefused(db: TenantDb, command: OutboxCommand, now: Date): Promise<boolean> {
  const { merchantId, id } = command
  const payment = await paymentAtClaim(db, merchantId, id, now)
  const refusal = payment ? refusalAtClaim(payment) : 'notTaken'
  if (!refusal) return false
  const change = cancel(command)
  if (change) await changeCommand(db, command, change)
  await releaseAppPayment(db, merchantId, id, refusal, now)
  return true
}

interface CommandTransport {
  isReachable(serial: string): boolean
  sendCommand(serial: string, command: DownCommand): void
}

/** The span of a command's message: of the trace that ordered it. */
const publication = ({ id, type, trace }: OutboxCommand) => ({
  name: 'publish command',
  kind: 'producer' as const,
  facts: { 'messaging.system': 'mqtt', 'gettone.command': id, 'gettone.command.type': type },
  parent: trace,
})

/** A command that is stored as sent, with its message. */
type SentCommand = { serial: string; command: OutboxCommand; message: DownCommand }

/** Stores the due commands of a merchant as sent, later where the machine is not reachable. Returns those to send. */
async function storeSent(
  db: TenantDb,
  ids: readonly string[],
  serialOf: ReadonlyMap<string, string>,
  isReachable: CommandTransport['isReachable'],
): Promise<SentCommand[]> {
  const now = new Date()
  const sent: SentCommand[] = []
  for (const command of await lockCommands(db, { ids: [...ids] })) {
    const serial = serialOf.get(command.machineId) ?? ''
    const change = send(command, now)
    if (!change) continue
    const message = downCommand(command, now)
    if (!isReachable(serial)) {
      await changeCommand(db, command, { nextAttemptAt: new Date(now.getTime() + notReachableMs) })
    } else if (fitsDown(JSON.stringify(message))) {
      await changeCommand(db, command, change)
      sent.push({ serial, command, message })
    } else await changeCommand(db, command, refuseToSend('The command is larger than a machine takes.'))
  }
  return sent
}

/** Ends the overdue commands of a merchant, with the reservations of their payments. Returns their machines. */
async function storeExpired(db: TenantDb, merchantId: string, ids: readonly string[]): Promise<string[]> {
  const machines: string[] = []
  for (const command of await lockCommands(db, { ids: [...ids] })) {
    const change = expire(command, new Date())
    if (!change) continue
    await changeCommand(db, command, change)
    if (command.type === appPaymentCommand)
      await releaseAppPayment(db, merchantId, command.id, command.startedAt ? 'notVended' : 'notTaken', new Date())
    machines.push(command.machineId)
  }
  return machines
}

/** Decides a machine's claim, and stores the decision. Null when the command is not the machine's. */
async function decideClaim(db: TenantDb, machineId: string, { id: claimId, commandId }: Claim) {
  const [command] = await lockCommands(db, { ids: [commandId] })
  if (command?.machineId !== machineId) return null
  const now = new Date()
  const isFirst = command.startedAt === null
  if (isFirst && command.type === appPaymentCommand && (await isPaymentRefused(db, command, now)))
    return { go: false, isChanged: true }
  const { go, change } = claim(command, claimId, now)
  if (change) await changeCommand(db, command, change)
  return { go, isChanged: change !== null }
}

/** The pending commands of a machine that fetches them, stored as sent. */
async function fetchWaiting(db: TenantDb, machineId: string) {
  const now = new Date()
  let isChanged = false
  const fetched: { command: OutboxCommand; message: DownCommand }[] = []
  for (const command of await lockCommands(db, { pendingOf: machineId, limit: 50 })) {
    const change = send(command, now, { isAsked: true })
    const message = downCommand(command, now)
    if (!change || !fitsDown(JSON.stringify(message))) continue
    await changeCommand(db, command, change)
    isChanged ||= change.status !== command.status
    fetched.push({ command, message })
  }
  return { fetched, isChanged }
}

/** Sends commands from their rows to their machines. Each decision is stored before it is sent, so that it is final. */
export function createCommands(doors: Doors, transport: CommandTransport, announce: Announce, log: Log): Commands {
  async function sendDue(among: readonly string[] | undefined): Promise<boolean> {
    const due = await dueCommands(doors, new Date(), commandsAtOnce, among)
    const serialOf = new Map(due.map(({ machineId, serial }) => [machineId, serial]))
    for (const [merchantId, some] of Map.groupBy(due, (command) => command.merchantId)) {
      const ids = some.map(({ id }) => id)
      const sent = await doors.withTenant(scopeOf(merchantId), (db) =>
        storeSent(db, ids, serialOf, transport.isReachable),
      )
      for (const { serial, command, message } of sent) {
        counted.commands.inc({ step: 'sent' })
        await traced(publication(command), async () => transport.sendCommand(serial, message))
        announce(merchantId, 'command', command.machineId)
      }
    }
    return due.length === commandsAtOnce
  }

  async function endOverdue(among: readonly string[] | undefined): Promise<boolean> {
    const overdue = await overdueCommands(doors, new Date(), commandsAtOnce, among)
    for (const [merchantId, some] of Map.groupBy(overdue, (command) => command.merchantId)) {
      const ids = some.map(({ id }) => id)
      const ended = await doors.withTenant(scopeOf(merchantId), (db) => storeExpired(db, merchantId, ids))
      for (const machineId of ended) announce(merchantId, 'command', machineId)
    }
    return false
  }

  const onFailure = (error: unknown) => log.debug({ error }, 'Commands could not be looked at')
  const sends = createNodeChecks(sendDue, onFailure)
  const ends = createNodeChecks(endOverdue, onFailure)
  const polling = setInterval(sends.begin, pollMs)
  const expiring = setInterval(ends.begin, expiryMs)

  return {
    async claim(machine, message) {
      const decided = await doors.withTenant(scopeOf(machine.merchantId), (db) => decideClaim(db, machine.id, message))
      counted.commands.inc({ step: decided?.go ? 'go' : 'noGo' })
      if (decided?.isChanged) announce(machine.merchantId, 'command', machine.id)
      if (decided?.isChanged && !decided.go) announce(machine.merchantId, 'media', machine.id)
      return { commandId: message.commandId, go: decided?.go ?? false }
    },

    async progress(machine, { commandId, phase, percent }) {
      const isNews = await doors.withTenant(scopeOf(machine.merchantId), (db) =>
        writeProgress(
          db,
          { merchantId: machine.merchantId, machineId: machine.id, commandId },
          { phase, percent },
          new Date(),
        ),
      )
      if (isNews) announce(machine.merchantId, 'command', machine.id)
    },

    async waitingFor(machine) {
      const { fetched, isChanged } = await doors.withTenant(scopeOf(machine.merchantId), (db) =>
        fetchWaiting(db, machine.id),
      )
      counted.commands.inc({ step: 'sent' }, fetched.length)
      if (isChanged) announce(machine.merchantId, 'command', machine.id)
      return Promise.all(fetched.map(({ command, message }) => traced(publication(command), async () => message)))
    },

    wake: sends.again,

    async stop() {
      clearInterval(polling)
      clearInterval(expiring)
      await Promise.all([sends.stop(), ends.stop()])
    },
  }
}
