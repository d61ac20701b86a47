/** The shard number that Citus appends to constraint names, such as `_102008`. */
const shard = /_\d{6,}$/

/** The violated constraint of a database error, by its name in the migrations; undefined for other errors. */
export function constraintOf(error: unknown): string | undefined {
  const name = (error as { constraint?: unknown } | null)?.constraint
  return typeof name === 'string' ? name.replace(shard, '') : undefined
}
