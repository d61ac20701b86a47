import { ProductError } from '#contract/errors.ts'
import { createThread, ThreadEndedError } from '../threads/thread.ts'
import type { Reading, TableFile } from './table-file.ts'
import type { TableAnswer, TableTask } from './table-thread.ts'

/** The largest workbook that is accepted needs half of this. */
const megabytes = 512
/** A sound file of the largest size takes a few seconds on a busy machine. */
const timeoutMs = 30_000

const thread = createThread<TableTask, TableAnswer>(new URL('./table-thread.ts', import.meta.url), {
  megabytes,
  timeoutMs,
})

/**
 * Reads a CSV or XLSX file that a user uploaded, in a thread of its own with limits of memory and time. Throws as `readTable` does, and
 * ImportUnreadable for a file that exceeds the limits.
 */
export async function readUploadedTable(upload: Uint8Array, reading: Reading): Promise<TableFile> {
  const bytes = new Uint8Array(upload)
  try {
    const answer = await thread.run({ bytes, reading }, [bytes.buffer])
    if ('refused' in answer) throw new ProductError(answer.refused)
    return answer.table
  } catch (error) {
    throw error instanceof ThreadEndedError ? new ProductError('ImportUnreadable') : error
  }
}
