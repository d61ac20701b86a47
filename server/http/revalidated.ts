import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers what everybody may keep, as long as they ask whether it still holds: who has this very answer gets 304 without a body. */
export function revalidated(request: FastifyRequest, reply: FastifyReply, result: unknown): unknown {
  const tag = `"${createHash('sha256').update(JSON.stringify(result)).digest('base64url').slice(0, 22)}"`
  reply.header('etag', tag).header('cache-control', 'public, no-cache').header('vary', 'accept-language')
  // A proxy that compresses makes a tag weak; it is the same answer all the same.
  const known = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known?.includes(tag) || known?.includes('*') ? reply.code(304).send() : result
}
