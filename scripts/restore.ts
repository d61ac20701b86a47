// npm run restore -- --from <address> [--at <time>] [--system <id>] [--identity <file>] [--cluster <folder> | --list]: restores a backup into DATA_DIR, which
// must have no database, or prepares a folder for a PostgreSQL of one's own. Exit code 1 when nothing was restored.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restoreCompanions } from '#server/backup/companions.ts'
import { planRestore, prepareCluster, restoreEmbedded, restoreFiles, systemOf } from '#server/backup/restore.ts'
import { openBackupStore } from '#server/backup/store.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { blobAddressOf, blobAddressRule } from '#server/files/blob-address.ts'
import { openBlobs, openBlobsAt } from '#server/files/open-blobs.ts'

const usage = `Usage: npm run restore -- --from <address> [--at <time>] [--system <id>] [--identity <file>] [--cluster <folder> | --list]
  <address>  s3://bucket/folder?… or file:///folder
  <time>     such as 2026-11-27T10:15:00Z; the last change by default`
const dataDir = process.env.DATA_DIR ?? '.data'

try {
  const order = readOrder()
  const blobs = await openBlobsAt(order.from, '--from')
  const store = openBackupStore(blobs, { recipients: [] }, order.identities)
  const system = await systemOf(store, order.system)
  const plan = await planRestore(store, system, order.at)
  const { base } = plan
  if (order.list) {
    for (const { stamp, endedAt, bytes, postgres, gettone, isEncrypted } of await store.bases(system))
      console.log(
        `${stamp}: complete at ${endedAt}, ${bytes} bytes, PostgreSQL ${postgres}, Gettone ${gettone}${isEncrypted ? ', encrypted' : ''}`,
      )
    console.log(`System ${system} can be restored to any moment up to ${plan.reaches.toISOString()}.`)
  } else {
    console.log(
      `Restoring copy ${base.stamp} and ${plan.pieces.length} pieces of the log (Gettone ${base.gettone}, PostgreSQL ${base.postgres})`,
    )
    const files = await openBlobs(readConfig({ ...process.env, DATA_DIR: dataDir }, { production: false }))
    if (order.cluster) {
      const { SECRET_KEY: secretKey } = process.env
      const keyFile = await prepareCluster({
        store,
        plan,
        folder: order.cluster,
        dataDir: resolve(dataDir),
        secretKey,
      })
      console.log(`${await restoreFiles(store, system, files)} files restored.`)
      if (keyFile) console.log(`The SECRET_KEY of the backup is in ${keyFile}.`)
      console.log(
        `Give ${order.cluster} to the user of PostgreSQL ${base.postgres} and start the server: it recovers. Then remove restored-log in it.`,
      )
    } else {
      const { files: copied, lastChange } = await restoreEmbedded({
        store,
        plan,
        dataDir: resolve(dataDir),
        files,
        secretKey: process.env.SECRET_KEY,
        log: console.log,
      })
      console.log(`Restored into ${resolve(dataDir)}: last change at ${lastChange ?? base.endedAt}, ${copied} files.`)
      console.log('Start Gettone; if it stores backups there as well, it makes a new copy at once.')
    }
    files.close()
    for (const { file, savedAt } of await restoreCompanions(store, system, {
      until: order.at,
      dataDir: resolve(dataDir),
    }))
      console.log(`Bring ${file}, as of ${savedAt.toISOString()}, to its place before its program starts.`)
  }
  blobs.close()
} catch (error) {
  console.log(error instanceof ConfigError ? error.sentences.join('\n') : (error as Error).message)
  process.exitCode = 1
}

function readOrder() {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      at: { type: 'string' },
      system: { type: 'string' },
      identity: { type: 'string' },
      cluster: { type: 'string' },
      list: { type: 'boolean', default: false },
    },
  })
  const from = values.from === undefined ? undefined : blobAddressOf(values.from)
  if (!from) throw new ConfigError([values.from === undefined ? 'Give --from.' : `--from ${blobAddressRule}.`, usage])
  const at = values.at === undefined ? undefined : new Date(values.at)
  if (at && (Number.isNaN(at.getTime()) || !/(Z|[+-]\d\d:\d\d)$/.test(values.at ?? '')))
    throw new ConfigError(['--at must be a time with its zone, such as 2026-11-27T10:15:00Z.', usage])
  const identities = values.identity === undefined ? [] : identitiesIn(readFileSync(values.identity, 'utf8'))
  return {
    from,
    at,
    system: values.system,
    identities,
    list: values.list,
    cluster: values.cluster && resolve(values.cluster),
  }
}

/** A file of age's keys: lines that begin with # are remarks. */
function identitiesIn(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}
