import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { deviceLimits } from '#contract/device-protocol.ts'
import { auditFileOutcomes } from '#contract/vocabulary/audit.ts'
import { disk } from '../disk/disk.ts'
import { movedName, openSettledFiles, type SettledFile } from '../drop/settled-files.ts'

/** A folder into which other systems put audit files of many machines, by SFTP for example. */
export interface InboxFolder {
  /** Sends the files whose size and time are those of the scan before. */
  scan(): Promise<void>
  close(): void
}

export interface InboxParts {
  /** Sends files to the portal, and returns a row for each. Throws when the portal cannot be reached or refuses the call. */
  store(files: { name: string; data: string }[]): Promise<FileRow[]>
  say(text: string): void
}

const scanMs = 10_000
const audits = /\.(eva|dex|dts|txt|json)$/i
/** Files of one call. */
const atOnce = 20
/** Where a file is moved, by its outcome. */
const folders = { new: 'sent', known: 'sent', unclear: 'unclear', refused: 'refused' } as const

/** What the portal answers of a file, as far as it is used here (`contract/audits/audit-file.ts`). */
const FileRow = z.object({
  name: z.string(),
  outcome: z.enum(auditFileOutcomes),
  fault: z.string().nullable(),
  machine: z.object({ serial: z.string() }).nullable(),
  names: z.array(z.string()),
  vendsTotal: z.int().nullable(),
  unread: z.object({ total: z.int() }),
})
export type FileRow = z.infer<typeof FileRow>
const Answer = z.object({ files: z.array(FileRow) })

/** The rows of an answer of the portal. */
export const rowsOf = (answer: unknown): FileRow[] => Answer.parse(answer).files

/** The outcome of a file, in a line. */
export function lineOf({ name, outcome, fault, machine, names, vendsTotal, unread }: FileRow): string {
  const parts = [
    name,
    fault ?? outcome,
    machine && `machine ${machine.serial}`,
    !machine && names.length > 0 && `names ${names.join(', ')}`,
    vendsTotal !== null && `${vendsTotal} vends`,
    unread.total > 0 && `${unread.total} lines not understood`,
  ]
  return parts.filter((part) => typeof part === 'string').join(' · ')
}

/** Sends audit files and moves them to `sent`, `unclear` or `refused`. While the portal is away they stay. */
export function openInboxFolder(folder: string, { store, say }: InboxParts): InboxFolder {
  let fault = ''
  let underway: Promise<void> | undefined

  /** A fault that stays is named once. */
  function fail(error: unknown) {
    const text = error instanceof Error ? error.message : String(error)
    if (text !== fault) say(text)
    fault = text
  }
  const settled = openSettledFiles(folder, audits, fail)

  function move({ name, path }: SettledFile, into: string, reason?: string) {
    const moved = movedName(name, new Date())
    if (reason !== undefined) disk.write(join(folder, into, `${moved}.reason`), `${reason}\n`)
    disk.rename(path, join(folder, into, moved))
  }

  async function send(files: readonly SettledFile[]) {
    const rows = await store(files.map(({ name, path }) => ({ name, data: readFileSync(path).toString('base64') })))
    for (const [at, row] of rows.entries()) {
      const file = files[at]
      if (!file) continue
      const into = folders[row.outcome]
      move(file, into, into === 'sent' ? undefined : lineOf(row))
      say(lineOf(row))
    }
    fault = ''
  }

  async function scanNow() {
    for (const name of new Set(Object.values(folders))) mkdirSync(join(folder, name), { recursive: true })
    const found = settled()
    for (const file of found.filter(({ stats }) => stats.size > deviceLimits.auditBytes))
      move(file, 'refused', `The file is larger than ${deviceLimits.auditBytes} bytes`)
    const left = found.filter(({ stats }) => stats.size <= deviceLimits.auditBytes)
    for (let at = 0; at < left.length; at += atOnce) await send(left.slice(at, at + atOnce))
  }

  function scan(): Promise<void> {
    underway ??= scanNow()
      .catch(fail)
      .finally(() => {
        underway = undefined
      })
    return underway
  }
  const timer = setInterval(() => void scan(), scanMs)
  return { scan, close: () => clearInterval(timer) }
}
