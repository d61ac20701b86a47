import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { ProductError } from '#contract/errors.ts'
import type { AnyEndpoint } from '#contract/frame/endpoint.ts'
import type { Blobs } from '../files/blobs.ts'

/** A file that has arrived complete. */
export interface Upload {
  /** Its blob is `updates/<id>`. */
  id: string
  name: string
  bytes: number
  sha256: string
}

/** The blob of a file for machines. */
export const blobOfUpdate = (id: string) => `updates/${id}`
/** The blob of a document of the visual programmer; it is kept for as long as its command can wait. */
export const blobOfVp = (id: string) => `vp/${id}`

const arrived = new WeakMap<FastifyRequest, Upload>()

/** The file of a call whose row has `takes`. */
export function uploadOf(request: FastifyRequest): Upload {
  const upload = arrived.get(request)
  if (!upload) throw new Error('This row takes no file.')
  return upload
}

/**
 * Stores the file of a call before its handler runs, so that no transaction waits for a slow line, and removes it when the handler
 * refuses. Refuses an empty file, a file above the row's limit, and a file that was cut off: the query says its size.
 */
export async function withUpload<T>(
  request: FastifyRequest,
  row: AnyEndpoint,
  blobs: Blobs,
  handle: () => Promise<T>,
): Promise<T> {
  const { name, bytes: announced } = request.query as { name: string; bytes: number }
  const most = row.longestBody ?? 0
  if (announced === 0) throw new ProductError('UpdateFileEmpty')
  if (announced > most) throw new ProductError(row.tooLarge, { maxBytes: most })
  const content: unknown = request.body
  // A call without a body, or with an empty one, has no stream.
  if (!(content instanceof Readable)) throw new ProductError('UpdateFileIncomplete')
  const id = randomUUID()
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(whole: Readable) {
    for await (const piece of whole) {
      bytes += (piece as Buffer).length
      if (bytes > announced) throw new ProductError('UpdateFileIncomplete')
      hash.update(piece as Buffer)
      yield piece as Buffer
    }
    if (bytes < announced) throw new ProductError('UpdateFileIncomplete')
  }
  try {
    await blobs.put(blobOfUpdate(id), counted(content))
  } catch (error) {
    // The browser went away in the middle of the file.
    if (request.raw.destroyed && !request.raw.complete) throw new ProductError('UpdateFileIncomplete')
    throw error
  }
  arrived.set(request, { id, name, bytes, sha256: hash.digest('hex') })
  try {
    return await handle()
  } catch (error) {
    await blobs.remove(blobOfUpdate(id))
    throw error
  }
}
