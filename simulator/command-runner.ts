import { randomUUID } from 'node:crypto'
import type { DownCommand, Go, ResultItem } from '#contract/device-protocol.ts'
import type { UpdatePhase } from '#contract/vocabulary/update.ts'
import { type CommandAction, CommandFailedError, type During } from './command-actions.ts'
import { PowerCutError, UpdateFailedError } from './downloads/updates.ts'
import type { Behaviour } from './plan.ts'
import type { Random } from './random.ts'

export type Outcome = Pick<ResultItem, 'outcome' | 'info'>

export interface CommandRunner {
  /** Reports the end of commands that were running when the machine stopped. */
  resume(): void
  command(command: DownCommand): void
  go(go: Go): void
  /** Stops all actions; the results of running commands are reported after the next start. */
  stop(): void
}

const secondMs = 1000
/** Delay before a claim, and the duration of the execution. */
const pace = { usual: { ask: 0.4 * secondMs, run: secondMs }, slow: { ask: 15 * secondMs, run: 75 * secondMs } }
/** A claim without an answer is repeated after this time, a few times. */
const claimAgainMs = 8 * secondMs
const maximumClaims = 4
/** Number of past commands remembered by their ids. */
const remembered = 40

interface CommandRunnerParts {
  behaviour: Behaviour
  random: Random
  /** Ids of received commands, stored in the machine's memory. */
  handled: string[]
  /** Ids of commands without a reported end, stored there too. */
  underway: string[]
  /** Stores both lists, so that they survive a power cut. */
  keep(): void
  claim(commandId: string, claimId: string): void
  action(type: number): CommandAction | undefined
  report(commandId: string, outcome: Outcome): void
  /** Says how far a command is. */
  progress?(commandId: string, phase: UpdatePhase, percent?: number): void
}

/**
 * How a machine handles commands: it claims, executes once on approval, and reports the result. `action` finds the
 * action of the type; unknown types are unsupported. A command that ran during a power cut ends as an error: it may
 * have been executed, and is not executed again.
 */
export function openCommandRunner(parts: CommandRunnerParts): CommandRunner {
  const { behaviour, random, handled, underway } = parts
  const { ask, run } = behaviour === 'slow' ? pace.slow : pace.usual
  const waiting = new Map<string, DownCommand>()
  const timers = new Set<NodeJS.Timeout>()
  /** Aborted when the machine stops. */
  const power = new AbortController()

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

  function claimFor(commandId: string, claimId: string, times: number) {
    if (!waiting.has(commandId)) return
    if (times > maximumClaims) {
      waiting.delete(commandId)
      return
    }
    parts.claim(commandId, claimId)
    later(claimAgainMs, () => claimFor(commandId, claimId, times + 1))
  }

  function end(commandId: string, outcome: Outcome) {
    const index = underway.indexOf(commandId)
    if (index >= 0) underway.splice(index, 1)
    parts.report(commandId, outcome)
  }

  const failed = (error: unknown): Outcome => {
    if (error instanceof CommandFailedError || error instanceof UpdateFailedError)
      return { outcome: 'error', info: error.message }
    throw error
  }
  const done = (info: string | undefined): Outcome =>
    behaviour === 'warning' ? { outcome: 'warning', info: 'W-07 clock not set' } : { outcome: 'success', info }

  function execute(command: DownCommand) {
    const outcome = outcomeOf(command)
    if (!(outcome instanceof Promise)) return end(command.id, outcome)
    // A machine without power says nothing; it reports the end after its next start.
    outcome.then(
      (ended) => power.signal.aborted || end(command.id, ended),
      (error: unknown) => {
        if (!power.signal.aborted && !(error instanceof PowerCutError)) throw error
      },
    )
  }

  function outcomeOf({ id, type, parameters }: DownCommand): Outcome | Promise<Outcome> {
    const action = parts.action(type)
    if (!action || behaviour === 'unsupported') return { outcome: 'unsupported' }
    if (behaviour === 'error') return { outcome: 'error', info: 'E-42 payout busy' }
    try {
      const { signal } = power
      const progress: During['progress'] = (phase, percent) => parts.progress?.(id, phase, percent)
      const info = action(parameters, { progress, signal })
      return info instanceof Promise ? info.then(done, failed) : done(info)
    } catch (error) {
      return failed(error)
    }
  }

  return {
    resume() {
      for (const commandId of [...underway]) end(commandId, { outcome: 'error', info: 'E-90 power failed meanwhile' })
    },
    command(command) {
      if (behaviour === 'mute' || waiting.has(command.id) || handled.includes(command.id)) return
      waiting.set(command.id, command)
      later(ask, () => claimFor(command.id, randomUUID(), 1))
    },
    go({ commandId, go }) {
      const command = waiting.get(commandId)
      waiting.delete(commandId)
      if (!command || !go) return
      handled.push(commandId)
      if (handled.length > remembered) handled.shift()
      underway.push(commandId)
      parts.keep()
      later(run, () => execute(command))
    },
    stop() {
      power.abort()
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
