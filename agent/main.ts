#!/usr/bin/env node
import { emulateCommand } from './commands/emulate.ts'
import { readCommand } from './commands/read.ts'
import { UsageError, usage } from './commands/usage.ts'

const commands: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  read: readCommand,
  emulate: emulateCommand,
}

const [name = '', ...args] = process.argv.slice(2)
const command = commands[name]
if (command) {
  try {
    process.exitCode = await command(args)
  } catch (error) {
    if (error instanceof UsageError) console.error(error.message)
    else console.error(error)
    process.exitCode = 1
  }
} else {
  console.error(usage)
  process.exitCode = name === '' || name === 'help' ? 0 : 1
}
