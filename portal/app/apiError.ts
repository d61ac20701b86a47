import type { ErrorCode } from '#contract/errors.ts'
import type { BrokenRule } from '#contract/frame/broken.ts'

/** Codes of the browser's own failures, beside the server's. */
export type FailureCode = ErrorCode | 'Unreachable' | 'TimedOut'

/** A call that did not succeed. It is recognised by its code; its sentence comes from `errors.json`. */
export class ApiError extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly facts: Record<string, unknown>
  /** Refused fields of the body: dotted path to the rule it breaks. */
  readonly fields: Record<string, BrokenRule>
  /** The id of the request: it finds the lines of the log, the statements and the trace. */
  readonly requestId: string | undefined
  /** Whether the server itself answered. A page of a proxy or a hotspot says nothing about the request. */
  readonly isOfServer: boolean
  /** `sentId`: the id that the browser sent, for failures without an answer of the server. */
  constructor(code: FailureCode, status = 0, problem: Problem = {}, sentId?: string) {
    super(code)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.facts = problem.facts ?? {}
    this.fields = Object.fromEntries(
      (problem.errors ?? []).map(({ path, rule = 'rule.format', values }) => [
        path,
        { key: rule, ...(values && { values }) },
      ]),
    )
    this.requestId = problem.requestId ?? sentId
    this.isOfServer = problem.requestId !== undefined
  }
}

/** It is unknown whether the server received it: the connection was lost, or a proxy could not reach the server. */
export const isLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || (error.status >= 502 && error.status <= 504))

/**
 * For an act with one meaning, such as suspending a user: if the record was saved meanwhile, here or elsewhere, the act
 * is repeated on the new version.
 */
export const ontoCurrent = <T, R>(record: T, act: (record: T) => Promise<R>): Promise<R> =>
  act(record).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'EditConflict') return act(error.facts.current as T)
    throw error
  })

/** The used fields of a problem document (RFC 9457). */
export interface Problem {
  code?: string
  requestId?: string
  facts?: Record<string, unknown>
  errors?: readonly { path: string; rule?: BrokenRule['key']; values?: Record<string, unknown> }[]
}

type Words = (key: string | string[], values: Record<string, unknown>) => string

/** What happened, by its code; the words of `errors` must be loaded. */
export const reasonOf = (t: Words, error: unknown) =>
  // A newer server may have codes of its own.
  error instanceof ApiError ? t([`errors:${error.code}`, 'errors:Internal'], error.facts) : t('errors:Internal', {})

/** Whether it is a failure, and no refusal that the reader understands. */
const isFailure = ({ status }: ApiError) => status === 0 || status >= 500

/** The same; a failure with the id of its request, by which support finds it. */
export function sentenceOf(t: Words, error: unknown): string {
  const id = error instanceof ApiError && isFailure(error) ? error.requestId : undefined
  return id ? `${reasonOf(t, error)} ${t('ui:error.request', { id })}` : reasonOf(t, error)
}
