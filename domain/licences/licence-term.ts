import { demoDays, isDemoType, type LicenceType } from '#contract/vocabulary/licence.ts'
import { addDays, dayIn } from '../time/period.ts'
import { momentsAt } from '../time/zoned-time.ts'

/** A licence is valid offline for this long after its activation or heartbeat. */
export const offlineDays = 14
/** The time between two heartbeats. */
export const beatHours = 12
/** A connector whose clock differs by more corrects it for the checks of its licence. */
export const mostDriftSeconds = 300

/** The end of a licence: the midnight after its last day. */
export const endOf = (expiresOn: string | null, timeZone: string): Date | null =>
  expiresOn === null ? null : midnight(addDays(expiresOn, 1), timeZone)

/** The first moment of a day. Where the clocks are put forward over midnight, the day starts at one o'clock. */
function midnight(day: string, timeZone: string): Date {
  const [first] = momentsAt(day, '00:00', timeZone) ?? []
  const [later] = first ? [first] : (momentsAt(day, '01:00', timeZone) ?? [])
  if (!later) throw new Error(`${day} does not start in ${timeZone}`)
  return later
}

/** The first and the last day on which a licence may end; null: without a last one. */
export function possibleEnds(
  { type, since, timeZone }: { type: LicenceType; since: Date; timeZone: string },
  now: Date,
): { from: string; until: string | null } {
  const from = dayIn(now, timeZone)
  return { from, until: isDemoType(type) ? addDays(dayIn(since, timeZone), demoDays) : null }
}

/** How long an answer of the server is valid. */
export function grantUntil(endsAt: Date | null, now: Date): Date {
  const offline = now.getTime() + offlineDays * 86_400_000
  return new Date(endsAt === null ? offline : Math.min(offline, endsAt.getTime()))
}

/** By how many seconds the connector's clock is ahead. */
export const driftOf = (connectorTime: Date, now: Date): number =>
  Math.round((connectorTime.getTime() - now.getTime()) / 1000)
