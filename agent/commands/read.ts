import { parseArgs } from 'node:util'
import { transferFaults } from '../line/transfer-fault.ts'
import { readPort } from '../ports/read-port.ts'
import { portOptions, portSettingsOf } from './port-options.ts'

/** Reads a machine once and prints its file; the fault is printed on stderr. Returns the exit code. */
export async function readCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: portOptions })
  const settings = portSettingsOf(values)
  const outcome = await readPort(settings, { id: 'GTN0000001', clock: new Date().toISOString() })
  if (!outcome.isDone) {
    console.error(`${outcome.fault}: ${transferFaults[outcome.fault]}`)
    return 1
  }
  process.stdout.write(outcome.value.file)
  return 0
}
