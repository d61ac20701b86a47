// npm run import:holidays -- <folder>: writes the public holidays of the coming years from the package date-holidays, which lies unpacked with its own
// packages in the folder. It is no package of ours: it would take 50 MB for a table of dates.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { countries } from '#contract/vocabulary/world/countries.ts'

const [folder] = process.argv.slice(2)
if (!folder) {
  console.log('Usage: npm run import:holidays -- <folder in which npm install date-holidays has run>')
  process.exit(1)
}
const firstYear = 2024
const lastYear = 2045
const target = join(import.meta.dirname, '..', '..', 'domain', 'time', 'public-holidays.json')

const Holidays = z
  .custom<new (country: string, options: object) => unknown>((value) => typeof value === 'function')
  .parse(createRequire(join(resolve(folder), 'package.json'))('date-holidays'))
const Calendar = z.object({ getHolidays: z.custom<(year: number) => unknown>((value) => typeof value === 'function') })
const Days = z.array(z.object({ date: z.string() }))

/** The public holidays of a whole country in a year, `MMDD`. */
function holidaysOf(country: string, year: number): string[] {
  const calendar = new Holidays(country, { types: ['public'] })
  if (!Calendar.safeParse(calendar).success) return []
  // Cast: checked above; a method needs its object.
  const days = Days.parse((calendar as z.infer<typeof Calendar>).getHolidays(year) ?? [])
  return [...new Set(days.map(({ date }) => date.slice(5, 7) + date.slice(8, 10)))].sort()
}

const lines = countries.flatMap((country) => {
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, at) => holidaysOf(country, firstYear + at))
  const fixed = years[0]?.filter((day) => years.every((days) => days.includes(day))) ?? []
  const moving = years.map((days) => days.filter((day) => !fixed.includes(day)).join(' '))
  return years.some((days) => days.length > 0)
    ? [`    ${JSON.stringify(country)}: ${JSON.stringify([fixed.join(' '), ...moving])}`]
    : []
})
writeFileSync(target, `{\n  "firstYear": ${firstYear},\n  "countries": {\n${lines.join(',\n')}\n  }\n}\n`)
console.log(`${lines.length} countries, ${firstYear} to ${lastYear}, are in ${target}.`)
