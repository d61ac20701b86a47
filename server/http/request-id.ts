import { randomUUIDv7 } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The header by which a caller names its request, and an answer says its name. */
export const requestIdHeader = 'x-request-id'

/** A UUID in small letters. Anything else could not be found in statements and traces, or could write more than an id. */
const form = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The id of a request: the caller's, if it has the form of a UUID, or a new one. It only connects lines of logs, statements and traces: nothing is
 * looked up, counted or allowed by it, and a caller may send one twice.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers[requestIdHeader]
  return typeof sent === 'string' && form.test(sent) ? sent : randomUUIDv7()
}
