/** What the gateway says things to; pino and Fastify's logger are such. */
export interface Log {
  debug(facts: object, text: string): void
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

const pauseMs = 10 * 60_000
const keysKept = 10_000
const linesPerMinute = 120

/**
 * Says the same thing of the same one once in ten minutes, with how often it happened meanwhile; and never so much that a stranger
 * could fill the disk with it.
 */
export function createOnceLog(log: Pick<Log, 'warn'>) {
  const told = new Map<string, { at: number; unsaid: number }>()
  let minute = { number: 0, lines: 0 }
  return (key: string, facts: object, text: string): void => {
    const now = Date.now()
    const before = told.get(key)
    if (before && now - before.at < pauseMs) {
      before.unsaid += 1
      return
    }
    const number = Math.floor(now / 60_000)
    if (number !== minute.number) {
      const unsaid = minute.lines - linesPerMinute
      if (unsaid > 0) log.warn({ unsaid }, 'More refusals were not logged')
      minute = { number, lines: 0 }
    }
    minute.lines += 1
    if (minute.lines > linesPerMinute) return
    if (told.size >= keysKept) told.clear()
    told.set(key, { at: now, unsaid: 0 })
    log.warn(before?.unsaid ? { ...facts, timesBefore: before.unsaid } : facts, text)
  }
}
export type OnceLog = ReturnType<typeof createOnceLog>

/**
 * Creates a handler for failures of background work: the sentence and the cause are logged once for all machines.
 */
export const createLeftUndone = (logOnce: OnceLog) => (text: string) => (error: unknown) =>
  logOnce(text, { error }, text)
export type LeftUndone = ReturnType<typeof createLeftUndone>
