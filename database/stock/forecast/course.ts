import type { SelectionCourse } from '#domain/stock/forecast/forecast.ts'

/** The courses of a machine as its row has them. */
export interface StoredCourses {
  lastDay: string
  days: number
  selections: string[]
  sold: Buffer
  shown: Buffer
}

const mostPieces = 65_535

/** Courses by selection, all with the same days, as bytes. */
export function packedCourses(courses: ReadonlyMap<string, SelectionCourse>, days: number) {
  const sold = Buffer.alloc(2 * days * courses.size)
  const shown = Buffer.alloc(days * courses.size)
  for (const [place, course] of [...courses.values()].entries())
    for (let day = 0; day < days; day++) {
      const at = place * days + day
      sold.writeUInt16LE(Math.min(mostPieces, course.sold[day] ?? 0), at * 2)
      shown.writeUInt8(Math.round((course.shown[day] ?? 1) * 100), at)
    }
  return { selections: [...courses.keys()], sold, shown }
}

/** Calendar days as numbers. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000

/** What stored courses say of a selection on a day; undefined: nothing. */
export function courseReader(stored: StoredCourses | undefined) {
  if (!stored) return () => undefined
  const { days, sold, shown } = stored
  const first = dayNumber(stored.lastDay) - days + 1
  const places = new Map(stored.selections.map((selection, place) => [selection, place]))
  return (selection: string, day: number) => {
    const place = places.get(selection)
    if (place === undefined || day < first || day >= first + days) return undefined
    const at = place * days + day - first
    return { sold: sold.readUInt16LE(at * 2), shown: shown.readUInt8(at) / 100 }
  }
}
