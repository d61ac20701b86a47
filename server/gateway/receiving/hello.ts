import type { Hello } from '#contract/device-protocol.ts'
import type { Doors } from '#database/frame/tenant.ts'
import { type Journal, lockJournals, readJournal, writeJournals } from '#database/ingest/journal.ts'
import { writeBootInfo } from '#database/machines/machine-condition.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { writeVersions } from '#database/updates/machine-version.ts'
import { addRanges, isSeen } from '#domain/machines/journal.ts'
import { happenedAt, naiveOf } from '#domain/time/clock.ts'
import { counted } from '../metrics.ts'
import type { Incoming } from '../reception.ts'
import { readingOf } from './measured.ts'

const count = (ranges: Journal['seen']) => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/**
 * Stores what a machine says of itself at its start. Returns its journal, which continues without the items that the machine
 * has dropped; undefined when the machine was deleted.
 */
export function recordHello(doors: Doors, machine: KnownMachine, incoming: Incoming, hello: Hello) {
  const bootAt = hello.bootAt === undefined ? null : naiveOf(hello.bootAt)
  const reading = readingOf(machine, incoming, naiveOf(hello.at))
  const booted = bootAt === null ? null : new Date(happenedAt({ ...reading, itemAt: bootAt }))
  return doors.withTenant([{ merchantId: machine.merchantId, groups: 'all' }], async (db) => {
    await writeBootInfo(db, machine, hello, booted)
    await writeVersions(db, machine, hello, incoming.receivedAt)
    const { oldestSeq = 1, epoch } = hello
    const current = await readJournal(db, machine)
    if (!current || current.epoch !== epoch || oldestSeq === 1 || isSeen(current.seen, oldestSeq - 1)) return current
    // Items that the machine has dropped can never arrive, so the journal continues without them.
    const held = (await lockJournals(db, [machine])).get(machine.id)
    if (!held || held.epoch !== epoch) return held
    const before = count(held.seen)
    held.seen = addRanges(held.seen, [[1, oldestSeq - 1]])
    counted.lost.inc(count(held.seen) - before)
    await writeJournals(db, [held])
    return held
  })
}
