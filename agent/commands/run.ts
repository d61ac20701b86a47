import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startAgent } from '../agent.ts'
import { defaultFolder } from '../settings/default-folder.ts'
import { readSettings } from '../settings/settings.ts'

/** Milliseconds. */
const longestStop = 20_000

/** Runs the agent until it is stopped. Returns the exit code. */
export async function runCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { folder: { type: 'string', default: defaultFolder }, drop: { type: 'string' } },
  })
  const settings = readSettings(values.folder)
  const agent = startAgent(values.folder, { ...settings, drop: values.drop ?? settings.drop }, console)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM'), agent.isUpdated])
  // The next start waits for this end.
  setTimeout(() => process.exit(0), longestStop).unref()
  await agent.stop()
  return 0
}
