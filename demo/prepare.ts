import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openBlobs } from '#server/files/open-blobs.ts'
import type { PrepareDemo } from '#server/run.ts'
import { addScreens } from './catalogue/screens.ts'
import { addReports } from './insight/reports.ts'
import { addDemoCustomer, demoCustomer } from './key-portal/customer.ts'
import { addPortals } from './key-portal/portals.ts'
import { addLicences } from './licences/licences.ts'
import type { MakingOrders } from './make.ts'
import { demoMerchants } from './operators/merchants.ts'
import { demoAccounts } from './operators/people.ts'
import { simulatorFolder, spawnSimulator } from './spawn-simulator.ts'
import { type DemoFleet, ensureDemo, hasDemo } from './story.ts'
import { addReleases } from './updates/releases.ts'
import { addRollouts } from './updates/rollouts.ts'

/** Creates or finds the demo's data, before the server listens. */
export const prepareDemo: PrepareDemo = async ({ config, storage, log, say }) => {
  const { adminUrl, doors } = storage
  if (!(await hasDemo(adminUrl))) {
    say('Creating the demo: three merchants, 200 machines, 60 days of history. This happens once.')
    const made = await createInProcess({
      adminUrl,
      rolePassword: config.rolePassword,
      secretKey: config.secretKey,
      folder: simulatorFolder(config.DATA_DIR),
    })
    if (made)
      say(`Created ${made.transactions} transactions of ${made.machines} machines in ${made.seconds.toFixed(1)} s.`)
  }
  const { machines } = await ensureDemo({ adminUrl, doors, config, log })
  const blobs = await openBlobs(config)
  await addReleases(doors, blobs, new Date())
  await addPortals(doors, blobs, { now: new Date(), seed: 'gettone' })
  const [first] = demoMerchants
  if (first) await addDemoCustomer(doors, first.id, new Date())
  if (first) await addRollouts(doors, first.id, new Date())
  if (first) await addReports(doors, first.id, new Date())
  await addScreens(doors, blobs, config.publicUrl, machines, new Date())
  blobs.close()
  const broker = config.MQTT_URL ?? `mqtt://127.0.0.1:${config.MQTT_PORT}`
  const connectors = first ? await addLicences({ doors, config }, first.id, new Date()) : []
  const simulator = await spawnSimulator({
    broker,
    portal: config.publicUrl,
    dataDir: config.DATA_DIR,
    fleet: machines,
    connectors,
    log,
  })
  return {
    accounts: demoAccounts,
    simulatorUrl: simulator.url,
    startFleet: async () => {
      if (machines.length > 0) await simulator.start()
      return simulator
    },
    greeting: ({ seconds }) => [
      '',
      `  Gettone is ready in ${seconds.toFixed(1)} s`,
      '',
      `  Portal    ${config.publicUrl}`,
      ...config.publicOrigins.slice(1).map((origin) => `            ${origin}`),
      `  Mailbox   ${config.publicUrl}/mailbox`,
      `  API       ${config.publicUrl}/api/docs`,
      `  Broker    mqtt://localhost:${config.MQTT_PORT}`,
      '',
      ...accountLines,
      `  Customer  ${demoCustomer.email.padEnd(30)} ${demoCustomer.password}`,
      '',
      '  Ctrl-C stops everything.',
      '',
    ],
  }
}

const accountLines = demoAccounts.map(
  ({ email, password }, index) => `  ${index === 0 ? 'Sign in   ' : '          '}${email.padEnd(30)} ${password}`,
)

/** Creates the demo in a separate process, which needs much memory for a short time and then frees it. */
async function createInProcess(orders: MakingOrders): Promise<DemoFleet['made']> {
  const child = fork(new URL('./make.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let output = ''
  child.stderr?.on('data', (text) => {
    output += text
  })
  child.send(orders)
  const made = once(child, 'message').then(([message]) => message as DemoFleet['made'])
  const failed = once(child, 'exit').then(() => {
    throw new Error(`The demo could not be created. ${output.trim().slice(-1000)}`)
  })
  return Promise.race([made, failed])
}
