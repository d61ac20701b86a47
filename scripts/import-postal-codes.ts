// npm run import:postal-codes -- <file>: imports the postal codes of whole countries from a file in GeoNames' format. A running
// Gettone may keep using the data folder.
import { createReadStream, openSync, readSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { readConfig } from '#server/config.ts'
import { importPostalCodes } from '#server/import/postal-codes.ts'
import { runningEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { keptSecret, openStorage } from '#server/postgres/storage.ts'

const [file] = process.argv.slice(2)
if (!file) end(1, 'Usage: npm run import:postal-codes -- <file>, such as IT.txt of download.geonames.org/export/zip')
if (!statSync(file, { throwIfNoEntry: false })?.isFile()) end(1, `File not found: ${file}.`)
if (isPacked(file)) end(1, `${file} is compressed. Unpack it first and use the text file inside.`)

const dataDir = process.env.DATA_DIR ?? '.data'
// Leave a database in use unchanged: its migrations and passwords belong to the process that uses it.
const databaseUrl = process.env.DATABASE_URL ?? runningEmbeddedPostgres(join(resolve(dataDir), 'postgres'))
const storage = databaseUrl ? undefined : await openEmbedded()
try {
  const { countries, refused } = await importPostalCodes(databaseUrl ?? storage?.adminUrl ?? '', linesOf(file))
  for (const { country, places } of countries) console.log(`${country}: ${places} places`)
  if (refused > 0) console.log(`${refused} lines not in the GeoNames format were skipped.`)
  if (countries.length === 0) {
    console.log('Nothing was changed.')
    process.exitCode = 1
  }
} catch (error) {
  const isUnmade = (error as { code?: string }).code === '42P01'
  console.log(isUnmade ? 'The database has no table of postal codes. Start Gettone on it once.' : String(error))
  process.exitCode = 1
} finally {
  await storage?.stop()
}

async function openEmbedded() {
  const config = readConfig({ DATA_DIR: dataDir }, { production: false, keptSecret: keptSecret(dataDir) })
  return openStorage(config, () => {})
}

/** Opened at the first read: readline loses lines emitted before a listener is attached. */
async function* linesOf(path: string) {
  yield* createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
}

/** A ZIP archive, the format of GeoNames' files. */
function isPacked(path: string) {
  const start = Buffer.alloc(2)
  readSync(openSync(path, 'r'), start)
  return start.toString('latin1') === 'PK'
}

function end(code: number, sentence: string): never {
  console.log(sentence)
  process.exit(code)
}
