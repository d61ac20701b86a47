import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { ConfigError, readConfig } from './config.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import './young-generation.ts'
import { selfSigned } from './self-signed.ts'
import { type Running, type ServerRole, serverRoles, startServer } from './start.ts'
import { keptSecret, openStorage, type Storage } from './storage.ts'

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
  if (error instanceof EmbeddedPostgresError) return error.message
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

const roles = rolesRequested(process.argv.slice(2))
const production = process.env.NODE_ENV === 'production'
const startedAt = Date.now()
let running: Running | undefined
let storage: Storage | undefined
let demo: { stop(): Promise<void> } | undefined
let isStopping = false

async function stop(code: number): Promise<never> {
  if (isStopping) return new Promise<never>(() => {})
  isStopping = true
  const late = setTimeout(() => process.exit(code || 1), 25_000)
  late.unref()
  await demo?.stop().catch((error: unknown) => console.error(error))
  await running?.stop().catch((error: unknown) => console.error(error))
  await storage?.stop().catch((error: unknown) => console.error(error))
  process.exit(code)
}

async function start(): Promise<void> {
  const dataDir = process.env.DATA_DIR ?? '.data'
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'))
  const config = readConfig(
    { ...process.env, ...(process.env.DEMO && !process.env.HOST && process.env.HTTPS ? { HOST: '0.0.0.0' } : {}) },
    { production, version, ...(process.env.SECRET_KEY ? {} : production ? {} : { keptSecret: keptSecret(dataDir) }) },
  )
  const log = pino({ level: config.DEMO && !process.env.LOG_LEVEL ? 'warn' : config.LOG_LEVEL })
  const say = (line: string) => (config.DEMO ? console.log(`  ${line}`) : log.info(line))
  storage = await openStorage(config, say)
  if (config.DEMO) {
    const { prepareDemo } = await import('./demo/prepare.ts')
    const prepared = await prepareDemo({ config, storage, log, say })
    running = await startServer({
      config: { ...config, simulatorUrl: prepared.simulatorUrl },
      storage,
      roles,
      log,
      demoAccounts: prepared.accounts,
      ...(config.HTTPS ? { https: await selfSigned(config) } : {}),
    })
    demo = await prepared.startFleet()
    for (const line of prepared.greeting({ seconds: (Date.now() - startedAt) / 1000 })) console.log(line)
    return
  }
  running = await startServer({
    config,
    storage,
    roles,
    log,
    ...(config.HTTPS ? { https: await selfSigned(config) } : {}),
  })
  log.info({ url: config.publicUrl, roles }, 'ready')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

try {
  await start()
} catch (error) {
  if (process.env.LOG_LEVEL === 'debug') console.error(error)
  console.error(sentenceOf(error))
  await stop(1)
}
