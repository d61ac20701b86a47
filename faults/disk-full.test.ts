import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aServerProcess, breakablePostgres } from './harness.ts'

/** A disk of four megabytes for a test, or undefined where this user may not mount one. */
function aSmallDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'gettone-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path]).status === 0
  onTestFinished(() => {
    if (mounted) execFileSync('umount', ['-l', path])
    rmSync(path, { recursive: true, force: true })
  })
  return mounted ? path : undefined
}

/** Takes all space of a disk, up to the last page. */
function fill(disk: string): () => void {
  const path = join(disk, 'filling')
  let size = 4 * 1024 * 1024
  for (; size >= 4096; size /= 2)
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // Too large: smaller pieces fill the rest.
    }
  return () => rmSync(path)
}

const place = breakablePostgres()

test('a server is not ready while the disk of its database or of its files is full, and is ready afterwards', async (context) => {
  const disk = aSmallDisk()
  if (!disk) return context.skip('Only root may mount a small disk.')
  const { database } = place
  const [postgres] = await database
    .admin<{ folder: string }>('show data_directory')
    .then((rows) => rows.map((row) => ({ folder: Object.values(row)[0] as string })))
  const space = join(disk, 'space')
  mkdirSync(space, { mode: 0o700 })
  const owner = statSync(postgres?.folder ?? '')
  execFileSync('chown', [`${owner.uid}:${owner.gid}`, space])
  execFileSync('chmod', ['755', disk])
  await database.admin(`create tablespace small location '${space}'`)
  onTestFinished(() =>
    database
      .admin('alter table write_probes set tablespace pg_default')
      .then(() => database.admin('drop tablespace small'))
      .then(() => undefined),
  )
  await database.admin('alter table write_probes set tablespace small')
  const server = await aServerProcess('worker', database, { DATA_DIR: join(disk, 'data') })
  const ready = async () => {
    const answer = await fetch(`${server.url}/health/ready`)
    return [answer.status, await answer.json()]
  }
  const empty = fill(disk)
  const full = { reason: 'disk full' }
  await expect.poll(ready, { timeout: 20_000, interval: 500 }).toEqual([
    503,
    {
      status: 'not writable',
      places: [
        { place: 'database', ...full },
        { place: 'files', ...full },
      ],
    },
  ])
  expect((await fetch(`${server.url}/health/live`)).status).toBe(200)
  empty()
  await expect.poll(ready, { timeout: 20_000, interval: 500 }).toEqual([200, { status: 'ready' }])
})
