/** The gateway's logger. Pino and Fastify's logger implement it. */
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
 * Logs the same line for the same key once in ten minutes, with the number of repetitions. The total is limited, so that a
 * stranger cannot fill the disk.
 */
export function createOnceLog(log: Pick<Log, 'warn'>) {
  const recent = new Map<string, { at: number; omitted: number }>()
  let minute = { number: 0, lines: 0 }
  return (key: string, facts: object, text: string): void => {
    const now = Date.now()
    const before = recent.get(key)
    if (before && now - before.at < pauseMs) {
      before.omitted += 1
      return
    }
    const number = Math.floor(now / 60_000)
    if (number !== minute.number) {
      const omitted = minute.lines - linesPerMinute
      if (omitted > 0) log.warn({ omitted }, 'More refusals were not logged')
      minute = { number, lines: 0 }
    }
    minute.lines += 1
    if (minute.lines > linesPerMinute) return
    if (recent.size >= keysKept) recent.clear()
    recent.set(key, { at: now, omitted: 0 })
    log.warn(before?.omitted ? { ...facts, timesBefore: before.omitted } : facts, text)
  }
}
export type OnceLog = ReturnType<typeof createOnceLog>

/** Creates a handler for failures of background work. It logs the sentence and the cause once for all machines. */
export const logFailuresOnce = (logOnce: OnceLog) => (text: string) => (error: unknown) =>
  logOnce(text, { error }, text)
export type LogFailure = ReturnType<typeof logFailuresOnce>
