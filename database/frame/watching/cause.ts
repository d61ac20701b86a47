import { AsyncLocalStorage } from 'node:async_hooks'

/** Facts of a span. Never a value of a statement, a name, an address or another person's data. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

/** A step of a trace. */
export interface Span {
  /** Its place in the trace, as W3C Trace Context writes it: `00-<trace>-<span>-<flags>`. */
  readonly traceparent: string
  /** Ends it; a second call does nothing. `error`: what it failed with. */
  end(outcome?: { facts?: SpanFacts; error?: unknown }): void
}

export interface NewSpan {
  name: string
  kind: SpanKind
  facts?: SpanFacts
  /** The span or traceparent that caused it; null: it begins a trace. */
  parent: Span | string | null
  /** Others that caused it too. */
  links?: readonly Span[]
  /** The id of the trace that it begins: 32 hexadecimal digits. */
  traceId?: string | undefined
}

export interface Tracer {
  start(span: NewSpan): Span
}

/** What causes work: a request by its id, and the span in which it is done. */
export interface Cause {
  requestId?: string
  span?: Span | undefined
}

const current = new AsyncLocalStorage<Cause>()
let tracer: Tracer | undefined

/** Starts to trace this process; undefined stops it. */
export function traceBy(next: Tracer | undefined): void {
  tracer = next
}

/** Starts a span; undefined where nothing is traced. */
export const startSpan = (span: NewSpan): Span | undefined => tracer?.start(span)

/** What causes the work that runs now, for work that runs later. */
export const currentCause = (): Cause => current.getStore() ?? {}

/** Runs work with its cause. The statements of its transactions carry the request's id, and what they store carries the trace. */
export const causedBy = <T>(cause: Cause, work: () => T): T => current.run(cause, work)

/**
 * Runs work as a span of its own. `parent`: a traceparent from a row or a message; null or an unreadable one begins a trace. Left out,
 * it is the span that runs now.
 */
export async function traced<T>(
  { parent = current.getStore()?.span ?? null, ...span }: Omit<NewSpan, 'parent'> & { parent?: NewSpan['parent'] },
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer) return work()
  const started = tracer.start({ ...span, parent })
  try {
    const result = await current.run({ ...current.getStore(), span: started }, work)
    started.end()
    return result
  } catch (error) {
    started.end({ error })
    throw error
  }
}

/** The span that runs now. */
export const currentSpan = (): Span | undefined => (tracer ? current.getStore()?.span : undefined)

const plainId = /^[\w-]{1,40}$/
const plainTrace = /^[0-9a-f-]{55}$/

/** Statements that name the request in a transaction: pg_stat_activity and the log of PostgreSQL show it (`%a`). None outside of requests. */
export function requestSteps(): string[] {
  const id = current.getStore()?.requestId
  return id !== undefined && plainId.test(id) ? [`set local application_name = 'gettone ${id}'`] : []
}

/** Statements by which the rows of a transaction get the trace that caused them (`current_trace()` in the database). None where nothing is traced. */
export function traceSteps(): string[] {
  const trace = currentSpan()?.traceparent
  return trace !== undefined && plainTrace.test(trace) ? [`set local app.trace = '${trace}'`] : []
}
