import { randomUUID } from 'node:crypto'
import type { DownCommand, Go, ResultItem } from '#contract/device-protocol.ts'
import { type RemoteCommandTypeName, remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import type { Behaviour } from './plan.ts'
import type { Random } from './random.ts'

export type Outcome = Pick<ResultItem, 'outcome' | 'info'>

export interface Obedience {
  command(command: DownCommand): void
  go(go: Go): void
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
 * How a machine takes commands: it asks before it executes (claim), executes only when told to go, once, and says how it ended.
 * `run` does what the type asks for; what the machine does not know is unsupported.
 */
export function openObedience(parts: {
  behaviour: Behaviour
  random: Random
  /** Ids of commands already taken, kept with the machine's memory. */
  taken: string[]
  claim(commandId: string, claimId: string): void
  run: Partial<Record<RemoteCommandTypeName, (parameters: Record<string, unknown>) => string | undefined>>
  report(commandId: string, outcome: Outcome): void
}): Obedience {
  const { behaviour, random, taken } = parts
  const { ask, run } = behaviour === 'slow' ? pace.slow : pace.usual
  const waiting = new Map<string, DownCommand>()
  const later = (ms: number, what: () => void) => setTimeout(what, ms * (0.7 + random.next() * 0.6)).unref()

  function askFor(commandId: string, claimId: string, times: number) {
    if (!waiting.has(commandId)) return
    if (times > asksAtMost) {
      waiting.delete(commandId)
      return
    }
    parts.claim(commandId, claimId)
    later(askAgainMs, () => askFor(commandId, claimId, times + 1))
  }

  function execute({ id, type, parameters }: DownCommand) {
    const name = remoteCommandTypes[type as keyof typeof remoteCommandTypes]
    const run = name && parts.run[name]
    if (!run || behaviour === 'unsupported') parts.report(id, { outcome: 'unsupported' })
    else if (behaviour === 'error') parts.report(id, { outcome: 'error', info: 'E-42 payout busy' })
    else {
      const info = run(parameters)
      parts.report(
        id,
        behaviour === 'warning' ? { outcome: 'warning', info: 'W-07 clock not set' } : { outcome: 'success', info },
      )
    }
  }

  return {
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
      later(run, () => execute(command))
    },
  }
}
