import type { Disturbance } from '#agent/emulator/disturbance.ts'
import type { LineSession, LineStep, TransferOutcome } from '#agent/line/session.ts'
import { lineTime } from '#agent/line/talk.ts'

const undisturbed: Disturbance = (byte) => [{ byte, delay: 0 }]

export interface ConversationOptions {
  baud: number
  disturb?: Disturbance
  /** Milliseconds after which a conversation that has not ended is a fault of the protocol: an error is thrown. */
  limit?: number
  /** Bytes of neither side. */
  intruders?: readonly { at: number; to: Name; byte: number }[]
  /** Begins the machine's side again after each end, as a real one waits for the next reader. */
  again?: () => LineSession<unknown>
  /** When the machine loses its power and begins again; what it was sending breaks off. */
  resets?: readonly number[]
}

export interface Conversation<T> {
  carrier: TransferOutcome<T>
  machine: TransferOutcome<unknown> | undefined
  /** Virtual milliseconds. */
  took: number
}

interface Side {
  session: LineSession<unknown>
  baud: number
  wakeAt: number | undefined
  sent: number
  /** The line is busy with its own bytes until then. */
  freeAt: number
  outcome?: TransferOutcome<unknown>
}

const never = Number.POSITIVE_INFINITY

type Name = 'carrier' | 'machine'
type Arrival = { at: number; from: Name | undefined; to: Name; byte: number; baud: number | undefined }

/** Lets a carrier and a machine talk in virtual time, byte by byte, until the carrier is done. */
export function converse<T>(
  carrier: LineSession<T>,
  machine: LineSession<unknown>,
  { baud, disturb = undisturbed, limit = 3_600_000, intruders = [], again, resets = [] }: ConversationOptions,
): Conversation<T> {
  let now = 0
  const sideOf = (session: LineSession<unknown>): Side => ({ session, baud, wakeAt: 0, sent: 0, freeAt: 0 })
  const sides = { carrier: sideOf(carrier), machine: sideOf(machine) }
  const powerCuts = [...resets].sort((one, other) => one - other)
  /** In the order of their times; those before `arrived` are past. */
  let arrivals: Arrival[] = []
  let arrived = 0
  function arrive(arrival: Arrival) {
    let place = arrivals.length
    while (place > arrived && (arrivals[place - 1]?.at ?? 0) > arrival.at) place--
    if (place === arrivals.length) arrivals.push(arrival)
    else arrivals.splice(place, 0, arrival)
  }
  for (const { at, to, byte } of intruders) arrive({ at, from: undefined, to, byte, baud: undefined })

  function follow(name: Name, step: LineStep<unknown>) {
    const side = sides[name]
    side.wakeAt = step.wakeAt
    for (const act of step.acts) {
      if (act.kind === 'rate') side.baud = act.baud
      else transmit(name, act.bytes)
    }
    side.outcome = step.outcome
    if (step.outcome && name === 'machine' && again) restart(again())
  }

  function restart(session: LineSession<unknown>) {
    sides.machine = { ...sides.machine, session, baud, outcome: undefined }
    follow('machine', session.begin(now))
  }

  function transmit(from: Name, bytes: Uint8Array) {
    const side = sides[from]
    const other = from === 'carrier' ? 'machine' : 'carrier'
    for (const byte of bytes) {
      side.freeAt = Math.max(side.freeAt, now) + lineTime(1, side.baud)
      for (const one of disturb(byte, { from, index: side.sent++, at: side.freeAt })) {
        const to = one.isEcho ? from : other
        arrive({ at: side.freeAt + one.delay, from, to, byte: one.byte, baud: side.baud })
      }
    }
  }

  for (const name of ['machine', 'carrier'] as const) follow(name, sides[name].session.begin(0))
  while (!sides.carrier.outcome) {
    const first = arrivals[arrived]
    const next = Math.min(
      sides.machine.wakeAt ?? never,
      sides.carrier.wakeAt ?? never,
      first?.at ?? never,
      powerCuts[0] ?? never,
    )
    if (!Number.isFinite(next) || next > limit) throw new Error('The conversation does not end')
    now = Math.max(now, next)
    if (powerCuts[0] !== undefined && powerCuts[0] <= now) {
      powerCuts.shift()
      arrivals = arrivals.slice(arrived).filter(({ from }) => from !== 'machine')
      arrived = 0
      sides.machine.freeAt = now
      if (again) restart(again())
    } else if (first && first.at <= now) {
      arrived++
      const side = sides[first.to]
      // At another speed a byte arrives as something else.
      const byte = first.baud === undefined || first.baud === side.baud ? first.byte : (first.byte ^ 0xa7) & 0xff
      if (!side.outcome) follow(first.to, side.session.take(Uint8Array.of(byte), now))
    } else
      for (const name of ['machine', 'carrier'] as const) {
        const side = sides[name]
        if (side.wakeAt !== undefined && side.wakeAt <= now && !side.outcome) follow(name, side.session.wake(now))
      }
  }
  return { carrier: sides.carrier.outcome as TransferOutcome<T>, machine: sides.machine.outcome, took: now }
}
