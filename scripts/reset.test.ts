import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#server/postgres/embedded.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A data folder that only its owner may enter, so that as root the database lies elsewhere. */
function aDataFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-reset-'))
  onTestFinished(async () => {
    await removeEmbeddedPostgres(join(folder, 'postgres'))
    rmSync(folder, { recursive: true, force: true })
  })
  mkdirSync(join(folder, 'blobs'))
  writeFileSync(join(folder, 'blobs/report.pdf'), 'x')
  return folder
}

function reset(dataDir: string, ...args: string[]) {
  const script = join(import.meta.dirname, 'reset.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
    encoding: 'utf8',
  })
  return { status, words: stdout + stderr }
}

test('a reset empties the data folder and the database, wherever it lies', async () => {
  const folder = aDataFolder()
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), isThrowaway: true })
  await server.stop()
  expect(reset(folder, '--yes')).toMatchObject({ status: 0 })
  expect(readdirSync(folder)).toEqual([])
  expect(reset(folder, '--yes').words).toContain('already empty')
})

test('a reset refuses while a Gettone runs on the folder', async () => {
  const folder = aDataFolder()
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), isThrowaway: true })
  onTestFinished(() => server.stop())
  const { status, words } = reset(folder, '--yes')
  expect(status).toBe(1)
  expect(words).toContain(`process ${process.pid}`)
  expect(existsSync(join(folder, 'blobs/report.pdf'))).toBe(true)
})

test('a reset without a terminal to confirm it deletes nothing', () => {
  const folder = aDataFolder()
  expect(reset(folder)).toMatchObject({ status: 1, words: expect.stringContaining('--yes') })
  expect(existsSync(join(folder, 'blobs/report.pdf'))).toBe(true)
})

test('a reset leaves a folder that holds the project or a home directory untouched', () => {
  for (const folder of ['/', join(import.meta.dirname, '..')]) {
    expect(reset(folder, '--yes')).toMatchObject({ status: 1, words: expect.stringContaining('Nothing was deleted') })
  }
})
