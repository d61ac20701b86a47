import type { FastifyRequest } from 'fastify'
import type { Config } from './config.ts'

/** The origin at which the caller sees us, when it is one of ours; a Host header that is not ours counts for nothing. */
export function publicOriginOf(config: Pick<Config, 'publicOrigins' | 'publicUrl'>, request: FastifyRequest): string {
  const seen = `${request.protocol}://${request.host}`
  return config.publicOrigins.includes(seen) ? seen : config.publicUrl
}
