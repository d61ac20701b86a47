import type { NoVendWindow } from '#contract/catalogue/no-vend-profile.ts'

/** An interval of a day in minutes; the maximum of `to` is 1440. */
export interface DayInterval {
  from: number
  to: number
}

const dayMinutes = 24 * 60
const clock = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Minutes of a clock text; undefined while it is incomplete. */
const minuteOf = (text: string) => {
  const [, hours, minutes] = clock.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

const clockOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** "08:00–13:00". */
export const stretchText = ({ from, to }: DayInterval) => `${clockOf(from)}–${clockOf(to)}`

/** Whether a window ends on the day after its start. */
export const endsNextDay = ({ from, to }: Pick<NoVendWindow, 'from' | 'to'>) => to <= from && to !== '00:00'

export const isWholeDay = ({ from, to }: Pick<NoVendWindow, 'from' | 'to'>) => from === '00:00' && to === '00:00'

/** The covered intervals of each day, Monday first, sorted and merged. Incomplete windows are left out. */
export function weekOf(windows: readonly NoVendWindow[]): DayInterval[][] {
  const days: DayInterval[][] = Array.from({ length: 7 }, () => [])
  for (const window of windows) {
    const from = minuteOf(window.from)
    const to = minuteOf(window.to)
    if (from === undefined || to === undefined) continue
    for (const day of window.days) {
      const intervals = days[day - 1]
      const next = days[day % 7]
      if (to > from) intervals?.push({ from, to })
      else {
        intervals?.push({ from, to: dayMinutes })
        if (to > 0) next?.push({ from: 0, to })
      }
    }
  }
  return days.map(joined)
}

function joined(stretches: readonly DayInterval[]): DayInterval[] {
  const all: DayInterval[] = []
  for (const { from, to } of stretches.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}
