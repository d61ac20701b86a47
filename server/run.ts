import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { SchemaError } from '#database/distribute/migrate.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { EmbeddedPostgresError } from './postgres/error.ts'
import './young-generation.ts'
import type { DemoAccount } from './identity/pages.ts'
import { openLog } from './log/open-log.ts'
import { keptSecret, openStorage, type Storage } from './postgres/storage.ts'
import { selfSigned } from './secrets/self-signed.ts'
import { type Running, type ServerRole, serverRoles, startServer } from './start.ts'

/** What a start of the demo adds: its data before the server listens, its machines afterwards. */
export interface PreparedDemo {
  accounts: readonly DemoAccount[]
  simulatorUrl: string
  /** Starts the machines. Call it when the gateway listens. */
  startFleet(): Promise<{ stop(): Promise<void> }>
  greeting(facts: { seconds: number }): string[]
}

export type PrepareDemo = (options: {
  config: Config
  storage: Storage
  log: Logger
  say: (line: string) => void
}) => Promise<PreparedDemo>

/** Exits with one sentence for the user at the terminal. LOG_LEVEL=debug shows the cause. */
function giveUp(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

/** `--role api|gateway|worker`, several times or separated by commas; all of them by default. */
function rolesRequested(words: readonly string[]): ServerRole[] {
  const named = words.flatMap((word, index) => (words[index - 1] === '--role' ? word.split(',') : []))
  const unknown = named.find((role) => !(serverRoles as readonly string[]).includes(role))
  if (unknown !== undefined) giveUp(`Unknown role "${unknown}". Use --role with ${serverRoles.join(', ')}.`)
  return named.length > 0 ? (named as ServerRole[]) : [...serverRoles]
}

/** The reason of a failed start, in one sentence. */
function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError) return error.sentences.join('\n')
  if (error instanceof EmbeddedPostgresError || error instanceof SchemaError) return error.message
  const { code, port, syscall, message, path } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use: stop the process that uses it, or set PORT or MQTT_PORT to another port.`
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${port} cannot be opened by this user: choose a port above 1023.`
  if (code === 'ENOSPC') return 'The disk is full: free some space and start again.'
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `${path ?? 'The data folder'} cannot be written by this user.`
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${path ?? 'The data folder'} must be a folder.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return `The database in DATABASE_URL cannot be reached (${message}).`
  return `Gettone could not start: ${message}`
}

/**
 * Runs the server in this process until a signal ends it. A failed start ends the process with one sentence. `prepareDemo` is what
 * `npm start` adds.
 */
export async function run({ prepareDemo }: { prepareDemo?: PrepareDemo } = {}): Promise<void> {
  const roles = rolesRequested(process.argv.slice(2))
  const parts: (() => Promise<void>)[] = []
  const stop = stopper(parts)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
  try {
    await start(roles, parts, prepareDemo)
  } catch (error) {
    if (process.env.LOG_LEVEL === 'debug') console.error(error)
    console.error(sentenceOf(error))
    await stop(1)
  }
}

/** Ends the process: the started parts stop in reverse order. A second call waits for the first. */
function stopper(parts: readonly (() => Promise<void>)[]): (code: number) => Promise<never> {
  let isStopping = false
  return async (code) => {
    if (isStopping) return new Promise<never>(() => {})
    isStopping = true
    const late = setTimeout(() => process.exit(code || 1), 25_000)
    late.unref()
    for (const stopPart of parts.toReversed()) await stopPart().catch((error: unknown) => console.error(error))
    process.exit(code)
  }
}

function configOf(dataDir: string): Config {
  const production = process.env.NODE_ENV === 'production'
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
  return readConfig(
    { ...process.env, ...(process.env.DEMO && !process.env.HOST && process.env.HTTPS ? { HOST: '0.0.0.0' } : {}) },
    { production, version, ...(process.env.SECRET_KEY || production ? {} : { keptSecret: keptSecret(dataDir) }) },
  )
}

/** Starts storage, server and machines in this order; each started part enters `parts` at once. */
async function start(roles: ServerRole[], parts: (() => Promise<void>)[], prepareDemo: PrepareDemo | undefined) {
  const startedAt = Date.now()
  const read = configOf(process.env.DATA_DIR ?? '.data')
  if (read.DEMO && !prepareDemo) giveUp('DEMO is set: start the demo with npm start, or unset DEMO.')
  const log = openLog(read.DEMO && !process.env.LOG_LEVEL ? 'warn' : read.LOG_LEVEL)
  const say = (line: string) => (read.DEMO ? console.log(`  ${line}`) : log.info(line))
  const storage = await openStorage(read, say)
  parts.push(storage.stop)
  const { config } = storage
  const demo = config.DEMO ? await prepareDemo?.({ config, storage, log, say }) : undefined
  const running: Running = await startServer({
    config: demo ? { ...config, simulatorUrl: demo.simulatorUrl } : config,
    storage,
    roles,
    log,
    ...(demo && { demoAccounts: demo.accounts }),
    ...(config.HTTPS && { https: await selfSigned(config) }),
  })
  parts.push(running.stop)
  if (!demo) {
    log.info({ url: config.publicUrl, roles }, 'ready')
    return
  }
  const fleet = await demo.startFleet()
  parts.push(fleet.stop)
  for (const line of demo.greeting({ seconds: (Date.now() - startedAt) / 1000 })) console.log(line)
}
