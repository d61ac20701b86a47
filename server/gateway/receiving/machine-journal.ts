import type { Doors } from '#database/frame/tenant.ts'
import { type Journal, readJournal } from '#database/ingest/journal.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { MachineGoneError } from './machine-gone.ts'

/** The stored journal of a machine. Rejects with MachineGoneError when the machine was deleted. */
export async function journalOf(doors: Doors, machine: KnownMachine): Promise<Journal> {
  const scope = [{ merchantId: machine.merchantId, groups: 'all' as const }]
  const journal = await doors.withTenant(scope, (db) => readJournal(db, machine), 'read')
  if (!journal) throw new MachineGoneError()
  return journal
}
