import { randomUUID } from 'node:crypto'
import type { DownCommand, Go } from '#contract/device-protocol.ts'
import type { AgentJournal } from '../journal/journal.ts'

export type Outcome = { outcome: 'success' | 'warning' | 'error' | 'unsupported'; info?: string }

/** A command as it is executed. Without an outcome the agent ends, and another start reports it. */
export type CommandAction = (parameters: Record<string, unknown>, commandId: string) => Promise<Outcome | undefined>

/** Claims each command before it is executed, executes it once after a go, and reports its end. */
export interface CommandRunner {
  /** Reports the end of commands that ran when the power failed, except a command that is still executed. */
  resume(executedId?: string): void
  command(command: DownCommand): void
  go(go: Go): void
  stop(): void
}

/** A claim without an answer is repeated after so many milliseconds, so many times. */
const claimAgainMs = 8000
const claims = 4

export interface CommandRunnerParts {
  journal: Pick<AgentJournal, 'knows' | 'begin' | 'underway'>
  claim(claim: { id: string; commandId: string }): void
  action(type: number): CommandAction | undefined
  report(commandId: string, outcome: Outcome): void
  /** The disk took no more: the command is not executed, or its end is not reported. */
  failed(error: unknown): void
}

export function openCommandRunner({ journal, claim, action, report, failed }: CommandRunnerParts): CommandRunner {
  const waiting = new Map<string, DownCommand>()
  const timers = new Set<NodeJS.Timeout>()
  let isStopped = false

  function claimFor(commandId: string, id: string, times: number) {
    if (isStopped || !waiting.has(commandId)) return
    if (times > claims) {
      waiting.delete(commandId)
      return
    }
    claim({ id, commandId })
    const timer = setTimeout(() => {
      timers.delete(timer)
      claimFor(commandId, id, times + 1)
    }, claimAgainMs)
    timers.add(timer)
  }

  async function execute({ id, type, parameters }: DownCommand) {
    const outcome = await outcomeOf({ id, type, parameters })
    if (!isStopped && outcome) report(id, outcome)
  }

  async function outcomeOf({ id, type, parameters }: Omit<DownCommand, 'expiresInSeconds'>) {
    const run = action(type)
    if (!run) return { outcome: 'unsupported' } as const
    try {
      return await run(parameters, id)
    } catch (error) {
      return { outcome: 'error', info: error instanceof Error ? error.message : String(error) } as const
    }
  }

  return {
    resume(executedId) {
      for (const commandId of journal.underway().filter((id) => id !== executedId))
        report(commandId, { outcome: 'error', info: 'The agent was restarted while the command ran' })
    },
    command(command) {
      if (waiting.has(command.id) || journal.knows(command.id)) return
      waiting.set(command.id, command)
      claimFor(command.id, randomUUID(), 1)
    },
    go({ commandId, go }) {
      const command = waiting.get(commandId)
      waiting.delete(commandId)
      if (!command || !go) return
      try {
        journal.begin(commandId)
        execute(command).catch(failed)
      } catch (error) {
        failed(error)
      }
    },
    stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
