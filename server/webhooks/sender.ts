import { setTimeout as pause } from 'node:timers/promises'
import { readyWebhooks } from '#database/merchants/webhook-sending.ts'
import { createOnceLog, type Log } from '../log/once-log.ts'
import { createBackoff } from '../retry/backoff.ts'
import { type LaneDeps, runLane } from './lane.ts'

/** How often due messages are looked for. */
const everyMillis = 1_000

/** Sends messages to webhooks, each webhook in a lane of its own, until it is stopped. Several processes share the work. */
export function startSender(deps: LaneDeps & { log: Pick<Log, 'warn'> }): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const { signal } = stopped
  const lanes = new Map<string, Promise<void>>()
  const logOnce = createOnceLog(deps.log)
  const backoff = createBackoff()

  async function look(): Promise<void> {
    for (const key of await readyWebhooks(deps.doors, (deps.now ?? (() => new Date()))())) {
      if (lanes.has(key.id)) continue
      const lane = runLane(deps, key, signal)
        .catch((error: unknown) =>
          logOnce('lane', { error }, 'Messages to a webhook wait: they cannot be read or stored'),
        )
        .finally(() => lanes.delete(key.id))
      lanes.set(key.id, lane)
    }
  }
  const running = (async () => {
    while (!signal.aborted) {
      const wait = await look().then(
        () => everyMillis,
        (error: unknown) => {
          logOnce('look', { error }, 'Webhooks cannot be read; their messages wait')
          return Math.max(everyMillis, backoff.failed())
        },
      )
      await pause(wait, undefined, { signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await running
      await Promise.all(lanes.values())
    },
  }
}
