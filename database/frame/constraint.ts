/** The shard number that Citus appends to constraint names, such as `_102008`. */
const shard = /_\d{6,}$/

/** The violated constraint of a database error, by its name in the migrations; undefined for other errors. */
export function constraintOf(error: unknown): string | undefined {
  const { constraint, code, message } = (error ?? {}) as { constraint?: unknown; code?: unknown; message?: unknown }
  // What a coordinator passes on from a node has its text and code alone.
  const isBroken = typeof code === 'string' && code.startsWith('23') && typeof message === 'string'
  const name = constraint ?? (isBroken ? / constraint "([^"]+)"/.exec(message)?.[1] : undefined)
  return typeof name === 'string' ? name.replace(shard, '') : undefined
}
