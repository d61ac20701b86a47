import type { FastifyReply, FastifyRequest } from 'fastify'
import { rangeOf } from '#domain/updates/range.ts'
import type { Blobs } from '../files/blobs.ts'

const mime: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  pdf: 'application/pdf',
  json: 'application/json',
}
/** The MIME type of a stored file. */
export const mimeOf = (type: string | null) => mime[type ?? ''] ?? 'application/octet-stream'

/** Sends a stored file, or the part of it that the request asks for. False: there is no such file. */
export async function sendBlob(
  request: FastifyRequest,
  reply: FastifyReply,
  blobs: Pick<Blobs, 'size' | 'part'>,
  { key, type, sha256 }: { key: string; type: string | null; sha256: string },
): Promise<boolean> {
  const size = await blobs.size(key)
  if (size === undefined) return false
  const tag = `"${sha256}"`
  reply.header('etag', tag).header('accept-ranges', 'bytes').type(mimeOf(type))
  const { range: requestedRange, 'if-range': only, 'if-none-match': knownTags } = request.headers
  if (knownTags === tag) {
    reply.status(304).send()
    return true
  }
  const range = only === undefined || only === tag ? rangeOf(requestedRange, size) : 'whole'
  if (range === 'beyond') {
    reply.header('content-range', `bytes */${size}`).type('application/problem+json')
    reply.status(416).send(JSON.stringify({ title: 'RangeNotSatisfiable', status: 416 }))
    return true
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range
  if (range !== 'whole') reply.status(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', end - start + 1).send(blobs.part(key, start, end))
  return true
}
