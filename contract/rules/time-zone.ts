import { saying } from '../frame/broken.ts'
import { Text } from '../frame/shapes.ts'

/** Names of the tz database: `America/Argentina/Buenos_Aires`, `Etc/GMT+5`, `UTC`. Offsets and abbreviations are refused. */
const writing = /^(UTC|[A-Z][A-Za-z]+(_[A-Za-z]+)*(\/[A-Z][\w+-]*){1,2})$/

/** Whether a zone of this name exists, including links to other zones. */
export function isTimeZone(name: string): boolean {
  if (!writing.test(name)) return false
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** A zone of the tz database. */
export const TimeZone = Text.min(1)
  .max(64)
  .refine((name) => name === '' || isTimeZone(name), saying('choice'))
