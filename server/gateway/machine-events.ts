import type { DownKind } from '#contract/device-protocol.ts'
import { connections } from '#contract/vocabulary/device.ts'
import { isAway } from '#database/frame/transient.ts'
import { traced } from '#database/frame/watching/cause.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import type { LogFailure, OnceLog } from '../log/once-log.ts'
import { StoppedError } from '../threads/stopped.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import type { Transport, TransportEvents } from './brokers/transport.ts'
import type { Commands } from './commands.ts'
import type { Conditions } from './conditions.ts'
import type { DeadLetterBox } from './dead-letter-box.ts'
import type { KnownMachines } from './known-machines.ts'
import type { Receiver } from './receive.ts'
import { MachineGoneError } from './receiving/machine-gone.ts'
import type { Overload } from './receiving/overload.ts'
import { wholeRefusal } from './refusals.ts'
import { epochIn } from './secret-use.ts'
import type { Refills } from './stock/refills.ts'

export interface MachineEvents {
  /** Events of machines at the broker. */
  events: TransportEvents
  /** For work without an answer. If the machine cannot be found now, the work is skipped. */
  withMachine(serial: string, work: (machine: KnownMachine) => Promise<void>): void
}

interface MachineEventsParts {
  knownMachines: KnownMachines
  receiver: Receiver
  acknowledgements: Acknowledgements
  commands: Commands
  refills: Refills
  conditions: Conditions
  deadLetters: DeadLetterBox
  overload: Pick<Overload, 'received' | 'listening'>
  /** Undefined before the broker has started. */
  transport: () => Transport | undefined
  noteSecretUse: (machine: KnownMachine) => void
  logOnce: OnceLog
  logFailure: LogFailure
}

/** The span of a message over MQTT. It begins a trace: machines send none. */
const receptionOf = (serial: string, kind: string) => ({
  name: `receive ${kind}`,
  kind: 'consumer' as const,
  facts: { 'messaging.system': 'mqtt', 'gettone.message': kind, 'gettone.serial': serial },
  parent: null,
})

/** The gateway's reactions when machines connect, send over MQTT and disconnect. */
export function createMachineEvents(parts: MachineEventsParts): MachineEvents {
  const { knownMachines, receiver, acknowledgements, commands, conditions, deadLetters, logOnce, logFailure } = parts

  async function sendWaiting(machine: KnownMachine): Promise<void> {
    for (const command of await commands.waitingFor(machine))
      parts.transport()?.send(machine.serial, 'command', JSON.stringify(command))
    for (const refill of await parts.refills.waitingFor(machine, { isAsked: true }))
      parts.transport()?.send(machine.serial, 'refill', JSON.stringify(refill))
  }

  /** Receives a message over MQTT and sends the machine the result. */
  async function hear(serial: string, kind: string, payload: Uint8Array, isRepeated: boolean): Promise<void> {
    const receivedAt = new Date()
    const machine = await knownMachines.find(serial)
    if (!machine) throw new MachineGoneError()
    // An external broker authenticates machines. Only the epoch shows that the newest secret arrived.
    if (!machine.isSecretUsed && epochIn(payload) === machine.epoch) parts.noteSecretUse(machine)
    const incoming = { kind, payload, transport: 'mqtt' as const, isRepeated, receivedAt }
    const { journal, assigned, go, authorised, blocked, linked, refused } = await receiver.receive(machine, incoming)
    if (assigned !== null) acknowledgements.assigned(serial, assigned)
    if (refused.length > 0) acknowledgements.refuse(serial, refused)
    if (journal) acknowledgements.note(machine, journal)
    for (const [name, answer] of Object.entries({ go, authorised, blocked, linked }))
      if (answer) parts.transport()?.send(serial, name as DownKind, JSON.stringify(answer))
    if (kind === 'hello')
      sendWaiting(machine).catch(
        logFailure('A machine’s waiting commands are not sent; they are sent when they are due'),
      )
  }

  function withMachine(serial: string, work: (machine: KnownMachine) => Promise<void>): void {
    knownMachines
      .find(serial)
      // A deleted machine may have missed its dismissal.
      .then((machine) => (machine ? work(machine) : parts.transport()?.dismiss(serial)))
      .catch(logFailure('What a machine did at the broker is not noted'))
  }

  const events: TransportEvents = {
    async message(serial, kind, payload, isRepeated) {
      const done = parts.overload.received(serial)
      try {
        await traced(receptionOf(serial, kind), () => hear(serial, kind, payload, isRepeated))
      } catch (error) {
        if (error instanceof MachineGoneError) parts.transport()?.disconnect(serial)
        else if (!(error instanceof StoppedError || isAway(error)))
          logOnce(`fault ${serial}`, { error, serial, kind }, 'A message cannot be stored; its machine keeps it')
        throw error
      } finally {
        done()
      }
    },
    async unknownKind(serial, kind, payload) {
      if (await knownMachines.find(serial)) return hear(serial, kind, payload, false)
      const reason = 'unknownKind: no message of this kind exists'
      await deadLetters.keep({ serial, merchantId: null, kind, transport: 'mqtt', reason, payload })
    },
    oversized(serial, bytes) {
      const detail = `${bytes} bytes were announced and none were read; send fewer items at once`
      const reason = `oversized: ${detail}`
      acknowledgements.refuse(serial, [wholeRefusal('', { code: 'oversized', detail })])
      knownMachines
        .find(serial)
        .then((machine) => {
          const merchantId = machine?.merchantId ?? null
          return deadLetters.keep({ serial, merchantId, kind: '', transport: 'mqtt', reason, payload: Buffer.alloc(0) })
        })
        .catch(logFailure('A message that was too large is not among the dead letters'))
    },
    listening(serial) {
      parts.overload.listening(serial)
      withMachine(serial, sendWaiting)
    },
    alive: (serial) =>
      withMachine(serial, async ({ merchantId, id: machineId }) => {
        const now = new Date()
        conditions.note({ merchantId, machineId, lastSeenAt: now, lastPingAt: now, connection: connections.online })
      }),
    gone(serial) {
      acknowledgements.forget(serial)
      withMachine(serial, async ({ merchantId, id: machineId }) => {
        if (parts.transport()?.isReachable(serial)) return
        conditions.note({ merchantId, machineId, lastSeenAt: new Date(), connection: connections.offline })
      })
    },
  }
  return { events, withMachine }
}
