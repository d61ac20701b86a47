import { appendFileSync } from 'node:fs'

/** What became of one fault: a line of the table in docs/faults.md. */
export interface Finding {
  fault: string
  /** The load during the fault. */
  load: string
  /** What was confirmed as done: sales acknowledged, rows of a file, races decided. */
  acknowledged: number
  /** Of it, what is not there, and what is there more than once. */
  missing: number
  twice: number
  /** Machine hours, or days where days are summed up, whose sums are not what their rows add up to; null where nothing is summed. */
  wrongHours: number | null
  /**
   * From the fault's end until all that was begun by then was done; a kill has ended at once, so that the new start counts. Of several
   * faults the longest; null where nothing had to recover.
   */
  recoverySeconds: number | null
}

/** Where `npm run test:faults` gathers its table; nowhere in short runs. */
const file = process.env.FAULTS_FINDINGS

export function noteFinding(finding: Finding): void {
  if (file) appendFileSync(file, `${JSON.stringify(finding)}\n`)
}
