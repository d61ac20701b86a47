import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The longest wait for other processes. */
const waitMs = 10 * 60_000

/**
 * Does work while no other process does work under the same file; the others wait, blocked. The lock is the operating system's, by way of
 * SQLite: it ends with its process, however that ends. Throws after ten minutes of waiting.
 */
export async function onlyOne<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(dirname(file), { recursive: true })
  const lock = new DatabaseSync(file, { timeout: waitMs })
  try {
    lock.exec('begin exclusive')
    return await work()
  } finally {
    lock.close()
  }
}
