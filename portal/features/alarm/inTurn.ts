/** How many calls of a selection run at the same time. */
const together = 4

/** Does something with each, a few at a time; answers what failed, and goes on with the others. */
export async function inTurn<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<unknown[]> {
  const failures: unknown[] = []
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await act(item).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: Math.min(together, items.length) }, worker))
  return failures
}
