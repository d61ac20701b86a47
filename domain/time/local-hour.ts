/*
 * Wall clocks of IANA zones. Instants and naive times are milliseconds; a naive time is what a wall clock shows, counted as if
 * it were UTC.
 */

const minute = 60_000
const hour = 60 * minute
/** No zone changes its offset but on a quarter of an hour. */
const slotLength = 15 * minute
const slotsKept = 20_000

type Zone = { format: Intl.DateTimeFormat; offsets: Map<number, number> }
const zones = new Map<string, Zone>()

function zoneOf(name: string): Zone {
  let zone = zones.get(name)
  if (!zone) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    zone = { format, offsets: new Map() }
    zones.set(name, zone)
  }
  return zone
}

/** How far the zone's wall clock is ahead of UTC at an instant. Throws a RangeError for an unknown zone. */
export function offsetAt(instant: number, zoneName: string): number {
  const zone = zoneOf(zoneName)
  const slot = Math.floor(instant / slotLength)
  const cached = zone.offsets.get(slot)
  if (cached !== undefined) return cached
  const part: Record<string, string> = {}
  for (const { type, value } of zone.format.formatToParts(slot * slotLength)) part[type] = value
  const year = part.era === 'BC' ? 1 - Number(part.year) : Number(part.year)
  const wall = new Date(0)
  wall.setUTCFullYear(year, Number(part.month) - 1, Number(part.day))
  wall.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second))
  const offset = wall.getTime() - slot * slotLength
  if (zone.offsets.size >= slotsKept) zone.offsets.clear()
  zone.offsets.set(slot, offset)
  return offset
}

/**
 * The instant at which the local hour began that an instant lies in. Where the clocks are changed inside an hour (a zone that
 * shifts by half an hour), the part after the change is an hour of its own, so that no two hours share an instant.
 */
export function startOfLocalHour(instant: number, zoneName: string): number {
  const offset = offsetAt(instant, zoneName)
  const start = Math.floor((instant + offset) / hour) * hour - offset
  if (offsetAt(start, zoneName) === offset) return start
  let change = Math.floor(instant / slotLength) * slotLength
  while (offsetAt(change - slotLength, zoneName) === offset) change -= slotLength
  return Math.max(start, change)
}

/**
 * The instants at which the zone's wall clock shows a naive time, earliest first: one, or two where the clocks are put back. A
 * time that the clocks jump over is taken as if they had not jumped yet.
 */
export function instantsOf(naive: number, zoneName: string): [number, ...number[]] {
  const before = offsetAt(naive - 15 * hour, zoneName)
  const after = offsetAt(naive + 15 * hour, zoneName)
  if (before === after) return [naive - before]
  const real = [naive - before, naive - after]
    .filter((instant) => naive - instant === offsetAt(instant, zoneName))
    .sort((one, other) => one - other)
  const [first, ...rest] = real
  return first === undefined ? [naive - before] : [first, ...rest]
}

/** The calendar day (`2026-11-21`) that the zone's wall clock shows at an instant. */
export const localDayOf = (instant: number, zoneName: string): string =>
  new Date(instant + offsetAt(instant, zoneName)).toISOString().slice(0, 10)

/** The start of a local day: the first of two midnights, or the clock change if midnight is skipped. */
export const startOfLocalDay = (day: string, zoneName: string): number =>
  instantsOf(Date.parse(`${day}T00:00:00Z`), zoneName)[0]

/** The hours of a local day as startOfLocalHour parts them, from and to: 24 as a rule, 23 or 25 where the clocks are changed. */
export function hoursOfLocalDay(day: string, zoneName: string): { from: number; to: number }[] {
  const end = startOfLocalDay(new Date(Date.parse(`${day}T00:00:00Z`) + 24 * hour).toISOString().slice(0, 10), zoneName)
  const starts = new Set<number>()
  for (let slot = startOfLocalDay(day, zoneName); slot < end; slot += slotLength)
    starts.add(startOfLocalHour(slot, zoneName))
  const sorted = [...starts].sort((one, other) => one - other)
  return sorted.map((from, index) => ({ from, to: sorted[index + 1] ?? end }))
}
