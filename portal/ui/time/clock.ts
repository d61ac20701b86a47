/** Minutes of a day as a clock shows them. */
export const clockOf = (minutes: number | undefined): string =>
  minutes === undefined || Number.isNaN(minutes)
    ? ''
    : `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Minutes of a clock text; NaN for an invalid time, which the schema refuses. */
export const minutesOf = (clock: string): number => {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(clock) ?? []
  return hours === undefined ? Number.NaN : Number(hours) * 60 + Number(minutes)
}

/** Names of the days in a language, Monday first. */
export function weekdays(locale: string): string[] {
  const { format } = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' })
  // 5 January 1970 was a Monday.
  return Array.from({ length: 7 }, (_, day) => format(Date.UTC(1970, 0, 5 + day)))
}
