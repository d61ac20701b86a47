import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type CopyValue, copyLine } from '#database/platform/copy-line.ts'

export interface CopyTarget {
  /** Adds finished lines. Wait for `drained` regularly, or memory grows with unsent lines. */
  write(lines: string): void
  /** Waits until the server has received all lines. */
  drained(): Promise<void>
  /** Ends the copy; resolves when it is committed. */
  close(): Promise<void>
}

const chunkLength = 256 * 1024
const highWaterMark = 2 * 1024 * 1024

/** An owner's connection for creating the demo. It does not wait for the disk: after a crash the demo is created again. */
export async function connectOwner(adminUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'demo' })
  await client.connect()
  await client.query(`set synchronous_commit = off; set work_mem = '128MB'; set maintenance_work_mem = '256MB'`)
  return client
}

/**
 * Opens a COPY on its own connection; the role must bypass row-level security. `into` names the table and columns;
 * `before` runs in the same transaction.
 */
export async function openCopy(
  adminUrl: string,
  into: string,
  { before = '', options = '' } = {},
): Promise<CopyTarget> {
  const client = await connectOwner(adminUrl)
  await client.query(`begin; ${before}`)
  const stream = client.query(copyFrom(`copy ${into} from stdin ${options}`, { highWaterMark }))
  const done = finished(stream)
  // The writer gets the failure from `drained` or `close`.
  done.catch(() => {})
  let lines = ''
  let isFull = false
  function flush() {
    if (lines === '') return
    isFull = !stream.write(lines)
    lines = ''
  }
  return {
    write(more) {
      lines += more
      if (lines.length >= chunkLength) flush()
    },
    async drained() {
      if (!isFull || !stream.writableNeedDrain) return
      await Promise.race([new Promise<void>((resolve) => stream.once('drain', resolve)), done])
    },
    async close() {
      try {
        flush()
        stream.end()
        await done
        await client.query('commit')
      } finally {
        await client.end()
      }
    },
  }
}

/** Copies rows from memory. */
export async function copyRows(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: readonly CopyValue[][],
) {
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
  stream.end(rows.map(copyLine).join(''))
  await finished(stream)
}
