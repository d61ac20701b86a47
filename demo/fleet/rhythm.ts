import { tenders } from '#simulator/plan.ts'
import type { PlaceKind } from '../operators/places.ts'

/** Sales by hour of an ordinary working day, and of Saturday and Sunday, as shares of the working day's busiest hour. */
type Day = readonly number[]
const days = {
  //          0    1    2    3    4    5    6    7    8    9    10   11   12   13   14   15   16   17   18   19   20   21   22   23
  commuters: [
    0.12, 0.07, 0.05, 0.05, 0.1, 0.3, 0.6, 0.95, 1, 0.7, 0.55, 0.5, 0.6, 0.65, 0.55, 0.5, 0.6, 0.85, 0.95, 0.7, 0.5,
    0.38, 0.28, 0.18,
  ],
  wards: [
    0.22, 0.2, 0.17, 0.16, 0.18, 0.25, 0.5, 0.8, 1, 0.98, 0.95, 0.8, 0.7, 0.78, 0.82, 0.75, 0.7, 0.6, 0.5, 0.45, 0.4,
    0.35, 0.3, 0.25,
  ],
  lessons: [
    0, 0, 0, 0, 0, 0, 0.03, 0.3, 0.75, 0.7, 1, 0.95, 0.6, 0.7, 0.6, 0.6, 0.55, 0.4, 0.25, 0.1, 0.04, 0.01, 0, 0,
  ],
  breaks: [0, 0, 0, 0, 0, 0, 0.02, 0.35, 0.5, 0.15, 1, 0.9, 0.2, 0.5, 0.35, 0.15, 0.1, 0.05, 0.03, 0.02, 0, 0, 0, 0],
  desks: [
    0.01, 0, 0, 0, 0, 0.02, 0.08, 0.4, 0.95, 0.9, 1, 0.7, 0.35, 0.75, 0.9, 0.6, 0.65, 0.45, 0.18, 0.06, 0.03, 0.03,
    0.02, 0.01,
  ],
  shifts: [
    0.35, 0.3, 0.45, 0.3, 0.3, 0.75, 0.6, 0.55, 0.6, 0.9, 0.65, 0.6, 0.95, 0.9, 0.7, 0.6, 0.8, 0.55, 0.5, 0.65, 0.5,
    0.75, 0.55, 0.4,
  ],
  training: [
    0.01, 0, 0, 0, 0, 0.02, 0.2, 0.45, 0.4, 0.35, 0.35, 0.3, 0.35, 0.35, 0.3, 0.4, 0.6, 0.85, 1, 0.95, 0.7, 0.35, 0.08,
    0.02,
  ],
  counters: [0, 0, 0, 0, 0, 0, 0.05, 0.4, 0.9, 1, 1, 0.9, 0.5, 0.3, 0.4, 0.45, 0.4, 0.15, 0.05, 0.02, 0, 0, 0, 0],
  flights: [
    0.2, 0.15, 0.15, 0.3, 0.65, 0.9, 1, 0.95, 0.85, 0.8, 0.75, 0.75, 0.75, 0.7, 0.7, 0.7, 0.75, 0.8, 0.8, 0.7, 0.6, 0.5,
    0.4, 0.3,
  ],
  shopping: [
    0.02, 0.01, 0, 0, 0, 0, 0.02, 0.06, 0.15, 0.4, 0.5, 0.55, 0.6, 0.6, 0.6, 0.7, 0.85, 0.95, 1, 0.9, 0.6, 0.3, 0.12,
    0.05,
  ],
} as const satisfies Record<string, Day>

/** `popularity`: the sales of such a place relative to others. `payments` follow the order of `tenders`. */
type PlaceHabits = {
  day: Day
  saturday: number
  sunday: number
  popularity: number
  payments: readonly number[]
  /** Factor on the list price. */
  price: number
  /** Whether it is empty on public holidays. */
  keepsHolidays: boolean
}

const pays = (coins: number, bills: number, key: number, card: number, creditCard: number, app: number) => [
  coins,
  bills,
  0.2,
  key,
  key / 6,
  card,
  creditCard,
  app,
]

export const habits: Record<PlaceKind, PlaceHabits> = {
  station: {
    day: days.commuters,
    saturday: 0.75,
    sunday: 0.65,
    popularity: 1.5,
    payments: pays(46, 9, 2, 1, 34, 8),
    price: 1.25,
    keepsHolidays: false,
  },
  airport: {
    day: days.flights,
    saturday: 0.9,
    sunday: 1,
    popularity: 1.6,
    payments: pays(28, 8, 3, 3, 50, 8),
    price: 1.6,
    keepsHolidays: false,
  },
  hospital: {
    day: days.wards,
    saturday: 0.7,
    sunday: 0.62,
    popularity: 1.5,
    payments: pays(38, 4, 28, 7, 18, 5),
    price: 1,
    keepsHolidays: false,
  },
  university: {
    day: days.lessons,
    saturday: 0.3,
    sunday: 0.08,
    popularity: 1.2,
    payments: pays(30, 2, 26, 5, 24, 13),
    price: 0.95,
    keepsHolidays: true,
  },
  school: {
    day: days.breaks,
    saturday: 0.25,
    sunday: 0,
    popularity: 0.7,
    payments: pays(66, 1, 24, 1, 6, 2),
    price: 0.9,
    keepsHolidays: true,
  },
  office: {
    day: days.desks,
    saturday: 0.06,
    sunday: 0.02,
    popularity: 0.95,
    payments: pays(16, 1, 52, 6, 16, 9),
    price: 0.95,
    keepsHolidays: true,
  },
  factory: {
    day: days.shifts,
    saturday: 0.45,
    sunday: 0.18,
    popularity: 1.1,
    payments: pays(27, 1, 58, 5, 6, 3),
    price: 0.85,
    keepsHolidays: true,
  },
  gym: {
    day: days.training,
    saturday: 0.8,
    sunday: 0.5,
    popularity: 0.6,
    payments: pays(42, 3, 14, 2, 28, 11),
    price: 1.1,
    keepsHolidays: false,
  },
  townHall: {
    day: days.counters,
    saturday: 0.2,
    sunday: 0,
    popularity: 0.6,
    payments: pays(58, 3, 18, 2, 15, 4),
    price: 0.95,
    keepsHolidays: true,
  },
  mall: {
    day: days.shopping,
    saturday: 1.5,
    sunday: 1.25,
    popularity: 0.9,
    payments: pays(42, 8, 3, 2, 37, 8),
    price: 1.15,
    keepsHolidays: false,
  },
}

/** Relative sales of each working day, Monday first; on Fridays people go home early. */
const weekdays = [0.98, 1.03, 1.05, 1.02, 0.9] as const

/** Mean sales by hour of the local week, Monday 00:00 first, with a weekly sum of `perDay` sales a day. */
export function rhythmOf(place: PlaceKind, perDay: number): number[] {
  const { day, saturday, sunday } = habits[place]
  const week = [
    ...weekdays.map((share) => day.map((hour) => hour * share)),
    day.map((hour) => hour * saturday),
    day.map((hour) => hour * sunday),
  ].flat()
  const total = week.reduce((sum, hour) => sum + hour, 0)
  return week.map((hour) => (hour / total) * perDay * 7)
}

/** Public holidays by country, as month and day. */
const holidays: Record<string, readonly string[]> = {
  IT: ['01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '11-01', '12-08', '12-25', '12-26'],
  MX: ['01-01', '02-05', '03-21', '05-01', '09-16', '11-02', '11-20', '12-12', '12-25'],
  CZ: ['01-01', '05-01', '05-08', '07-05', '07-06', '09-28', '10-28', '11-17', '12-24', '12-25', '12-26'],
}

/** `date` is the local day, `2026-11-21`. */
export const isHoliday = (country: string, date: string): boolean => (holidays[country] ?? []).includes(date.slice(5))

/** A merchant's own payment habits, combined with those of its places. */
export function paymentsOf(place: PlaceKind, taste: Partial<Record<(typeof tenders)[number], number>>): number[] {
  return habits[place].payments.map((weight, index) => weight * (taste[tenders[index] ?? 'coins'] ?? 1))
}
