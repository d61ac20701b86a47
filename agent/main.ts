#!/usr/bin/env node
import { emulateCommand } from './commands/emulate.ts'
import { inboxCommand } from './commands/inbox.ts'
import { readCommand } from './commands/read.ts'
import { runCommand } from './commands/run.ts'
import { setupCommand } from './commands/setup.ts'
import { UsageError, usage } from './commands/usage.ts'
import { AssociationRefusedError } from './portal/associate.ts'
import { FolderTakenError } from './settings/only-agent.ts'
import { SettingsError } from './settings/settings.ts'

const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  setup: setupCommand,
  run: runCommand,
  read: readCommand,
  emulate: emulateCommand,
  inbox: inboxCommand,
}

const [name = '', ...args] = process.argv.slice(2)
const command = commands[name]
if (command) {
  try {
    process.exitCode = await command(args)
  } catch (error) {
    const isSaid = [UsageError, SettingsError, FolderTakenError, AssociationRefusedError].some(
      (kind) => error instanceof kind,
    )
    if (isSaid && error instanceof Error) console.error(error.message)
    else console.error(error)
    process.exitCode = 1
  }
} else if (name === '' || name === 'help') {
  console.info(usage)
} else {
  console.error(usage)
  process.exitCode = 1
}
