import { type DestinationStream, type Logger, pino } from 'pino'

/** Parts of an error of the database that quote rows. Its text, code, constraint and table stay. */
const quoting = ['detail', 'where', 'internalQuery']

/** The log of this process: JSON lines on standard output, without the rows that errors of the database quote. */
export const openLog = (level: string, destination?: DestinationStream): Logger => {
  const paths = ['err', 'error'].flatMap((name) => quoting.map((part) => `${name}.${part}`))
  const settings = { level, redact: { paths, remove: true } }
  return destination ? pino(settings, destination) : pino(settings)
}
