import { appendFileSync } from 'node:fs'

/** How the sales of an outage were stored afterwards. */
export interface Backlog {
  sales: number
  /** Sales a second, from the first to the last of them. */
  perSecond: number
  /** Messages of sales, including repeated ones, for each sale of the whole test. */
  messagesPerSale: number
  /** The longest time in seconds from the storing of a newer sale to that of an older one. */
  overtakenSeconds: number
}

/** The result of one fault: a line of the table in docs/faults.md. */
export interface Finding {
  fault: string
  /** The load during the fault. */
  load: string
  /** Confirmed results: acknowledged sales, rows of a file, decided races. */
  acknowledged: number
  /** Of these, the missing and the duplicate results. */
  missing: number
  twice: number
  /** Machine hours (or summed days) whose sums differ from their rows; null without sums. */
  wrongHours: number | null
  /**
   * Time from the fault's end until all work started before that end was done. A kill ends at once, so the restart counts.
   * The longest of several faults; null if nothing had to recover.
   */
  recoverySeconds: number | null
  backlog?: Backlog | undefined
}

/** The file in which `npm run test:faults` collects its table; undefined in short runs. */
const file = process.env.FAULTS_FINDINGS

export function noteFinding(finding: Finding): void {
  if (file) appendFileSync(file, `${JSON.stringify(finding)}\n`)
}
