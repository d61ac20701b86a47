// npm run generate: writes the generated files (*.gen.ts), with a temporary database.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#database/distribute/migrate.ts'
import { generateSchema } from '#database/frame/generate-schema.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { writeClient } from './client/write-client.ts'
import { writeWordMaps } from './portal/word-maps.ts'

writeWordMaps()
writeClient()
console.log('portal/app/i18n/words/*.gen.ts are written')
const dataDir = join(import.meta.dirname, '..', '.cache', `generate-postgres-${process.pid}`)
const server = await startEmbeddedPostgres({ dataDir, isThrowaway: true })
try {
  const admin = new pg.Client(server.url)
  await admin.connect()
  await admin.query('create database generated')
  await admin.end()
  const url = new URL(server.url)
  url.pathname = '/generated'
  await migrate(url.href)
  generateSchema(url.href)
  console.log('database/frame/schema.gen.ts is written')
} finally {
  await server.stop()
  await removeEmbeddedPostgres(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
}
