/** What a distributed table adds to the names of its constraints: the number of a shard, such as `_102008`. */
const shard = /_\d{6,}$/

/** The name of the constraint that an error of the database speaks of, as the migrations call it; undefined when it speaks of none. */
export function constraintOf(error: unknown): string | undefined {
  const name = (error as { constraint?: unknown } | null)?.constraint
  return typeof name === 'string' ? name.replace(shard, '') : undefined
}
