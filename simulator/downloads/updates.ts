import { createHash, createPublicKey, verify } from 'node:crypto'
import type { InstallWindow, SignedFile } from '#contract/commands/command-parameters.ts'
import type { UpdateKind, UpdatePhase } from '#contract/vocabulary/update.ts'
import { signedText } from '#domain/updates/signed-text.ts'
import { ForeignAddressError, fetchFromPortal, type PortalAccess } from './portal-files.ts'

/** How a machine breaks at its next updates. */
export const updateFaults = ['noSpace', 'wrongHash', 'powerCut', 'silent', 'oldVersion'] as const
export type UpdateFault = (typeof updateFaults)[number]

/** An update failed at the machine, with the reason. */
export class UpdateFailedError extends Error {}

/** The power fails in the middle of an update: its end is reported after the restart. */
export class PowerCutError extends Error {}

export interface Update {
  kind: UpdateKind
  peripheral: string | null
  version: string
  file: SignedFile
  window: InstallWindow
}

export interface UpdateWorks {
  access: PortalAccess
  fault: UpdateFault | undefined
  signal: AbortSignal
  progress(phase: UpdatePhase, percent?: number): void
  /** The machine's own clock. */
  clock(): string
  /** Whether it serves a customer. */
  isVending(): boolean
}

const retries = 12
const firstPauseMs = 250
const longestPauseMs = 10_000
const waitStepMs = 250

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms).unref()
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/**
 * Fetches, checks and waits, so that the caller may install: over HTTP with the machine's own secret, on from where a connection was
 * cut; size, checksum and signature; then the window and the end of a vend. Throws UpdateFailedError.
 */
export async function prepareUpdate(update: Update, works: UpdateWorks): Promise<void> {
  const bytes = await download(update.file, works)
  works.progress('checking')
  if (works.fault === 'wrongHash') bytes[0] = (bytes[0] ?? 0) ^ 1
  await check(update, bytes, works)
  await untilFree(update.window, works)
  works.progress('installing')
}

async function download({ url, bytes, sha256 }: SignedFile, works: UpdateWorks): Promise<Buffer> {
  if (works.fault === 'noSpace') throw new UpdateFailedError('E-71 no space')
  const content = Buffer.alloc(bytes)
  let have = 0
  let failures = 0
  let reported = -1
  const tell = () => {
    const percent = bytes === 0 ? 100 : Math.floor((have * 100) / bytes)
    if (percent < 100 && percent < reported + 10) return
    reported = percent
    works.progress('downloading', percent)
  }
  tell()
  while (have < bytes) {
    try {
      const rest: Record<string, string> = have > 0 ? { range: `bytes=${have}-`, 'if-range': `"${sha256}"` } : {}
      const answer = await fetchFromPortal(url, works.access, { headers: rest, signal: works.signal })
      if (answer.status === 200) have = 0
      else if (answer.status === 429 || answer.status >= 500) throw new TypeError(`HTTP ${answer.status}`)
      else if (answer.status !== 206) throw new UpdateFailedError(`E-70 HTTP ${answer.status}`)
      for await (const piece of answer.body ?? []) {
        if (have + piece.length > bytes) throw new UpdateFailedError('E-72 wrong size')
        content.set(piece, have)
        have += piece.length
        failures = 0
        tell()
      }
      if (have < bytes) throw new TypeError('cut off')
    } catch (error) {
      if (error instanceof ForeignAddressError) throw new UpdateFailedError('E-70 not the address of the portal')
      if (error instanceof UpdateFailedError || works.signal.aborted) throw error
      if (++failures > retries) throw new UpdateFailedError('E-70 not reachable')
      await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** failures), works.signal)
    }
  }
  return content
}

async function check({ kind, peripheral, version, file }: Update, content: Buffer, works: UpdateWorks): Promise<void> {
  const { bytes, sha256, signature, url } = file
  if (createHash('sha256').update(content).digest('hex') !== sha256) throw new UpdateFailedError('E-73 wrong checksum')
  const answer = await fetchFromPortal(new URL('../update-key', url), works.access, { signal: works.signal })
  if (!answer.ok) throw new UpdateFailedError('E-74 no key')
  const signed = Buffer.from(signedText({ kind, peripheral, version, bytes, sha256 }))
  if (!verify(null, signed, createPublicKey(await answer.text()), Buffer.from(signature, 'base64')))
    throw new UpdateFailedError('E-74 wrong signature')
}

/** Waits for the window and for the end of a vend. Clocks are compared as texts, which sort like the times they show. */
async function untilFree({ from, until }: InstallWindow, { clock, isVending, progress, signal }: UpdateWorks) {
  let hasSaid = false
  for (;;) {
    if (signal.aborted) throw new UpdateFailedError('E-90 stopped')
    const now = clock()
    if (now >= until) throw new UpdateFailedError('E-75 window over')
    if (now >= from && !isVending()) return
    if (!hasSaid) progress('waiting')
    hasSaid = true
    await pause(waitStepMs, signal)
  }
}
