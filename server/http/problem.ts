import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { type ErrorCode, errors, ProductError } from '#contract/errors.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import { isAway } from '#database/frame/transient.ts'
import { spokenOf, wordsIn } from '../words/words.ts'

/** The content of a refusal beside its code: `errors` of single fields, `facts` for the reader's sentence. */
export type Refusal = { code: ErrorCode } & Record<string, unknown>

export function sendProblem(reply: FastifyReply, problem: Refusal): void {
  const status = errors[problem.code]
  reply.status(status).type('application/problem+json')
  reply.send(
    JSON.stringify({
      type: `urn:gettone:error:${problem.code}`,
      title: problem.code,
      status,
      requestId: reply.request.id,
      ...problem,
    }),
  )
}

/** The one place where errors become answers. A failure of ours is a 500 with the request's id, and its cause is logged. */
export function answerError(error: FastifyError | ProductError, request: FastifyRequest, reply: FastifyReply): void {
  const problem = problemOf(error, request)
  if (errors[problem.code] === 500)
    request.log.error({ err: error.cause ?? error, code: problem.code }, 'Request failed')
  else request.log.info({ code: problem.code, address: request.ip }, 'Request refused')
  if (reply.raw.headersSent) {
    reply.raw.destroy()
    return
  }
  if (problem.code === 'Unauthorized') reply.header('www-authenticate', 'Bearer')
  if (request.headers.accept?.includes('text/html')) saySo(reply, problem, request.headers['accept-language'])
  else sendProblem(reply, problem)
}

/** Answers a link that was opened in a browser, such as an export's, with readable text; a failure with the request's id. */
function saySo(reply: FastifyReply, { code, facts }: Refusal, accepted: string | undefined): void {
  const language = spokenOf(accepted) ?? 'en'
  const words = wordsIn(language, 'errors')
  const { id } = reply.request
  const request = errors[code] >= 500 ? ` ${wordsIn(language, 'ui')('error.request', { id })}` : ''
  reply.status(errors[code]).type('text/plain; charset=utf-8')
  reply.send(words(code, { ...(facts as object | undefined) }) + request)
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request: FastifyRequest, reply) => {
    request.log.info({ code: 'NotFound', address: request.ip }, 'Request refused')
    return sendProblem(reply, { code: 'NotFound' })
  })
}

const codesOfStatus: Partial<Record<number, ErrorCode>> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
}

/** The part of the request that the schema refused. */
const contexts: Record<string, 'body' | 'query' | 'params'> = { body: 'body', querystring: 'query', params: 'params' }

function problemOf(error: FastifyError | ProductError, request: FastifyRequest): Refusal {
  if (error instanceof ProductError) {
    const { errors: faults, ...facts } = error.facts ?? {}
    return {
      code: error.code,
      ...(faults === undefined ? {} : { errors: faults }),
      ...(Object.keys(facts).length === 0 ? {} : { facts }),
    }
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const sent = request[contexts[error.validationContext ?? 'body'] ?? 'body']
    const faults = error.validation.map((fault) => {
      const path = fault.instancePath.split('/').slice(1)
      const issue = { ...fault.params, code: fault.keyword, message: fault.message ?? '', path }
      const { key, values } = ruleOf(issue as z.core.$ZodIssue, valueAt(sent, path))
      return {
        path: path.join('.'),
        code: fault.keyword,
        message: fault.message ?? '',
        rule: key,
        ...(values && { values }),
      }
    })
    return { code: 'ValidationFailed', errors: faults }
  }
  if (isResponseSerializationError(error)) return { code: 'Internal' }
  if (isUnreachable(error)) return { code: 'ServiceUnavailable' }
  const status = error.statusCode ?? 500
  if (status === 413) return { code: request.routeOptions.config.tooLarge ?? 'PayloadTooLarge' }
  return { code: codesOfStatus[status] ?? (status < 500 ? 'BadRequest' : 'Internal') }
}

/**
 * Whether the database is unavailable, so that the caller may retry. An error without a code may be a bug, and an error
 * with a path is about a file.
 */
const isUnreachable = (error: object) => 'code' in error && !('path' in error) && isAway(error)
