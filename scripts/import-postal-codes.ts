// npm run import:postal-codes -- <file>: takes the postal codes of whole countries from a file in GeoNames' format. A Gettone that
// runs on the data folder goes on running.
import { createReadStream, openSync, readSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { readConfig } from '#server/config.ts'
import { runningEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { importPostalCodes } from '#server/import-postal-codes.ts'
import { keptSecret, openStorage } from '#server/storage.ts'

const [file] = process.argv.slice(2)
if (!file) end(1, 'Usage: npm run import:postal-codes -- <file>, such as IT.txt of download.geonames.org/export/zip')
if (!statSync(file, { throwIfNoEntry: false })?.isFile()) end(1, `There is no file ${file}.`)
if (isPacked(file)) end(1, `${file} is packed: unpack it first, and give the text file inside.`)

const config = readConfig(process.env, { production: false, keptSecret: keptSecret(process.env.DATA_DIR ?? '.data') })
const running = config.DATABASE_URL ? undefined : runningEmbeddedPostgres(join(resolve(config.DATA_DIR), 'postgres'))
const storage = running ? undefined : await openStorage(config, () => {})
try {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  const { countries, refused } = await importPostalCodes(running ?? storage?.adminUrl ?? '', lines)
  for (const { country, places } of countries) console.log(`${country}: ${places} places`)
  if (refused > 0) console.log(`${refused} lines were not in GeoNames' format and were left out.`)
  if (countries.length === 0) {
    console.log('Nothing was changed.')
    process.exitCode = 1
  }
} finally {
  await storage?.stop()
}

/** A ZIP archive, as GeoNames' files come. */
function isPacked(path: string) {
  const start = Buffer.alloc(2)
  readSync(openSync(path, 'r'), start)
  return start.toString('latin1') === 'PK'
}

function end(code: number, sentence: string): never {
  console.log(sentence)
  process.exit(code)
}
