import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const main = join(import.meta.dirname, '..', '..', 'agent', 'main.ts')

/** The agent's program with its arguments, as a person starts it. */
export interface AgentProcess {
  /** What it has printed. */
  said(): string
  /** The exit code; null after a signal. */
  ended: Promise<number | null>
  kill(signal: NodeJS.Signals): Promise<void>
}

/** Starts the agent's program; it is stopped when the test ends. */
export function startAgentProcess(...args: string[]): AgentProcess {
  const child: ChildProcess = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      text += bytes.toString()
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  onTestFinished(() => kill('SIGKILL'))
  return { said: () => text, ended, kill }
}
