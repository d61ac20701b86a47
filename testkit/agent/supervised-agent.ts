import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** An agent that is started again whenever it ends, as systemd does it, until the test ends. */
export function superviseAgent(launcher: string, folder: string, environment: Record<string, string> = {}) {
  let isOver = false
  let child: ChildProcess | undefined
  let text = ''
  let starts = 0

  async function supervise() {
    while (!isOver) {
      starts++
      child = spawn(process.execPath, [launcher, 'run', '--folder', folder], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (bytes: Buffer) => {
          text += bytes.toString()
        })
      await once(child, 'close')
      await pause(200)
    }
  }
  const over = supervise()
  onTestFinished(async () => {
    isOver = true
    child?.kill('SIGKILL')
    await over
  })
  return { said: () => text, starts: () => starts, kill: () => void child?.kill('SIGKILL') }
}
