import table from './public-holidays.json' with { type: 'json' }

/*
 * Public holidays of whole countries, not of their regions. The dates are computed by the package date-holidays (ISC; its data is CC BY 3.0, by its
 * contributors and Wikipedia); `npm run import:holidays` writes them again.
 */

/** By country: the days of every year, and those of each year from the first one on, `MMDD`. */
const countries: Record<string, string[] | undefined> = table.countries
const known = new Map<string, ReadonlySet<string>>()

function daysOf(country: string, year: number): ReadonlySet<string> {
  const key = `${country} ${year}`
  let days = known.get(key)
  if (!days) {
    const [fixed = '', ...years] = countries[country] ?? []
    days = new Set(`${fixed} ${years[year - table.firstYear] ?? ''}`.split(' '))
    known.set(key, days)
  }
  return days
}

/** Whether a day is a public holiday of a country. Of years that the table lacks only the days with a fixed date are known. */
export const isPublicHoliday = (country: string, day: string): boolean =>
  daysOf(country, Number(day.slice(0, 4))).has(day.slice(5, 7) + day.slice(8, 10))
