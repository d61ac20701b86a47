import { statfsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/** The files of a run's databases and their log stay below this. */
const neededBytes = 4 * 1024 ** 3

/** In memory a copy of the template takes an eighth of the processor time: it is a thousand small files. */
const memory = '/dev/shm'

/** Where runs keep their PostgreSQL: in memory, where that has room, or else in the clone. All places where earlier runs may have left data. */
export function runFolders(clone: string, free = freeMemory()): { now: string; all: string[] } {
  const inMemory = join(memory, `gettone-tests-${userInfo().uid}`)
  return free >= neededBytes ? { now: inMemory, all: [inMemory, clone] } : { now: clone, all: [clone] }
}

/** Bytes that files in memory may take, also in a container with a limit; 0 where the system has no such folder. */
function freeMemory(): number {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, process.availableMemory())
  } catch {
    return 0
  }
}
