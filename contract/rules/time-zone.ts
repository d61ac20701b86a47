import { Text } from '../frame/shapes.ts'
import { saying } from './broken.ts'

/** As the tz database writes its names: `America/Argentina/Buenos_Aires`, `Etc/GMT+5`, `UTC`. Offsets and abbreviations are none. */
const writing = /^(UTC|[A-Z][A-Za-z]+(_[A-Za-z]+)*(\/[A-Z][\w+-]*){1,2})$/

/** Whether there is a zone of this name, a link to another one included. */
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
