import { randomUUID } from 'node:crypto'
import type { DownCommand, Go, ResultItem } from '#contract/device-protocol.ts'
import { CannotError, type Duty } from './duties.ts'
import type { Behaviour } from './plan.ts'
import type { Random } from './random.ts'

export type Outcome = Pick<ResultItem, 'outcome' | 'info'>

export interface Obedience {
  /** Says the end of what was under way when the machine went off. */
  resume(): void
  command(command: DownCommand): void
  go(go: Go): void
  /** Stops all actions; the results of running commands are reported after the next start. */
  stop(): void
}

const secondMs = 1000
/** How long a machine takes before it asks, and then to execute. */
const pace = { usual: { ask: 0.4 * secondMs, run: secondMs }, slow: { ask: 15 * secondMs, run: 75 * secondMs } }
/** Without an answer to its question it asks again, some times. */
const askAgainMs = 8 * secondMs
const asksAtMost = 4
/** So many past commands are known by their ids. */
const remembered = 40

/**
 * How a machine handles commands: it claims, executes once on approval, and reports the result. `duty` finds the
 * action of the type; unknown types are unsupported. A command that ran during a power cut ends as an error: it may
 * have been executed, and is not executed again.
 */
export function openObedience(parts: {
  behaviour: Behaviour
  random: Random
  /** Ids of commands already taken, kept with the machine's memory. */
  taken: string[]
  /** Ids of commands whose end is owed, kept there as well. */
  underway: string[]
  /** Writes both down; a machine that loses its power then still knows. */
  keep(): void
  claim(commandId: string, claimId: string): void
  duty(type: number): Duty | undefined
  report(commandId: string, outcome: Outcome): void
}): Obedience {
  const { behaviour, random, taken, underway } = parts
  const { ask, run } = behaviour === 'slow' ? pace.slow : pace.usual
  const waiting = new Map<string, DownCommand>()
  const timers = new Set<NodeJS.Timeout>()

  function later(ms: number, what: () => void) {
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        what()
      },
      ms * (0.7 + random.next() * 0.6),
    ).unref()
    timers.add(timer)
  }

  function askFor(commandId: string, claimId: string, times: number) {
    if (!waiting.has(commandId)) return
    if (times > asksAtMost) {
      waiting.delete(commandId)
      return
    }
    parts.claim(commandId, claimId)
    later(askAgainMs, () => askFor(commandId, claimId, times + 1))
  }

  function end(commandId: string, outcome: Outcome) {
    const index = underway.indexOf(commandId)
    if (index >= 0) underway.splice(index, 1)
    parts.report(commandId, outcome)
  }

  function outcomeOf({ type, parameters }: DownCommand): Outcome {
    const duty = parts.duty(type)
    if (!duty || behaviour === 'unsupported') return { outcome: 'unsupported' }
    if (behaviour === 'error') return { outcome: 'error', info: 'E-42 payout busy' }
    try {
      const info = duty(parameters)
      return behaviour === 'warning' ? { outcome: 'warning', info: 'W-07 clock not set' } : { outcome: 'success', info }
    } catch (error) {
      if (error instanceof CannotError) return { outcome: 'error', info: error.message }
      throw error
    }
  }

  return {
    resume() {
      for (const commandId of [...underway]) end(commandId, { outcome: 'error', info: 'E-90 power failed meanwhile' })
    },
    command(command) {
      if (behaviour === 'mute' || waiting.has(command.id) || taken.includes(command.id)) return
      waiting.set(command.id, command)
      later(ask, () => askFor(command.id, randomUUID(), 1))
    },
    go({ commandId, go }) {
      const command = waiting.get(commandId)
      waiting.delete(commandId)
      if (!command || !go) return
      taken.push(commandId)
      if (taken.length > remembered) taken.shift()
      underway.push(commandId)
      parts.keep()
      later(run, () => end(commandId, outcomeOf(command)))
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
