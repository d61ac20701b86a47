import type { Backlog } from './findings.ts'

/** The number of messages that a server's `/metrics` has counted from machines. */
export async function messagesOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = [...text.matchAll(/^gettone_device_messages_total\{[^}]*kind="sale"[^}]*\} (\d+)/gm)]
  return counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

/**
 * How the sales of an outage were worked off: those sold before `end` and confirmed after it. All instants in milliseconds of
 * `performance.now()`. A sale was overtaken for the time from the confirmation of a newer sale to its own.
 */
export function backlogOf(
  end: number,
  stored: readonly [soldAt: number, storedAt: number][],
  messagesPerSale: number,
): Backlog {
  const late = stored
    .filter(([soldAt, storedAt]) => soldAt <= end && storedAt > end)
    .sort(([, storedA], [, storedB]) => storedA - storedB)
  const first = late[0]?.[1] ?? end
  const last = late.at(-1)?.[1] ?? end
  let newerAt = Number.POSITIVE_INFINITY
  let overtaken = 0
  for (const [, storedAt] of late.toSorted(([soldA], [soldB]) => soldB - soldA)) {
    overtaken = Math.max(overtaken, storedAt - newerAt)
    newerAt = Math.min(newerAt, storedAt)
  }
  return {
    sales: late.length,
    perSecond: Math.round((late.length * 1000) / Math.max(1, last - first)),
    overtakenSeconds: overtaken / 1000,
    messagesPerSale,
  }
}
