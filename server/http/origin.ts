import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** The public origin that the caller used, if it is ours. A foreign Host header is ignored. */
export function publicOriginOf(config: Pick<Config, 'publicOrigins' | 'publicUrl'>, request: FastifyRequest): string {
  const origin = `${request.protocol}://${request.host}`
  return config.publicOrigins.includes(origin) ? origin : config.publicUrl
}
