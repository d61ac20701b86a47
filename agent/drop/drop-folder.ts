import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deviceLimits } from '#contract/device-protocol.ts'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import { isAudit } from '#domain/audits/eva-dts/is-audit.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'
import { disk } from '../disk/disk.ts'
import type { NewItem } from '../journal/items.ts'
import { movedName, openSettledFiles, type SettledFile } from './settled-files.ts'

/** A folder in which another program puts audits of the machine. */
export interface DropFolder {
  /** Sends the files whose size and time are those of the scan before. */
  scan(): void
  close(): void
}

export interface DropParts {
  /** Writes the audit to the journal. Throws DiskFullError. */
  report(item: NewItem): void
  failed(error: unknown): void
  now?: () => number
}

const scanMs = 3000
const audits = /\.(eva|dex|txt)$/i
/** A message holds the file in base64, and a little beside it. */
const mostBytes = Math.floor(((deviceLimits.upBytes - 2048) * 3) / 4)

/** Sends `.eva`, `.dex` and `.txt` files, and moves them to `sent`, or with a reason to `refused`. */
export function openDropFolder(folder: string, { report, failed, now = Date.now }: DropParts): DropFolder {
  let fault = ''

  /** A fault that stays is named once. */
  function fail(error: unknown) {
    if (String(error) !== fault) failed(error)
    fault = String(error)
  }

  const settled = openSettledFiles(folder, audits, fail)

  function take({ name, path, stats: { size, mtimeMs } }: SettledFile) {
    const moved = movedName(name, new Date(now()))
    const content = size > mostBytes ? undefined : readFileSync(path)
    const refusal = refusalOf(content)
    if (refusal === undefined && content) {
      const data = content.toString('base64')
      const at = Math.min(mtimeMs, now())
      report({ kind: 'audit', at, origin: auditOrigins.unknown, port: 'unknown', data })
      disk.rename(path, join(folder, 'sent', moved))
    } else {
      disk.write(join(folder, 'refused', `${moved}.reason`), `${refusal}\n`)
      disk.rename(path, join(folder, 'refused', moved))
    }
  }

  function scan() {
    for (const name of ['sent', 'refused']) mkdirSync(join(folder, name), { recursive: true })
    for (const file of settled())
      try {
        take(file)
      } catch (error) {
        fail(error)
      }
  }
  const timer = setInterval(() => {
    try {
      scan()
    } catch (error) {
      fail(error)
    }
  }, scanMs)
  return { scan, close: () => clearInterval(timer) }
}

function refusalOf(content: Uint8Array | undefined): string | undefined {
  if (!content) return `The file is larger than ${mostBytes} bytes`
  return isAudit(readAudit(content)) ? undefined : 'The file is no audit of EVA-DTS'
}
