import { summaryOf, withoutValues } from '#domain/frame/statement-text.ts'
import { currentSpan, startSpan } from './cause.ts'

/** How often a statement was slow in this process since it was last read, in milliseconds. */
export interface SlowStatement {
  /** Without any value. */
  text: string
  count: number
  totalMs: number
  maximumMs: number
  last: Date
}

/** Statements that this process keeps until they are read; the slowness of further ones is not noted. */
const mostSlow = 200
const mostTexts = 1_000
/** A longer text ends here. */
const longestText = 4_000
/** A longer statement (one of thousands of rows) is not remembered. */
const longestRemembered = 20_000

let slowFromMs = Number.POSITIVE_INFINITY
const slow = new Map<string, SlowStatement>()

/** Notes statements that take this long or longer, as this process waits for them. */
export function noteSlowFrom(ms: number): void {
  slowFromMs = ms
}

/** The slow statements since the last call. */
export function takeSlow(): SlowStatement[] {
  const taken = [...slow.values()]
  slow.clear()
  return taken
}

const texts = new Map<string, string>()

function textOf(statement: string): string {
  // It names its request and its merchants: each has a text of its own.
  if (statement.startsWith('begin')) return 'begin'
  const known = texts.get(statement)
  if (known !== undefined) return known
  const text = withoutValues(statement).slice(0, longestText)
  if (statement.length > longestRemembered) return text
  if (texts.size >= mostTexts) texts.delete(texts.keys().next().value as string)
  texts.set(statement, text)
  return text
}

function noteSlow(statement: string, ms: number): void {
  const text = textOf(statement)
  const known = slow.get(text)
  if (!known && slow.size >= mostSlow) return
  slow.set(text, {
    text,
    count: (known?.count ?? 0) + 1,
    totalMs: (known?.totalMs ?? 0) + ms,
    maximumMs: Math.max(known?.maximumMs ?? 0, ms),
    last: new Date(),
  })
}

function spanOf(statement: string) {
  const parent = currentSpan()
  if (!parent) return undefined
  const text = textOf(statement)
  const name = summaryOf(text)
  const facts = { 'db.system.name': 'postgresql', 'db.query.summary': name, 'db.query.text': text }
  return startSpan({ name, kind: 'client', facts, parent })
}

/**
 * A statement is sent. Call the result when it has ended, or when its first rows are here; later calls do nothing. Inside a traced step it is a
 * span, and slow ones are noted.
 */
export function beginStatement(statement: string): (error?: unknown) => void {
  const began = performance.now()
  const span = spanOf(statement)
  let isOver = false
  return (error) => {
    if (isOver) return
    isOver = true
    const ms = performance.now() - began
    span?.end({ error: error ?? undefined })
    if (ms >= slowFromMs) noteSlow(statement, ms)
  }
}
