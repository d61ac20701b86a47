// The thread that reads tables. Each message is a file; the answer is its rows, or the code of the error.
import { parentPort } from 'node:worker_threads'
import { ProductError } from '#contract/errors.ts'
import { type Reading, readTable, type TableFile } from './table-file.ts'

export interface TableTask {
  bytes: Uint8Array
  reading: Reading
}
export type TableAnswer = { table: TableFile } | { refused: ProductError['code'] }

parentPort?.on('message', async ({ bytes, reading }: TableTask) => {
  let answer: TableAnswer
  try {
    answer = { table: await readTable(bytes, reading) }
  } catch (error) {
    // A fault of ours ends the thread.
    if (!(error instanceof ProductError)) throw error
    answer = { refused: error.code }
  }
  parentPort?.postMessage(answer)
})
