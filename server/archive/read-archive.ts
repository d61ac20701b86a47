import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ArchivedMonth } from '#database/insight/archived-month.ts'
import type { Blobs } from '../files/blobs.ts'

/** A file of the archive is missing or changed. */
export class ArchiveDamaged extends Error {
  constructor(blob: string, options?: ErrorOptions) {
    super(`The archive ${blob} is missing or damaged.`, options)
    this.name = 'ArchiveDamaged'
  }
}

/**
 * The lines of an archived month, some at a time. Throws ArchiveDamaged, for a changed file at its end at the latest: what was read until
 * then must not be used.
 */
export async function* linesIn(
  blobs: Pick<Blobs, 'get'>,
  { blob, sha256 }: Pick<ArchivedMonth, 'blob' | 'sha256'>,
): AsyncGenerator<string[]> {
  const file = await blobs.get(blob)
  if (!file) throw new ArchiveDamaged(blob)
  const hash = createHash('sha256')
  const gunzip = createGunzip()
  const reading = pipeline(
    file.content,
    async function* (bytes: AsyncIterable<Buffer>) {
      for await (const piece of bytes) {
        hash.update(piece)
        yield piece
      }
    },
    gunzip,
  )
  reading.catch(() => {})
  let rest = ''
  const text = new TextDecoder()
  try {
    for await (const bytes of gunzip as AsyncIterable<Buffer>) {
      const lines = (rest + text.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines
    }
    await reading
  } catch (error) {
    throw new ArchiveDamaged(blob, { cause: error })
  }
  if (rest !== '' || hash.digest('hex') !== sha256) throw new ArchiveDamaged(blob)
}
