import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { Gauge } from 'prom-client'
import type { Doors } from '#database/frame/tenant.ts'
import { diskSamples, noteDisk } from '#database/platform/platform-figures.ts'
import { noteToProvider } from '#database/platform/staff-letter.ts'
import { type DiskSample, daysUntil, diskWarnings } from '#domain/frame/disk-forecast.ts'

const used = new Gauge({
  name: 'gettone_disk_used_bytes',
  help: 'Used bytes of the disk with the data folder',
  labelNames: ['place'],
})
const total = new Gauge({
  name: 'gettone_disk_total_bytes',
  help: 'Size of the disk with the data folder',
  labelNames: ['place'],
})
const left = new Gauge({
  name: 'gettone_disk_days_left',
  help: 'Days until the disk is filled to a share, by its growth in the last weeks; absent without growth',
  labelNames: ['place', 'share'],
})

/** How full the disk of a folder is. Space that is kept for the administrator counts as used. */
async function readDisk(folder: string, at: Date): Promise<DiskSample> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return { at, total: blocks * bsize, used: (blocks - bavail) * bsize }
}

const monthOf = (at: Date) => at.toISOString().slice(0, 7)

/**
 * Notes how full the disk with the data folder is, and mails the provider when it is filled to 80 and to 90 %: one mail for each share and
 * month. `read` is for tests.
 */
export async function watchDisk(
  doors: Doors,
  { DATA_DIR }: { DATA_DIR: string },
  at: Date,
  read: typeof readDisk = readDisk,
): Promise<void> {
  const folder = resolve(DATA_DIR)
  const place = `${hostname()}:${folder}`
  const sample = await read(folder, at)
  await noteDisk(doors, place, sample)
  used.set({ place }, sample.used)
  total.set({ place }, sample.total)
  const samples = (await diskSamples(doors)).get(place) ?? []
  const [days80, days90] = diskWarnings.map((share) => daysUntil(samples, share))
  for (const [share, days] of [
    ['0.8', days80],
    ['0.9', days90],
  ] as const) {
    if (days === undefined) left.remove({ place, share })
    else left.set({ place, share }, days)
  }
  const reached = diskWarnings.filter((share) => sample.used >= sample.total * share).at(-1)
  if (reached === undefined) return
  const facts = {
    place,
    percent: Math.round((sample.used / sample.total) * 100),
    days: days90 === undefined ? null : Math.floor(days90),
  }
  const about = `${place} ${reached} ${monthOf(at)}`
  await doors.withSystem('platform status', (db) =>
    noteToProvider(db, { kind: 'diskFills', about, merchantId: null, facts, at }),
  )
}
