import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { archiveLog } from '#server/backup/archive-log.ts'
import { makeBackup } from '#server/backup/make-backup.ts'
import { planRestore, restoreEmbedded, systemOf } from '#server/backup/restore.ts'
import { openBackupStore } from '#server/backup/store.ts'
import type { Blobs } from '#server/files/blobs.ts'
import { startEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { someBlobs } from './blobs.ts'
import { aFolder, ask, started } from './embedded-postgres.ts'

const log = pino({ level: 'silent' })
/** The key of each deployment here. */
export const secretKey = 'a-secret-of-this-test-0123456789abcdef'

/** A server that books sales, numbered from 1, and the place of its backups. */
export async function aDeployment(places: { backups?: Blobs; recipients?: string[]; identities?: string[] } = {}) {
  const throwaway = await started(aFolder())
  // A sale is in the log once it is booked, as in production.
  const server = { url: `${throwaway.url}?options=-c%20synchronous_commit%3Don` }
  await ask(
    server.url,
    'create table sales (number int primary key, at timestamptz not null default clock_timestamp())',
  )
  const files = someBlobs()
  const { backups = someBlobs(), recipients = [], identities = [] } = places
  const store = openBackupStore(backups, { recipients }, identities)
  let sold = 0
  const order = { adminUrl: server.url, store, files, secretKey, version: '0.1.0', isEncrypted: recipients.length > 0 }
  return {
    server,
    files,
    backups,
    store,
    backUp: () => makeBackup(order),
    /** Books so many sales one after the other. Returns the number of the last. */
    async sell(count: number) {
      await ask(server.url, `insert into sales (number) select n from generate_series(${sold + 1}, ${sold + count}) n`)
      sold += count
      return sold
    },
    /** Stores the log until the end of the test, or until it is stopped. */
    archive(everyMillis = 200) {
      const stopped = new AbortController()
      let begun = 0
      let stored = 0n
      const running = archiveLog({
        adminUrl: server.url,
        store,
        log,
        signal: stopped.signal,
        everyMillis,
        onBegun: () => {
          begun++
        },
        onStored: ({ end }) => {
          stored = end
        },
      })
      const stop = async () => {
        stopped.abort()
        await running.catch(() => {})
      }
      onTestFinished(stop)
      return {
        running,
        stop,
        begun: () => begun,
        /** Done when all that was written so far is stored. */
        async caughtUp() {
          const [flushed] = (await ask(server.url, `select (pg_current_wal_flush_lsn() - '0/0')::text`)) as string[]
          await expect.poll(() => stored >= BigInt(flushed ?? 0), { timeout: 20_000, interval: 20 }).toBe(true)
        },
      }
    },
    /** Restores into a new folder. Returns the number of the last sale that is there. */
    async restored(until?: Date, key: string | undefined = secretKey) {
      const plan = await planRestore(store, await systemOf(store, undefined), until)
      const dataDir = aFolder()
      const target = someBlobs()
      const said: string[] = []
      const result = await restoreEmbedded({
        store,
        plan,
        dataDir,
        files: target,
        secretKey: key,
        log: (line) => said.push(line),
      })
      const again = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), isThrowaway: true })
      onTestFinished(() => again.stop())
      const [last, count] = (await ask(again.url, 'select max(number), count(*)::int from sales')) as number[]
      // None is missing in between.
      expect(count).toBe(last)
      return { last, dataDir, target, result, again, plan }
    },
  }
}
