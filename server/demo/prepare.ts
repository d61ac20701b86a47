import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { DemoAccount } from '../identity/pages.ts'
import type { Storage } from '../storage.ts'
import { ensureDemo } from './demo.ts'
import { demoAccounts } from './people.ts'

export interface PreparedDemo {
  accounts: readonly DemoAccount[]
  simulatorUrl: string | undefined
  /** Lets the machines run; to be called when the gateway listens. */
  startFleet(): Promise<{ stop(): Promise<void> }>
  greeting(facts: { seconds: number }): string[]
}

/** Makes or finds the demo's data, before anything listens. */
export async function prepareDemo(options: {
  config: Config
  storage: Storage
  log: Logger
  say: (line: string) => void
}): Promise<PreparedDemo> {
  const { config, storage, log, say } = options
  const fleet = await ensureDemo({ adminUrl: storage.adminUrl, doors: storage.doors, config, log })
  if (fleet.made)
    say(
      `Demo data: ${fleet.made.machines} machines, ${fleet.made.transactions} transactions in ${fleet.made.seconds.toFixed(1)} s`,
    )
  return {
    accounts: demoAccounts,
    simulatorUrl: undefined,
    startFleet: async () => ({ stop: async () => {} }),
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
      '',
      '  Ctrl-C stops everything.',
      '',
    ],
  }
}

const accountLines = demoAccounts.map(
  ({ email, password }, index) => `  ${index === 0 ? 'Sign in   ' : '          '}${email.padEnd(30)} ${password}`,
)
