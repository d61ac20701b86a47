import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Pseudo-terminals need Python: Node opens none itself. */
export const hasPortPairs = process.platform === 'linux' && spawnSync('python3', ['--version']).status === 0

export interface PortPair {
  /** Paths of two ports: what is sent to one arrives at the other. */
  carrier: string
  machine: string
  close(): Promise<void>
}

/** Two serial ports that are wired to each other. */
export async function openPortPair(): Promise<PortPair> {
  const wire = spawn('python3', [join(import.meta.dirname, 'pty.py')], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(wire, 'exit')
  const [line] = (await once(createInterface(wire.stdout), 'line')) as [string]
  const [carrier = '', machine = ''] = line.split(' ')
  return {
    carrier,
    machine,
    async close() {
      wire.stdin.end()
      await exited
    },
  }
}
