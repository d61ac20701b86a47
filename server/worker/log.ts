import { Logger } from 'graphile-worker'
import type { Logger as PinoLogger } from 'pino'

/** graphile-worker's messages in our log. Messages about ordinary jobs are for debugging. */
export const graphileLog = (log: PinoLogger): Logger =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
