/** A day that sells less than this share of the usual is quiet: a teacher's coffee does not open a school. */
const quietShare = 0.1
/** A day that sells at least this share of the usual opens a closed site. */
const openShare = 0.25
/** Pieces that quiet days in a row should have sold, before they are no chance: nothing happens with 6 expected once in 400 times. */
const missedPieces = 6
/** A quiet day alone is a holiday or a fault. */
const quietDays = 2
/** What weekdays usually sell follows in so many weeks. */
const weeksFollowed = 6

/** Days on which a site was closed, from the first one to the last. */
export interface Closure {
  first: number
  last: number
}

/**
 * The closures of a site by the pieces that it sold day by day: days in a row, each with nearly no sales, that would have sold at least six pieces on at least two
 * days. Weekdays that usually sell nothing neither close a site nor open it. Null: a day that says nothing.
 */
export function closuresOf(sold: readonly (number | null)[], weekdayOf: (day: number) => number): Closure[] {
  const usual = betterHalf(sold, weekdayOf)
  const closures: Closure[] = []
  let quiet: { first: number; last: number; days: number; missed: number } | null = null
  for (const [day, pieces] of sold.entries()) {
    if (pieces === null) continue
    const weekday = weekdayOf(day)
    const expected = usual[weekday] ?? 0
    const isOpenDay = expected * 7 >= quietShare * usual.reduce((sum, one) => sum + one, 0)
    const isClosed: boolean = quiet !== null && quiet.missed >= missedPieces && quiet.days >= quietDays
    if (isOpenDay && pieces <= expected * (isClosed ? openShare : quietShare)) {
      quiet ??= { first: day, last: day, days: 0, missed: 0 }
      quiet.last = day
      quiet.days++
      quiet.missed += expected - pieces
      continue
    }
    if (!isOpenDay && quiet && pieces <= Math.max(1, expected)) continue
    if (quiet && isClosed) closures.push({ first: quiet.first, last: day - 1 })
    quiet = null
    usual[weekday] = expected + (pieces - expected) / weeksFollowed
  }
  if (quiet && quiet.missed >= missedPieces && quiet.days >= quietDays)
    closures.push({ first: quiet.first, last: sold.length - 1 })
  return closures
}

/** What weekdays sell by their better half, so that a past that begins in a closure is no usual one. Weekdays without sales are not open. */
function betterHalf(sold: readonly (number | null)[], weekdayOf: (day: number) => number): number[] {
  const byWeekday = Array.from({ length: 7 }, (): number[] => [])
  for (const [day, pieces] of sold.entries()) if (pieces !== null) byWeekday[weekdayOf(day)]?.push(pieces)
  return byWeekday.map((some) => {
    const better = some.sort((one, other) => other - one).slice(0, Math.ceil(some.length / 2))
    return better.length === 0 ? 0 : better.reduce((sum, pieces) => sum + pieces, 0) / better.length
  })
}

/** Two closures begin together if their days are at most so far apart: holidays move by some days from year to year. */
const togetherDays = 14
/** A shorter closure is a fault of the machine or a holiday, and does not come again a year later. */
const yearlyDays = 5

/**
 * Whether the site is open on each of the coming days. A closure of last year comes again after whole weeks. One that lasts does so as long as last year's did,
 * else for as many days as it has lasted. A site that sells although it was closed at this time last year is open.
 */
export function openDays(closures: readonly Closure[], count: number, days: number, year: number): boolean[] {
  const open = Array<boolean>(days).fill(true)
  const close = (first: number, last: number) =>
    open.fill(false, Math.max(0, first - count), Math.max(0, last + 1 - count))
  const again = closures
    .filter(({ first, last }) => last - first + 1 >= yearlyDays && last < count - days)
    .map(({ first, last }) => ({ first: first + year, last: last + year }))
  for (const { first, last } of again) if (first >= count) close(first, last)
  const lasting = closures.at(-1)
  if (lasting && lasting.last === count - 1) {
    const known = again.find(({ first, last }) => Math.abs(first - lasting.first) <= togetherDays && last >= count)
    close(count, known ? known.last : count + (count - lasting.first) - 1)
  }
  return open
}
