import type { DeviceAnswer, Refusal } from '#contract/device-protocol.ts'
import type { Doors } from '#database/frame/tenant.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { ackOf } from '../acknowledgements.ts'
import type { Budget } from '../budget.ts'
import type { Commands } from '../commands.ts'
import type { Receiver } from '../receive.ts'
import type { Refills } from '../stock/refills.ts'
import { journalOf } from './machine-journal.ts'
import type { Overload } from './overload.ts'

/** The answers to machines that send over HTTP. */
export interface DeviceAnswers {
  /**
   * Receives a message over HTTP. Returns the answer that MQTT would send, and the refusal when the whole message was
   * refused.
   */
  receive(
    machine: KnownMachine,
    kind: string,
    payload: Uint8Array,
  ): Promise<{ answer: DeviceAnswer; refused: Refusal[] }>
  /** Commands and refills of a machine that requests them. */
  waiting(machine: KnownMachine): Promise<Pick<DeviceAnswer, 'commands' | 'refills'>>
}

/** Answers machines over HTTP with what MQTT would send them. */
export function createDeviceAnswers(parts: {
  doors: Doors
  budget: Budget
  overload: Overload
  receiver: Receiver
  commands: Commands
  refills: Refills
  recovery: () => number
}): DeviceAnswers {
  const { doors, budget, overload, receiver, commands, refills, recovery } = parts
  return {
    async receive(machine, kind, payload) {
      const release = budget.take(machine.serial, payload.length + 256)
      const done = overload.received(machine.serial)
      try {
        const incoming = { kind, payload, transport: 'http' as const, isRepeated: false, receivedAt: new Date() }
        const { journal, assigned, go, authorised, blocked, linked, refused, isRefused } = await receiver.receive(
          machine,
          incoming,
        )
        const waiting = isRefused ? [] : await commands.waitingFor(machine)
        const waitingRefills = isRefused ? [] : await refills.waitingFor(machine, { isAsked: kind === 'hello' })
        const ack = {
          ...ackOf(journal ?? (await journalOf(doors, machine)), {
            timeZone: machine.timeZone,
            recovery: recovery(),
            lastAssigned: assigned ?? 0,
          }),
          ...(refused.length > 0 && { refused }),
        }
        return {
          answer: {
            ack,
            commands: waiting,
            ...(waitingRefills.length > 0 && { refills: waitingRefills }),
            ...(go && { go }),
            ...(authorised && { authorised }),
            ...(blocked && { blocked }),
            ...(linked && { linked }),
          },
          refused: isRefused ? refused : [],
        }
      } finally {
        release()
        done()
      }
    },
    async waiting(machine) {
      const waitingRefills = await refills.waitingFor(machine, { isAsked: true })
      return {
        commands: await commands.waitingFor(machine),
        ...(waitingRefills.length > 0 && { refills: waitingRefills }),
      }
    },
  }
}
