import { createServer } from 'node:net'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type Config, readConfig } from '#server/config.ts'
import { type Accounts, openAccounts } from '#server/identity/accounts.ts'
import { type ServerRole, startServer } from '#server/start.ts'
import { ensurePortal } from '../../scripts/portal-build.ts'
import { openTestDatabase, systemAddressOf, type TestDatabase } from '../database.ts'
import { testSecretKey } from '../fixtures.ts'

export interface TestPortal {
  /** Its address for browsers. */
  url: string
  config: Config
  database: TestDatabase
  /** The embedded provider's accounts. */
  accounts: Accounts
}

/** A free port of this machine. */
export async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

let isBuilt = false

/** Portal, API and identity provider with listening ports, on a database of their own; closed when the test ends. */
export async function aPortal(environment: Record<string, string> = {}): Promise<TestPortal> {
  const { stop, ...portal } = await openPortal(environment)
  onTestFinished(stop)
  return portal
}

/** The same for all tests of a file, which stop it themselves. With the gateway among `roles`, it has machines too. */
export async function openPortal(
  environment: Record<string, string> = {},
  roles: readonly ServerRole[] = ['api'],
): Promise<TestPortal & { stop: () => Promise<void> }> {
  isBuilt ||= ensurePortal()
  if (!isBuilt) throw new Error('The portal could not be built')
  const database = await openTestDatabase()
  const port = await aFreePort()
  const config = readConfig({ PORT: String(port), ...environment }, { production: false, keptSecret: testSecretKey })
  const running = await startServer({
    config,
    storage: {
      doors: database,
      adminUrl: database.adminUrl,
      systemAddress: systemAddressOf(database.adminUrl),
      config,
      applied: [],
      stop: async () => {},
    },
    roles,
    log: pino({ level: 'silent' }),
  })
  const stop = async () => {
    await running.stop()
    await database.close()
  }
  return { url: config.publicUrl, config, database, accounts: openAccounts(database), stop }
}
