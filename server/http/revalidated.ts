import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cacheable answer that clients revalidate: a client with the same tag gets 304 without a body. */
export function revalidated(request: FastifyRequest, reply: FastifyReply, result: unknown): unknown {
  const tag = `"${createHash('sha256').update(JSON.stringify(result)).digest('base64url').slice(0, 22)}"`
  // Weak: the same content in any encoding, compressed here or by a proxy.
  reply.header('etag', `W/${tag}`).header('cache-control', 'public, no-cache')
  reply.header('vary', 'accept-language, accept-encoding')
  const knownTags = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return knownTags?.includes(tag) || knownTags?.includes('*') ? reply.code(304).send() : result
}
