import { Logger } from 'graphile-worker'
import type { Logger as PinoLogger } from 'pino'

/** graphile-worker's own lines, in our log; what it says of ordinary jobs is for debugging. */
export const graphileLog = (log: PinoLogger): Logger =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
    else log.debug(message)
  })
