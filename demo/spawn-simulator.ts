import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import { createBackoff } from '#server/retry/backoff.ts'
import type { ConnectorPlan } from '#simulator/connector/connector.ts'
import type { FleetMember } from '#simulator/fleet.ts'

const program = new URL('../simulator/main.ts', import.meta.url)
const startMs = 30_000
const stopMs = 8000
/** Pause before a crashed simulator restarts; longer if it crashes again at once. */
const restartMs = { leastMs: 5000, mostMs: 60_000 }
const calmMs = 60_000

export interface Simulator {
  /** The control server's address for the API; its token is the URL's password. */
  url: string
  /** Starts the machines. The gateway should already be listening. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The folder in which the simulator stores its machines. */
export const simulatorFolder = (dataDir: string) => join(resolve(dataDir), 'simulator')

/** Prepares the simulated machines, in a separate process that ends with this one. */
export async function spawnSimulator(options: {
  broker: string
  /** Origin of the portal from which machines fetch files. */
  portal: string
  dataDir: string
  fleet: readonly FleetMember[]
  /** Computers with the connector application; none by default. */
  connectors?: readonly ConnectorPlan[]
  log: Pick<Logger, 'warn' | 'debug'>
}): Promise<Simulator> {
  const token = randomBytes(24).toString('base64url')
  const port = await freePort()
  const orders = {
    broker: options.broker,
    portal: options.portal,
    members: options.fleet,
    connectors: options.connectors ?? [],
    folder: simulatorFolder(options.dataDir),
    control: { port, token },
  }
  const backoff = createBackoff(restartMs)
  let child: ChildProcess | undefined
  let isStopping = false

  const onFailure = (err: unknown) => options.log.warn({ err }, 'The simulated machines could not be started again')

  async function start() {
    const started = fork(program, {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--max-old-space-size=160', '--max-semi-space-size=2'],
    })
    child = started
    const startedAt = performance.now()
    let output = ''
    started.stderr?.on('data', (text) => {
      output = (output + text).slice(-2000)
    })
    started.once('exit', (code) => {
      if (isStopping) return
      options.log.warn({ code, said: output }, 'The simulated machines stopped and are being restarted')
      if (performance.now() - startedAt > calmMs) backoff.worked()
      setTimeout(() => !isStopping && void start().catch(onFailure), backoff.failed()).unref()
    })
    started.send(orders)
    const ready = once(started, 'message', { signal: AbortSignal.timeout(startMs) })
    await Promise.race([
      ready,
      once(started, 'exit').then(() => Promise.reject(new Error(`The simulator did not start. ${output}`))),
    ])
  }

  return {
    url: `http://simulator:${token}@127.0.0.1:${port}`,
    start,
    async stop() {
      isStopping = true
      const current = child
      if (!current || current.exitCode !== null || current.signalCode !== null) return
      current.kill('SIGTERM')
      const late = setTimeout(() => current.kill('SIGKILL'), stopMs)
      await once(current, 'exit')
      clearTimeout(late)
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('No port is free.')
  return address.port
}
