import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Blobs } from '#server/files/blobs.ts'
import { folderBlobs } from '#server/files/folder-blobs.ts'

/** An empty folder of files that is removed after the test. */
export function someBlobs(): Blobs & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gettone-blobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { ...folderBlobs(folder), folder }
}
