import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Logger } from 'pino'
import { type ErrorCode } from '#contract/errors.ts'
import { traceRequests } from '../watching/trace-requests.ts'
import { compressAnswers } from './compression.ts'
import { endConnections } from './connections-at-end.ts'
import { answerError, handleErrors } from './problem.ts'
import { requestIdOf } from './request-id.ts'

const longestBody = 1024 * 1024
/** The time of a request with its body; a file takes longer over a slow line. */
const requestTimeoutMs = 30_000
const uploadTimeoutMs = 30 * 60_000
/** One year, without subdomains: other names of the domain may be served without TLS. */
const strictTransport = 'max-age=31536000'

/** Default headers of a page: isolated from windows of other sites, and no referrer to them. */
const pageDefaults = { 'cross-origin-opener-policy': 'same-origin', 'referrer-policy': 'same-origin' } as const

/** An answer that is data loads nothing, even where a browser shows it as a page. */
const dataPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/** Files and scripts: a viewer of the browser, such as that of PDF, may need parts of its own. */
const filePolicy = "frame-ancestors 'self'"
const isData = (type: unknown) => /^(?:application\/(?:problem\+)?json|text\/plain)(?:;|$)/.test(String(type))

/** A path without its query. One with a secret, such as that of a mailed link, is written as its route. */
const pathInLog = (url: string, route: string | undefined) =>
  route && /:(?:token|reference)\b/.test(route) ? route : url.split('?')[0]

/** A Fastify with problem documents and request ids, without routes. */
export function createApp(
  log: Logger,
  options: { trustProxy?: boolean; https?: { key: string; cert: string }; isAlwaysHttps?: boolean } = {},
): FastifyInstance {
  const settings: FastifyServerOptions = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    bodyLimit: longestBody,
    // Only the nearest proxy is trusted: the caller may have written earlier entries.
    trustProxy: options.trustProxy ? (_address, hop) => hop === 0 : false,
    // Disconnects a client that sends its request too slowly; rows without a file have less time. The keep-alive time closes idle
    // connections.
    requestTimeout: uploadTimeoutMs,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // An address that no route can have: badly encoded, or too long.
    frameworkErrors: answerError,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    ...(options.https ? { https: options.https } : {}),
  }
  const app = Fastify(settings)
  endConnections(app, options.https !== undefined)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  handleErrors(app)
  compressAnswers(app)
  // Set on the raw answer, so that streams and the identity provider's answers have them too.
  app.addHook('onRequest', async (_request, reply) => {
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    if (options.isAlwaysHttps) reply.raw.setHeader('strict-transport-security', strictTransport)
  })
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', isData(reply.getHeader('content-type')) ? dataPolicy : filePolicy)
    if (String(reply.getHeader('content-type')).startsWith('text/html'))
      for (const [name, value] of Object.entries(pageDefaults)) if (!reply.hasHeader(name)) reply.header(name, value)
    // Only files of the portal may be cached; all other answers are personal.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  traceRequests(app)
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (routeOptions.config.takesFile || raw.complete) return
    const late = setTimeout(() => raw.complete || raw.destroy(), requestTimeoutMs).unref()
    raw.once('close', () => clearTimeout(late))
  })
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.config.isQuiet) return
    const { method, url } = request
    request.log.info(
      {
        method,
        url: pathInLog(url, request.routeOptions.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
  return app
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests that are not logged: health, metrics, static files. */
    isQuiet?: boolean
    /** The body is a file, and may take long. */
    takesFile?: boolean
    /** The error code of a body that is too large. */
    tooLarge?: ErrorCode
  }
}
