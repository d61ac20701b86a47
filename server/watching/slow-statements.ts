import type { Doors } from '#database/frame/tenant.ts'
import { noteSlowFrom, takeSlow } from '#database/frame/watching/statements.ts'
import { noteSlowStatements } from '#database/platform/slow-statements.ts'
import { createOnceLog, type Log } from '../log/once-log.ts'

/** How often a process hands over what it has seen. */
const everyMillis = 60_000

/** Hands over the slow statements that this process has seen, so that the status page shows them. */
export async function storeSlow(doors: Doors): Promise<void> {
  const seen = takeSlow()
  if (seen.length > 0) await noteSlowStatements(doors, seen, new Date())
}

/** Notes the slow statements of this process until it is stopped. What cannot be stored is forgotten. */
export function watchStatementTimes(doors: Doors, fromMs: number, log: Pick<Log, 'warn'>): { stop(): Promise<void> } {
  const logOnce = createOnceLog(log)
  const store = () =>
    storeSlow(doors).catch((error: unknown) => logOnce('slow', { error }, 'Slow statements are not noted'))
  noteSlowFrom(fromMs)
  const timer = setInterval(store, everyMillis).unref()
  return {
    async stop() {
      clearInterval(timer)
      noteSlowFrom(Number.POSITIVE_INFINITY)
      await store()
    },
  }
}
