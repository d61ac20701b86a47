import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from '../disk/disk.ts'

/** The disk takes no more: nothing of the record was kept. */
export class DiskFullError extends Error {}

/**
 * A file of records that only grows. Each record is a line with its check sum, and is on the disk when `append` returns. What a power cut left
 * half written is cut off at the next opening.
 */
export interface RecordLog<T> {
  /** The records at the opening, in order. */
  records: readonly T[]
  /** Lines within the file whose check did not hold: a bad disk. They are left out. */
  damaged: number
  /** Bytes of an unfinished record that were cut off. */
  cut: number
  /** Bytes of the file. */
  size(): number
  append(records: readonly T[]): void
  /** Replaces the whole content at once: before or after a power cut the file is the old or the new one. */
  rewrite(records: readonly T[]): void
  close(): void
}

/** What the log needs of the file system; a test fills the disk with it. */
export interface LogFiles {
  write(fd: number, bytes: Uint8Array, position: number): number
}

const realFiles: LogFiles = { write: (fd, bytes, position) => writeSync(fd, bytes, 0, bytes.length, position) }

const lineEnd = 0x0a
const checkOf = (text: string) => crc32(text).toString(16).padStart(8, '0')

function lineOf(record: unknown): string {
  const text = JSON.stringify(record)
  return `${checkOf(text)} ${text}\n`
}

export function openRecordLog<T>(path: string, files: LogFiles = realFiles): RecordLog<T> {
  const { records, damaged, whole, length } = readLines<T>(existsSync(path) ? readFileSync(path) : new Uint8Array())
  let fd = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  syncFolder(dirname(path))
  let end = whole
  if (length > whole) {
    ftruncateSync(fd, whole)
    fsyncSync(fd)
  }

  /** Writes all bytes, or none. */
  function write(into: number, start: number, text: string): number {
    const bytes = new TextEncoder().encode(text)
    try {
      let written = 0
      while (written < bytes.length) written += files.write(into, bytes.subarray(written), start + written)
      fdatasyncSync(into)
      return start + bytes.length
    } catch (error) {
      ftruncateSync(into, start)
      throw isDiskFull(error) ? new DiskFullError('The disk is full') : error
    }
  }

  return {
    records,
    damaged,
    cut: length - whole,
    size: () => end,
    append(added) {
      if (added.length > 0) end = write(fd, end, added.map(lineOf).join(''))
    },
    rewrite(all) {
      const next = `${path}.new`
      const fresh = openSync(next, 'w+', 0o600)
      try {
        end = write(fresh, 0, all.map(lineOf).join(''))
        renameSync(next, path)
      } catch (error) {
        closeSync(fresh)
        throw error
      }
      closeSync(fd)
      fd = fresh
      syncFolder(dirname(path))
    },
    close: () => closeSync(fd),
  }
}

const isDiskFull = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

/** The records whose check holds, and how many bytes are whole lines up to the last of them. */
function readLines<T>(bytes: Uint8Array): { records: T[]; damaged: number; whole: number; length: number } {
  const records: T[] = []
  const decoder = new TextDecoder()
  let bad = 0
  let damaged = 0
  let whole = 0
  for (let start = 0; ; ) {
    const end = bytes.indexOf(lineEnd, start)
    if (end === -1) return { records, damaged, whole, length: bytes.length }
    const line = decoder.decode(bytes.subarray(start, end))
    const text = line.slice(9)
    if (line.slice(0, 8) === checkOf(text) && line[8] === ' ') {
      records.push(JSON.parse(text) as T)
      // Bad lines before a good one are damage; after the last good one they are an unfinished write.
      damaged += bad
      bad = 0
      whole = end + 1
    } else bad++
    start = end + 1
  }
}
