/*
 * Dates and times of EVA-DTS: YYMMDD or YYYYMMDD, HHMM or HHMMSS, in the machine's local clock.
 */

const two = (text: string, at: number) => Number(text.slice(at, at + 2))

/** Two-digit years below 80 are in this century: machines that lost their clock report 1980 or later. */
const fullYear = (year: number) => (year < 80 ? 2000 + year : 1900 + year)

function readDate(text: string): string | null {
  if (!/^(\d{6}|\d{8})$/.test(text)) return null
  const isLong = text.length === 8
  const year = isLong ? Number(text.slice(0, 4)) : fullYear(two(text, 0))
  const month = two(text, text.length - 4)
  const day = two(text, text.length - 2)
  const isReal = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
  return isReal ? `${String(year).padStart(4, '0')}-${text.slice(-4, -2)}-${text.slice(-2)}` : null
}

const daysOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Restores a lost leading zero. */
function readTime(text: string): string | null {
  if (!/^\d{3,6}$/.test(text)) return null
  const full = text.length <= 4 ? `${text.padStart(4, '0')}00` : text.padStart(6, '0')
  const isReal = two(full, 0) < 24 && two(full, 2) < 60 && two(full, 4) < 60
  return isReal ? `${full.slice(0, 2)}:${full.slice(2, 4)}:${full.slice(4)}` : null
}

/** `{ at }` local to the machine; null if the file has no time; `isUnreadable` if it cannot be read. */
export function readMoment(date: string | null, time: string | null): { at: string | null; isUnreadable: boolean } {
  if (date === null || /^0+$/.test(date)) return { at: null, isUnreadable: false }
  const day = readDate(date)
  if (!day) return { at: null, isUnreadable: true }
  const clock = time === null ? null : readTime(time)
  return { at: clock ? `${day}T${clock}` : day, isUnreadable: time !== null && clock === null }
}
