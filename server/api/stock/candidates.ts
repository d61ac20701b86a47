import { VisitCandidate } from '#contract/stock/round.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import type { StopFacts } from '#database/stock/round-stop.ts'
import { type VisitFactsRow, visitFacts } from '#database/stock/visit-candidate.ts'
import { daysUntil, lostSales, visitReasons } from '#domain/stock/round.ts'
import { addDays, daysIn } from '#domain/time/period.ts'
import { momentsAt, wallAt } from '#domain/time/zoned-time.ts'
import { wireOfFacts } from '#server/http/wire.ts'

/** At most so many candidates are shown. */
const mostCandidates = 500

/** Days from now to the end of a day in a zone. */
function daysLeft(day: string, timeZone: string, now: Date): number {
  const [midnight] = momentsAt(addDays(day, 1), '00:00', timeZone) ?? []
  // Where clocks skip midnight, noon of the day before is near enough for an estimate.
  return daysUntil(now, midnight ?? new Date(`${addDays(day, 1)}T00:00:00Z`))
}

const presentCandidate = (row: VisitFactsRow, days: number): VisitCandidate => {
  const lost = lostSales(row, days)
  return wireOfFacts(VisitCandidate, row, {
    posId: row.id,
    posName: row.name,
    posSerial: row.serial,
    reasons: visitReasons(row, days),
    daysUntilEmpty: row.out > 0 ? 0 : row.daysUntilEmpty,
    fillPercent: row.capacity > 0 ? Math.floor((row.level * 100) / row.capacity) : null,
    lostSales: lost,
    atStake: lost + (row.cashInBox ?? 0),
    round: row.roundId ? { id: row.roundId, name: row.roundName ?? '', day: row.roundDay ?? '' } : null,
  })
}

/** All machines of a merchant as of a day, worth a visit or not. */
export async function compareMachines(
  db: TenantDb,
  { day, timeZone, now }: { day: string; timeZone: string; now: Date },
) {
  const days = daysLeft(day, timeZone, now)
  return (await visitFacts(db, now)).map((row) => presentCandidate(row, days))
}

/** Machines worth a visit, the most money at stake first. */
export function worthVisit(all: readonly VisitCandidate[]): { items: VisitCandidate[]; capped: boolean } {
  const items = all
    .filter(({ reasons }) => reasons.length > 0)
    .sort((one, other) => other.atStake - one.atStake || (one.posId < other.posId ? -1 : 1))
  return { items: items.slice(0, mostCandidates), capped: items.length > mostCandidates }
}

/** What a stop keeps of its machine. */
export const stopFactsOf = (all: readonly VisitCandidate[]): Map<string, StopFacts> =>
  new Map(all.map(({ posId, reasons, lostSales, cashInBox }) => [posId, { reasons, lostSales, cashInBox }]))

/** From now to a day, as loads are computed for it. */
export function loadsUntil(day: string, timeZone: string, now: Date) {
  const { day: today, time } = wallAt(now, timeZone)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const weekday = (new Date(`${today}T12:00:00Z`).getUTCDay() + 6) % 7
  return {
    from: { weekday, dayLeft: 1 - (hours * 60 + minutes) / 1440 },
    daysAhead: day > today ? daysIn({ startDate: today, endDate: day }) - 1 : 0,
  }
}
