import type { SimulatedDay } from './simulated-day.ts'

/** Something that must be equal wherever it is shown. */
export interface Identity {
  /** A requirement, as a test title. */
  title: string
  /**
   * Compares all rows of the day. `checked` counts them: an identity that checks nothing fails. `broken` has the rows that differ, with
   * their figures.
   */
  check(day: SimulatedDay): Promise<{ checked: number; broken: object[] }>
}
