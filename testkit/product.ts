import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { demoAccounts } from '#demo/operators/people.ts'
import { simulatorFolder, spawnSimulator } from '#demo/spawn-simulator.ts'
import type { DemoMember } from '#demo/story.ts'
import { type Config, readConfig } from '#server/config.ts'
import { startServer } from '#server/start.ts'
import { writeStore } from '#simulator/store.ts'
import { ensurePortal } from '../scripts/portal-build.ts'
import { aFreePort } from './browser/portal.ts'
import { systemAddressOf, type TestDatabase } from './database.ts'
import { openDemoDatabase, openDemoUntil } from './demo-template.ts'
import { testSecretKey } from './fixtures.ts'

export interface TestProduct {
  url: string
  mqttPort: number
  config: Config
  database: TestDatabase
  /** The simulated machines with their memory at the end of the history. */
  machines: readonly DemoMember[]
  /** The simulator's control address, with its key as password. */
  simulatorUrl: string
  /** Starts the machines if the product started without them. */
  startFleet(): Promise<void>
  stop(): Promise<void>
}

/**
 * The whole product as `npm start` runs it, on free ports, with a small demo and running machines. The demo's history ends now, or
 * `until`.
 */
export async function startProduct(options: { withFleet?: boolean; until?: Date } = {}): Promise<TestProduct> {
  if (!ensurePortal()) throw new Error('The portal could not be built')
  const dataDir = await mkdtemp(join(tmpdir(), 'gettone-product-'))
  const port = await aFreePort()
  const mqttPort = await aFreePort()
  const config = readConfig(
    { PORT: String(port), MQTT_PORT: String(mqttPort), DATA_DIR: dataDir, DEMO: 'true' },
    { production: false, keptSecret: testSecretKey },
  )
  const log = pino({ level: 'silent' })
  const { database, machines } = options.until
    ? await openDemoUntil(options.until, config)
    : await openDemoDatabase(config)
  writeStore(
    simulatorFolder(dataDir),
    machines.flatMap(({ plan, memory }) => (memory ? [[plan.serial, { memory, pending: [] }]] : [])),
  )
  const simulator = await spawnSimulator({
    broker: `mqtt://127.0.0.1:${mqttPort}`,
    portal: config.publicUrl,
    dataDir,
    fleet: machines,
    log,
  })
  const running = await startServer({
    config: { ...config, simulatorUrl: simulator.url },
    storage: {
      doors: database,
      adminUrl: database.adminUrl,
      systemAddress: systemAddressOf(database.adminUrl),
      config,
      applied: [],
      stop: async () => {},
    },
    roles: ['api', 'gateway', 'worker'],
    log,
    demoAccounts,
  })
  if (options.withFleet ?? true) await simulator.start()
  return {
    url: config.publicUrl,
    mqttPort,
    config,
    database,
    machines,
    simulatorUrl: simulator.url,
    startFleet: simulator.start,
    stop: async () => {
      await simulator.stop()
      await running.stop()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
