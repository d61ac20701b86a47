import { createHash, createPublicKey, verify } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { commandParameters, type InstallWindow } from '#contract/commands/command-parameters.ts'
import type { UpdatePhase } from '#contract/vocabulary/update.ts'
import { isDowngrade } from '#domain/updates/downgrade.ts'
import { signedText } from '#domain/updates/signed-text.ts'
import type { Access } from '../portal/link.ts'
import { fetchFile } from './fetch-file.ts'
import { driverName, largestRelease, type Release, unpackRelease } from './release-file.ts'

/** The update is refused; the text says why. */
export class UpdateError extends Error {}

// Newer portals may say more.
const { version, file, window, allowDowngrade } = commandParameters[11].shape
const UpdateOrder = z.object({
  version,
  file: z.object(file.shape),
  window: z.object(window.shape),
  allowDowngrade,
})
type UpdateOrder = z.infer<typeof UpdateOrder>

export interface UpdateParts {
  access: Access
  /** The version that runs. */
  running: string
  /** The key of the portal that signs updates, as PEM. */
  key(): Promise<string>
  progress(phase: UpdatePhase, percent?: number): void
  /** The time in the portal's zone, as machines write it. */
  clock(): string
  /** Resolves when the machine is not being read. */
  idle(): Promise<unknown>
  signal: AbortSignal
  /** Milliseconds between two checks of the clock, and before a failed download is continued. */
  step?: number
}

/**
 * Fetches and checks what command 11 names, and waits until it may be installed. Returns undefined when the version already runs. Throws with the
 * reason when the agent does not take it.
 */
export async function prepareUpdate(parameters: unknown, parts: UpdateParts): Promise<Release | undefined> {
  const parsed = UpdateOrder.safeParse(parameters)
  if (!parsed.success) throw new UpdateError('The command is not understood')
  const order = parsed.data
  const { running, access, progress, signal, step } = parts
  if (order.version === running) return undefined
  if (isDowngrade(running, order.version) && !order.allowDowngrade)
    throw new UpdateError(`Version ${order.version} is older than ${running}`)
  if (order.file.bytes > largestRelease) throw new UpdateError('The file is too large for an agent')
  const packed = await fetchFile(order.file, access, {
    signal,
    progress: (percent) => progress('downloading', percent),
    firstPause: step,
  })
  progress('checking')
  const release = checked(order, packed, await parts.key())
  await untilOpen(order.window, parts)
  progress('installing')
  return release
}

function checked({ version, file }: UpdateOrder, packed: Uint8Array, key: string): Release {
  const { bytes, sha256, signature } = file
  if (createHash('sha256').update(packed).digest('hex') !== sha256)
    throw new UpdateError('The file has another check sum')
  const signed = Buffer.from(signedText({ kind: 'firmware', peripheral: null, version, bytes, sha256 }))
  if (!verify(null, signed, createPublicKey(key), Buffer.from(signature, 'base64')))
    throw new UpdateError('The signature is wrong')
  const node = Number.parseInt(process.versions.node, 10)
  const release = unpackRelease(packed, { node, driver: driverName(process.platform, process.arch) })
  if (release.version !== version) throw new UpdateError(`The file is version ${release.version}`)
  return release
}

/** Waits for the window, and for the end of a reading. */
async function untilOpen({ from, until }: InstallWindow, { clock, idle, progress, signal, step = 1000 }: UpdateParts) {
  let isWaiting = false
  for (;;) {
    await idle()
    const now = clock()
    if (now >= until) throw new UpdateError('The window for the installation is over')
    if (now >= from) return
    if (!isWaiting) progress('waiting')
    isWaiting = true
    await pause(step, undefined, { signal })
  }
}
