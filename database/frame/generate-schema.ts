import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the types of all tables in the database at `url` to `file`, without partitions. */
export function generateSchema(url: string, file = join(import.meta.dirname, 'schema.gen.ts')): void {
  const bin = join(import.meta.dirname, '..', '..', 'node_modules', 'kysely-codegen', 'dist', 'cli', 'bin.js')
  const args = ['--dialect', 'postgres', '--url', url, '--out-file', file, '--exclude-pattern', '*_20[0-9][0-9]_*']
  const run = spawnSync(process.execPath, [bin, ...args, '--date-parser', 'string', '--numeric-parser', 'number'], {
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(`The tables' types could not be generated: ${run.stderr || run.stdout}`)
  // The pools parse 64-bit integers as numbers.
  const text = readFileSync(file, 'utf8').replace(/^export type Int8 = .*;/m, 'export type Int8 = number;')
  writeFileSync(file, text)
}
