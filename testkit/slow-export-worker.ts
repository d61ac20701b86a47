// A worker for tests that kill it: it writes exports so slowly that they never end. Arguments: the owner's address, a
// folder.
import { pino } from 'pino'
import { openPools } from '#database/frame/pool.ts'
import { openDoors } from '#database/frame/tenant.ts'
import { sources } from '#server/api/export-sources.ts'
import { folderBlobs } from '#server/files/folder-blobs.ts'
import { exportTasks } from '#server/worker/export-tasks.ts'
import { startJobs } from '#server/worker/jobs.ts'

const [adminUrl = '', folder = ''] = process.argv.slice(2)
const log = pino({ level: 'silent' })
const blobs = folderBlobs(folder)

async function* slowly(content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>) {
  for await (const part of content) {
    yield part
    await new Promise((resolve) => setTimeout(resolve, 600))
  }
}

const services = {
  sources,
  doors: openDoors(openPools(adminUrl, 'gettone', 4)),
  blobs: { ...blobs, put: (key: string, content: Parameters<typeof blobs.put>[1]) => blobs.put(key, slowly(content)) },
  log,
  hours: 1,
}
await startJobs(adminUrl, log, [{ tasks: exportTasks(services) }])
