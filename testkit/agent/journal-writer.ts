import { writeSync } from 'node:fs'
import { openJournal } from '#agent/journal/journal.ts'

/* Writes items to a journal until it is killed, and prints the number of each when it is on the disk. */

const journal = openJournal(process.argv[2] ?? '')
for (;;) {
  const seq = journal.lastSeq() + 1
  journal.add({ kind: 'event', at: seq, code: `N${seq}`, active: true, message: 'x'.repeat(seq % 500) })
  writeSync(1, `${seq}\n`)
}
