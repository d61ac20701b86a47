// npm run reset: empties the data folder and its database, wherever that is, after a confirmation. Refuses while a
// Gettone runs on it.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { embeddedPostgresOwner, removeEmbeddedPostgres } from '#server/postgres/embedded.ts'

const root = join(import.meta.dirname, '..')
const folder = resolve(root, process.env.DATA_DIR ?? '.data')
const database = join(folder, 'postgres')
const isSure = process.argv.includes('--yes')

if (!existsSync(folder) || readdirSync(folder).length === 0) end(0, `${folder} is already empty.`)
// A wrong DATA_DIR must not delete a user's files.
const isAbove = (path: string) => !relative(folder, path).startsWith('..')
if (isAbove(root) || isAbove(homedir())) end(1, `${folder} contains more than Gettone's data. Nothing was deleted.`)
const owner = embeddedPostgresOwner(database)
if (owner !== undefined) end(1, `A Gettone (process ${owner}) is running on ${folder}: stop it first.`)
if (!isSure && !(await isConfirmed())) end(1, 'Nothing was deleted.')

await removeEmbeddedPostgres(database)
for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
if (process.env.DATABASE_URL) console.log('The database in DATABASE_URL was not changed.')
end(0, `${folder} is empty. The next start creates new data.`)

async function isConfirmed() {
  if (!process.stdin.isTTY) end(1, `This deletes everything in ${folder}. Confirm with "npm run reset -- --yes".`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`Delete everything in ${folder}: database, files, keys? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

function end(code: number, sentence: string): never {
  console.log(sentence)
  process.exit(code)
}
