import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Blobs } from '../files/blobs.ts'
import { openBlobsAt } from '../files/open-blobs.ts'
import { startBackups } from './run-backups.ts'
import { openBackupStore } from './store.ts'

/** Starts the backups of this deployment; undefined if it has no BACKUP_URL. */
export async function openBackups(
  config: Config,
  { adminUrl, files, log }: { adminUrl: string; files: Blobs; log: Logger },
): Promise<{ stop(): Promise<void> } | undefined> {
  if (!config.BACKUP_URL) return undefined
  const blobs = await openBlobsAt(config.BACKUP_URL, 'BACKUP_URL')
  const backups = startBackups({
    adminUrl,
    store: openBackupStore(blobs, { recipients: config.BACKUP_RECIPIENTS }),
    files,
    secretKey: config.secretKey,
    version: config.version,
    isEncrypted: config.BACKUP_RECIPIENTS.length > 0,
    log,
    everyHours: config.BACKUP_HOURS,
    days: config.BACKUP_DAYS,
  })
  return {
    async stop() {
      await backups.stop()
      blobs.close()
    },
  }
}
