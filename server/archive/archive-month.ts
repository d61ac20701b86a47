import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Doors } from '#database/frame/tenant.ts'
import {
  type ArchivedMonth,
  forgetFile,
  linesOfMonth,
  type Month,
  noteFile,
  noteVerified,
  pendingFiles,
  rowsOfMonth,
} from '#database/insight/archived-month.ts'
import type { Blobs } from '../files/blobs.ts'
import { linesIn } from './read-archive.ts'

export interface ArchiveServices {
  doors: Doors
  blobs: Blobs
}

/**
 * Writes the rows of a month to files, one for each merchant, and verifies each. The rows stay in the database. Returns the number of
 * rows in files by merchant. Complete files of an interrupted run are kept, others are replaced.
 */
export async function archiveMonth(services: ArchiveServices, month: Month): Promise<ReadonlyMap<string, number>> {
  const { doors, blobs } = services
  const counts = await rowsOfMonth(doors, month)
  const archivedRows = new Map<string, number>()
  for (const file of await pendingFiles(doors, [...counts.keys()], month)) {
    const { rows, merchant_id: of } = file
    const isComplete = rows !== null && rows === counts.get(of) && (await blobs.size(file.blob)) === file.size
    if (isComplete) archivedRows.set(of, rows)
    else await discard(services, file)
  }
  for (const merchantId of counts.keys()) {
    if (!archivedRows.has(merchantId)) archivedRows.set(merchantId, await writeFile(services, merchantId, month))
  }
  return archivedRows
}

async function discard({ doors, blobs }: ArchiveServices, file: Parameters<typeof forgetFile>[1]) {
  await blobs.remove(file.blob)
  await forgetFile(doors, file)
}

/** Writes and verifies one merchant's file; returns its number of rows. */
async function writeFile(services: ArchiveServices, merchantId: string, month: Month): Promise<number> {
  const { doors, blobs } = services
  const name = month.from.toISOString().slice(0, 7)
  // Each attempt has a file of its own: a worker that was taken for dead writes to no other's file.
  const blob = `archive/${merchantId}/${month.table}/${name}-${randomBytes(4).toString('hex')}.ndjson.gz`
  const part = await noteFile(doors, merchantId, month, blob, new Date())
  const file = { merchant_id: merchantId, table_name: month.table, month: `${name}-01`, part, blob }
  try {
    const hash = createHash('sha256')
    let rows = 0
    const size = await doors.withSystem('partitions', async (db, many) =>
      blobs.put(
        blob,
        gzipped(
          (async function* () {
            for await (const lines of linesOfMonth({ db, many }, merchantId, month)) {
              rows += lines.length
              yield `${lines.join('\n')}\n`
            }
          })(),
          (bytes) => hash.update(bytes),
        ),
        { isDurable: true },
      ),
    )
    const facts = { rows, size, sha256: hash.digest('hex') }
    await verify(blobs, { ...file, ...facts })
    await noteVerified(doors, file, facts)
    return rows
  } catch (error) {
    await discard(services, file).catch(() => {})
    throw error
  }
}

/** Reads a file again and compares its checksum and rows. */
async function verify(blobs: Blobs, file: ArchivedMonth): Promise<void> {
  let rows = 0
  for await (const lines of linesIn(blobs, file)) rows += lines.length
  if (rows !== file.rows) throw new Error(`The archive ${file.blob} has ${rows} rows instead of ${file.rows}.`)
}

async function* gzipped(content: AsyncIterable<string>, onBytes: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  const gzip = createGzip()
  const writing = pipeline(Readable.from(content), gzip)
  // Reading ends with the same error.
  writing.catch(() => {})
  for await (const bytes of gzip as AsyncIterable<Buffer>) {
    onBytes(bytes)
    yield bytes
  }
  await writing
}
