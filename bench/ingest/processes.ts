import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findTool, tools } from '../../scripts/tools.ts'
import { cleanUpAtEnd, ended, freePort } from '../installation.ts'
import type { Load, Order, Seller, Sent } from './generator.ts'

/** A generator in a separate process. */
export interface Generator {
  connect(port: number, sellers: readonly Seller[]): Promise<void>
  send(load: Load): Promise<Sent>
  listen(port: number): Promise<void>
  /** Resolves when it has received this many messages since the last call. */
  whenHeard(messages: number): Promise<void>
  stop(): Promise<void>
}

function forked(file: string, env: Record<string, string> = {}): { child: ChildProcess; stop: () => Promise<void> } {
  const child = fork(join(import.meta.dirname, file), { env: { ...process.env, ...env } })
  return { child, stop: cleanUpAtEnd(() => ended(child)) }
}

/** The next message of a process. Rejects if the process ends first. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const left = new AbortController()
  try {
    return await Promise.race([
      once(child, 'message', { signal: left.signal }).then(([answer]) => answer),
      once(child, 'exit', { signal: left.signal }).then(([code]) => {
        throw new Error(`${child.spawnargs.at(-1)} ended with exit code ${code}.`)
      }),
    ])
  } finally {
    left.abort()
  }
}

export function aGenerator(): Generator {
  const { child, stop } = forked('generator.ts')
  const ask = (order: Order) => {
    child.send(order)
    return answerOf(child)
  }
  return {
    connect: async (port, sellers) => void (await ask({ do: 'connect', port, sellers })),
    send: async (load) => (await ask({ do: 'send', load })) as Sent,
    listen: async (port) => void (await ask({ do: 'listen', port })),
    whenHeard: async (messages) => void (await ask({ do: 'heard', messages })),
    stop,
  }
}

export interface Standing {
  port: number
  pid: number
  stop(): Promise<void>
}

/** The naive handler on the same database. */
export async function aNaiveHandler(databaseUrl: string, rolePassword: string): Promise<Standing> {
  const { child, stop } = forked('naive.ts', { DATABASE_URL: databaseUrl, ROLE_PASSWORD: rolePassword })
  const port = (await answerOf(child)) as number
  return { port, pid: child.pid as number, stop }
}

/** A Mosquitto without users that drops nothing; undefined if none is installed. */
export async function aForwardingMosquitto(): Promise<Standing | undefined> {
  const program = findTool(tools.mosquitto)
  if (!program) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'gettone-bench-mosquitto-'))
  const port = await freePort()
  const settings = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'max_queued_messages 0',
    'max_inflight_messages 0',
    process.getuid?.() === 0 ? 'user root' : '',
  ]
  writeFileSync(join(folder, 'mosquitto.conf'), `${settings.join('\n')}\n`)
  const child = spawn(program, ['-c', join(folder, 'mosquitto.conf')], { stdio: 'ignore' })
  const stop = cleanUpAtEnd(async () => {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  })
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`Mosquitto ended with exit code ${child.exitCode}.`)
    await pause(50)
  }
  return { port, pid: child.pid as number, stop }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
