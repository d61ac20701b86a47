import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A relay that does not answer within this time is broken. */
const longestMs = 60_000

/** Runs the command of the shell that restarts the machine. Throws with its words when it fails. */
export async function runRestart(command: string): Promise<void> {
  const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'pipe'], timeout: longestMs })
  let words = ''
  shell.stderr.on('data', (bytes: Buffer) => {
    words = (words + bytes.toString()).slice(-500)
  })
  const [code] = (await once(shell, 'close')) as [number | null]
  if (code !== 0) throw new Error(words.trim() || `The command ended with ${code ?? 'a time-out'}`)
}
