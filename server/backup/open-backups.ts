import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Blobs } from '../files/blobs.ts'
import { openBlobsAt } from '../files/open-blobs.ts'
import { dropIdleSlot, slotName } from './replication.ts'
import { startBackups } from './run-backups.ts'
import { openBackupStore } from './store.ts'

/** Starts the backups of this deployment. Without BACKUP_URL there are none, and the server lets go of the log that it kept for them. */
export async function openBackups(
  config: Config,
  { adminUrl, files, log }: { adminUrl: string; files: Blobs; log: Logger },
): Promise<{ stop(): Promise<void> } | undefined> {
  if (!config.BACKUP_URL) {
    await dropIdleSlot(adminUrl).catch((err: unknown) =>
      log.warn({ err, slot: slotName }, 'The server keeps its log for backups that are off; drop its slot'),
    )
    return undefined
  }
  const blobs = await openBlobsAt(config.BACKUP_URL, 'BACKUP_URL')
  const backups = startBackups({
    adminUrl,
    store: openBackupStore(blobs, { recipients: config.BACKUP_RECIPIENTS }),
    files,
    secretKey: config.masterKey,
    version: config.version,
    isEncrypted: config.BACKUP_RECIPIENTS.length > 0,
    log,
    everyHours: config.BACKUP_HOURS,
    days: config.BACKUP_DAYS,
    companions: config.BACKUP_FILES,
  })
  return {
    async stop() {
      await backups.stop()
      blobs.close()
    },
  }
}
