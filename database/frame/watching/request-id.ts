import { AsyncLocalStorage } from 'node:async_hooks'

const current = new AsyncLocalStorage<string>()
const plain = /^[\w-]{1,40}$/

/** Runs work of a request. The statements of its transactions carry the request's id. */
export const withRequestId = <T>(id: string, work: () => T): T => current.run(id, work)

/** Statements that name the request in a transaction: pg_stat_activity and the log of PostgreSQL show it (`%a`). None outside of requests. */
export function requestSteps(): string[] {
  const id = current.getStore()
  return id !== undefined && plain.test(id) ? [`set local application_name = 'gettone ${id}'`] : []
}
