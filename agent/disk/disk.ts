import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Changes of files that have reached the disk when they return. Tests end the process between them. */
export interface Disk {
  write(path: string, content: Uint8Array | string): void
  /** Replaces a file at once: before or after a power cut it is the old or the new one. */
  rename(from: string, to: string): void
  makeFolder(path: string): void
  remove(path: string): void
}

export const disk: Disk = {
  write(path, content) {
    writeFileSync(path, content, { mode: 0o600, flush: true })
    syncFolder(dirname(path))
  },
  rename(from, to) {
    renameSync(from, to)
    syncFolder(dirname(to))
  },
  makeFolder(path) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    syncFolder(dirname(path))
  },
  remove(path) {
    rmSync(path, { recursive: true, force: true })
    syncFolder(dirname(path))
  },
}

/** The name of a file is on the disk when its folder is. */
export function syncFolder(folder: string): void {
  const opened = openSync(folder, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
