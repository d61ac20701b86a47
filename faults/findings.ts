import { appendFileSync } from 'node:fs'

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
}

/** The file in which `npm run test:faults` collects its table; undefined in short runs. */
const file = process.env.FAULTS_FINDINGS

export function noteFinding(finding: Finding): void {
  if (file) appendFileSync(file, `${JSON.stringify(finding)}\n`)
}
