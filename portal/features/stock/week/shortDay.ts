/** A day of the next two weeks in few letters: Tue 1, with its month Tue 1 Dec. */
export const shortDay = (day: string, locale: string, month?: 'short'): string =>
  new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month, timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )
