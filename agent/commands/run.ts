import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startAgent } from '../agent.ts'
import { readSettings } from '../settings/settings.ts'
import { defaultFolder } from './setup.ts'

/** Runs the agent until it is stopped. Returns the exit code. */
export async function runCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { folder: { type: 'string', default: defaultFolder } } })
  const agent = startAgent(values.folder, readSettings(values.folder), console)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await agent.stop()
  return 0
}
