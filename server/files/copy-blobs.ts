import { createHash, type Hash } from 'node:crypto'
import type { Blobs } from './blobs.ts'

export interface Copied {
  files: number
  bytes: number
  /** Files that were there with the same content. */
  present: number
  /** Keys whose copy differs from the original when read again; such a copy is removed. */
  differing: string[]
}

async function* hashing(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncIterable<Uint8Array> {
  for await (const piece of content) {
    hash.update(piece)
    yield piece
  }
}

/** The SHA-256 of a file in hex; undefined when there is none. */
async function hashOf(blobs: Blobs, key: string): Promise<string | undefined> {
  const file = await blobs.get(key)
  if (!file) return undefined
  const hash = createHash('sha256')
  for await (const piece of file.content) hash.update(piece as Uint8Array)
  return hash.digest('hex')
}

/** Files that a process writes to see whether it can. */
const isProbe = (key: string) => key.startsWith('probes/')

/**
 * Copies all files to another place, reads each copy again and compares its SHA-256 with the original's. Files that are there with the same
 * content are left; nothing is removed at either place but a copy that differs. May be repeated.
 */
export async function copyBlobs(from: Blobs, to: Blobs, onCopied: (key: string) => void = () => {}): Promise<Copied> {
  const copied: Copied = { files: 0, bytes: 0, present: 0, differing: [] }
  for await (const { key, size } of from.all()) {
    if (isProbe(key)) continue
    if ((await to.size(key)) === size && (await hashOf(to, key)) === (await hashOf(from, key))) {
      copied.present++
      continue
    }
    const file = await from.get(key)
    // Removed meanwhile, as exports are after their hours.
    if (!file) continue
    const hash = createHash('sha256')
    await to.put(key, hashing(file.content, hash), { isDurable: true })
    if ((await hashOf(to, key)) !== hash.digest('hex')) {
      await to.remove(key)
      copied.differing.push(key)
      continue
    }
    copied.files++
    copied.bytes += size
    onCopied(key)
  }
  return copied
}
