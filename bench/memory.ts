import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanUpAtEnd, freePort, ready, temporaryFolder } from './installation.ts'
import type { Measurement } from './measure.ts'

const root = join(import.meta.dirname, '..')

export const memory: Measurement = {
  title: 'Memory of the whole default start',
  about: `\`npm start\` in an empty data folder: npm itself, server, identity provider, broker, worker, PostgreSQL and 200 simulated machines
    that sell. Five minutes after the start, the proportional set sizes (PSS) of all its processes are summed: shared memory counts
    once. Only on Linux, which reports PSS.`,
  async run({ quick, say }) {
    const { dataDir, remove } = temporaryFolder()
    const port = await freePort()
    const mqttPort = await freePort()
    const npm = process.env.npm_execpath
    const child = spawn(npm ? process.execPath : 'npm', [...(npm ? [npm] : []), 'start'], {
      cwd: root,
      // A separate process group, so that the signal reaches npm and its children: npm does not pass signals on.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), MQTT_PORT: String(mqttPort) },
    })
    const end = cleanUpAtEnd(() => groupEnded(child.pid as number))
    try {
      await ready(`http://localhost:${port}`, child)
      const seconds = quick ? 20 : 300
      say(`ready; measured in ${seconds} s`)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      const processes = processTree(child.pid as number)
      for (const { name, megabytes, count } of byName(processes)) say(`${megabytes.toFixed(0)} MB ${name} (${count})`)
      const sum = processes.reduce((total, { megabytes }) => total + megabytes, 0)
      return [
        {
          what: `PSS of the ${processes.length} processes after ${quick ? '20 s' : 'five minutes'}`,
          figure: `${sum.toFixed(0)} MB`,
          value: sum,
          promised: { atMost: 1000, unit: 'MB' },
        },
      ]
    } finally {
      await end()
      await remove()
    }
  },
}

/** Stops a group of processes and waits until all have ended. */
async function groupEnded(pid: number): Promise<void> {
  let signal: NodeJS.Signals | 0 = 'SIGTERM'
  for (;;) {
    try {
      process.kill(-pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw error
    }
    signal = 0
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

interface Process {
  name: string
  megabytes: number
}

/** A process with all its descendants. */
function processTree(pid: number): Process[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const parent = parentOf(entry)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const processes: Process[] = []
  const queue = [pid]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const one = sizeOf(next)
    if (one) processes.push(one)
    queue.push(...(children.get(next) ?? []))
  }
  return processes
}

/** A process may end while its memory is read. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

/** The fourth field of `stat`. The second field, the name in parentheses, may contain any character. */
const parentOf = (pid: string) =>
  unlessGone(() =>
    Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    ),
  )

function sizeOf(pid: number): Process | undefined {
  return unlessGone(() => {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
    return { name: nameOf(words), megabytes: (Number(kilobytes) / 1000) * 1.024 }
  })
}

function nameOf(words: readonly string[]): string {
  const [program = ''] = words
  if (/postgres/.test(program)) return 'PostgreSQL'
  return (words.find((word) => /\.(ts|mjs|js)$/.test(word)) ?? program).split('/').slice(-2).join('/')
}

function byName(processes: readonly Process[]) {
  const groups = Map.groupBy(processes, ({ name }) => name)
  return [...groups]
    .map(([name, all]) => ({ name, count: all.length, megabytes: all.reduce((sum, one) => sum + one.megabytes, 0) }))
    .sort((one, other) => other.megabytes - one.megabytes)
}
