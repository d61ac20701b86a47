// npm run backup -- [--to <address>]: copies the server and its files now, beside the log that a running Gettone with BACKUP_URL stores. Gettone may
// run meanwhile. The address is BACKUP_URL unless given. Exit code 1 when there is no complete copy.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { trackCompanions } from '#server/backup/companions.ts'
import { makeBackup } from '#server/backup/make-backup.ts'
import { openBackupStore } from '#server/backup/store.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { blobAddressOf, blobAddressRule } from '#server/files/blob-address.ts'
import { openBlobs, openBlobsAt } from '#server/files/open-blobs.ts'
import { runningEmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { clusterOf } from '#server/postgres/recover.ts'

const usage = 'Usage: npm run backup -- [--to <address>], an address being s3://bucket/folder?… or file:///folder'
const dataDir = process.env.DATA_DIR ?? '.data'

try {
  const { values } = parseArgs({ options: { to: { type: 'string' } } })
  const version: string = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version
  const folder = join(resolve(dataDir), 'postgres')
  const { DATABASE_URL } = process.env
  // A key or a database created here would belong to no deployment.
  if (!DATABASE_URL && clusterOf(folder) === undefined)
    throw new ConfigError([
      `There is no database in ${resolve(dataDir)}: set DATA_DIR or DATABASE_URL to those of the running Gettone.`,
    ])
  const keyFile = join(dataDir, 'secret-key')
  const { SECRET_KEY = existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : undefined } = process.env
  if (SECRET_KEY === undefined) throw new ConfigError(['Set the SECRET_KEY of the running Gettone.'])
  const config = readConfig({ ...process.env, SECRET_KEY, DATA_DIR: dataDir }, { production: false, version })
  const address = values.to === undefined ? config.BACKUP_URL : blobAddressOf(values.to)
  if (!address)
    throw new ConfigError([
      values.to === undefined ? 'Give --to, or set BACKUP_URL.' : `--to ${blobAddressRule}.`,
      usage,
    ])
  const inUse = DATABASE_URL ?? runningEmbeddedPostgres(folder)
  const server = inUse ? undefined : await startEmbeddedPostgres({ dataDir: folder, log: console.log })
  try {
    const [blobs, files] = [await openBlobsAt(address, 'BACKUP_URL'), await openBlobs(config)]
    const recipients = config.BACKUP_RECIPIENTS
    const isEncrypted = recipients.length > 0
    const store = openBackupStore(blobs, { recipients })
    const made = await makeBackup({
      adminUrl: inUse ?? (server?.url as string),
      store,
      files,
      secretKey: config.secretKey,
      version,
      isEncrypted,
    })
    const { base } = made
    const { systemId } = base
    const { unread } = await trackCompanions().store({ store, systemId, paths: config.BACKUP_FILES, now: new Date() })
    for (const [path, error] of unread) {
      console.log(`${path} is not in the backup: ${error.message}`)
      process.exitCode = 1
    }
    console.log(
      `Copy ${base.stamp} of system ${base.systemId} is complete: ${base.bytes} bytes, ${made.files} new files.`,
    )
    if (!isEncrypted)
      console.log(
        'It is not encrypted and has no SECRET_KEY: keep the key apart, or set BACKUP_RECIPIENTS to a public key of age.',
      )
    blobs.close()
    files.close()
  } finally {
    await server?.stop()
  }
} catch (error) {
  console.log(error instanceof ConfigError ? error.sentences.join('\n') : (error as Error).message)
  process.exitCode = 1
}
