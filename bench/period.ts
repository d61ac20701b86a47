/** The length of the demo's history. */
export const historyDays = 60

/** Calendar days of a period that ends today and is slightly longer than a number of days. */
export function daysBack(days: number): { startDate: string; endDate: string } {
  const now = Date.now()
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { startDate: day(now - (days + 1) * 86_400_000), endDate: day(now + 86_400_000) }
}
