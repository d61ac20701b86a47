import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Cause, causedBy, startSpan } from '#database/frame/watching/cause.ts'

/** Digits of a UUID: they are an id of a trace too. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The trace that a request begins has the digits of the request's id, unless the caller sends a trace. So one id finds its lines in the log, its
 * statements and its trace.
 */
function causeOf(request: FastifyRequest): Cause {
  const { id, method, headers, routeOptions } = request
  if (routeOptions.config.isQuiet) return { requestId: id }
  const route = routeOptions.url
  const { traceparent } = headers
  const span = startSpan({
    name: route ? `${method} ${route}` : method,
    kind: 'server',
    facts: { 'http.request.method': method, 'http.route': route, 'gettone.request_id': id },
    parent: typeof traceparent === 'string' ? traceparent : null,
    traceId: uuid.test(id) ? id.replaceAll('-', '') : undefined,
  })
  return { requestId: id, span }
}

/** Runs each request with its cause, and ends its span with its connection or its answer. */
export function traceRequests(app: FastifyInstance): void {
  const causes = new WeakMap<FastifyRequest, Cause>()
  app.addHook('onRequest', (request, reply, done) => {
    const cause = causeOf(request)
    causes.set(request, cause)
    const { span } = cause
    if (span) {
      const traceId = span.traceparent.slice(3, 35)
      if (traceId !== request.id.replaceAll('-', '')) request.log = request.log.child({ trace: traceId })
      reply.raw.once('close', () => {
        const { statusCode, writableFinished } = reply.raw
        const facts = { 'http.response.status_code': statusCode }
        if (!writableFinished) span.end({ facts, error: { code: 'aborted' } })
        else span.end(statusCode >= 500 ? { facts, error: { code: String(statusCode) } } : { facts })
      })
    }
    causedBy(cause, done)
  })
  // Again: what is read of a body continues outside of the first.
  app.addHook('preValidation', (request, _reply, done) => causedBy(causes.get(request) ?? {}, done))
}
