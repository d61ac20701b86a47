import { VisitCandidate } from '#contract/stock/round.ts'
import { offsetOf, type Page } from '#database/frame/list.ts'
import { seesBoxes } from '#database/frame/sights/blind-count.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import type { StopFacts } from '#database/stock/round-stop.ts'
import { type CandidateRow, candidateRows, type VisitFactsRow, visitFacts } from '#database/stock/visit-candidate.ts'
import { daysUntil, lostSales, visitReasons } from '#domain/stock/round.ts'
import { addDays, daysIn } from '#domain/time/period.ts'
import { momentsAt, wallAt } from '#domain/time/zoned-time.ts'
import { wireOfFacts } from '#server/http/wire.ts'

/** Days from now to the end of a day in a zone. */
function daysLeft(day: string, timeZone: string, now: Date): number {
  const [midnight] = momentsAt(addDays(day, 1), '00:00', timeZone) ?? []
  // Where clocks skip midnight, noon of the day before is near enough for an estimate.
  return daysUntil(now, midnight ?? new Date(`${addDays(day, 1)}T00:00:00Z`))
}

/** The reasons to visit a machine, and the money at stake without a visit. `isSeen`: the reader sees cash boxes. */
function weighed(facts: VisitFactsRow, days: number, isSeen = true) {
  const lost = lostSales(facts, days)
  return {
    facts,
    reasons: visitReasons(facts, days),
    lost,
    isSeen,
    atStake: lost + (isSeen ? (facts.cashInBox ?? 0) : 0),
  }
}
type Weighed = ReturnType<typeof weighed>

const presentCandidate = (row: CandidateRow, { facts, reasons, lost, isSeen, atStake }: Weighed): VisitCandidate =>
  wireOfFacts(VisitCandidate, row, {
    posId: row.id,
    posName: row.name,
    posSerial: row.serial,
    reasons,
    daysUntilEmpty: facts.out > 0 ? 0 : facts.daysUntilEmpty,
    fillPercent: row.capacity > 0 ? Math.floor((row.level * 100) / row.capacity) : null,
    lostSales: lost,
    cashInBox: isSeen ? facts.cashInBox : null,
    atStake,
    round: row.roundId ? { id: row.roundId, name: row.roundName ?? '', day: row.roundDay ?? '' } : null,
  })

interface AsOf {
  day: string
  timeZone: string
  now: Date
}

/** Only machines that a text finds, or some, worth a visit or not. */
interface Chosen {
  search?: string | undefined
  posIds?: readonly string[] | undefined
}

/** A page of the machines of a merchant that are worth a visit as of a day, the most money at stake first. */
export async function worthVisit(db: TenantDb, { day, timeZone, now }: AsOf, page: Page & Chosen) {
  const { search, posIds } = page
  const days = daysLeft(day, timeZone, now)
  const isSeen = db.scope.every(({ merchantId }) => seesBoxes(db, merchantId))
  const found = await visitFacts(db, now, posIds ? { posIds } : { within: days, search })
  const ranked = found
    .map((facts) => weighed(facts, days, isSeen))
    .filter(({ reasons }) => posIds || reasons.length > 0)
    .sort((one, other) => other.atStake - one.atStake || (one.facts.id < other.facts.id ? -1 : 1))
  const offset = offsetOf(page)
  const shown = new Map(ranked.slice(offset, offset + page.size).map((one) => [one.facts.id, one]))
  const rows = await candidateRows(db, [...shown.keys()])
  const items = rows.map((row) => presentCandidate(row, shown.get(row.id) as Weighed)) // Cast: the rows are those of the keys.
  return { items, total: ranked.length, capped: false }
}

/** What stops keep of their machines as of a day. */
export async function stopFactsOf(
  db: TenantDb,
  posIds: readonly string[],
  { day, timeZone, now }: AsOf,
): Promise<Map<string, StopFacts>> {
  const days = daysLeft(day, timeZone, now)
  const facts = await visitFacts(db, now, { posIds })
  return new Map(
    facts.map((one) => {
      const { reasons, lost } = weighed(one, days)
      return [one.id, { reasons, lostSales: lost, cashInBox: one.cashInBox }]
    }),
  )
}

/** From now to a day, as loads are computed for it. */
export function loadsUntil(day: string, timeZone: string, now: Date) {
  const { day: today, time } = wallAt(now, timeZone)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return {
    from: { day: today, dayLeft: 1 - (hours * 60 + minutes) / 1440 },
    daysAhead: day > today ? daysIn({ startDate: today, endDate: day }) - 1 : 0,
  }
}
