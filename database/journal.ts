import { sql } from 'kysely'
import { formatSeen, parseSeen, type Seen } from '#domain/journal.ts'
import { insertRows } from './bulk-insert.ts'
import type { TenantDb } from './tenant.ts'

/** Which items of a machine are stored, in which association. */
export interface Journal {
  merchantId: string
  machineId: string
  epoch: number
  seen: Seen
}

interface MachineKey {
  merchantId: string
  id: string
}

/** The journals of some machines, by machine, held until the transaction ends; always taken in the order of their ids. */
export async function lockJournals(db: TenantDb, machines: readonly MachineKey[]): Promise<Map<string, Journal>> {
  const { rows } = await sql<{ merchantId: string; machineId: string; epoch: number; seen: string }>`
    select journal.merchant_id as "merchantId", journal.machine_id as "machineId", journal.epoch, journal.seen
    from unnest(${machines.map((machine) => machine.merchantId)}::uuid[], ${machines.map((machine) => machine.id)}::uuid[])
      as wanted (merchant_id, machine_id)
    join machine_journals journal using (merchant_id, machine_id)
    where ${db.narrow('machine_journals', 'journal')}
    order by journal.machine_id for no key update of journal`.execute(db.query)
  return new Map(rows.map((row) => [row.machineId, { ...row, seen: parseSeen(row.seen) }]))
}

/** One machine's journal as it stands; undefined when the machine is gone. */
export async function readJournal(db: TenantDb, machine: MachineKey): Promise<Journal | undefined> {
  const row = await db
    .from('machine_journals')
    .where('merchant_id', '=', machine.merchantId)
    .where('machine_id', '=', machine.id)
    .select(['epoch', 'seen'])
    .executeTakeFirst()
  return row && { merchantId: machine.merchantId, machineId: machine.id, epoch: row.epoch, seen: parseSeen(row.seen) }
}

/** Stores journals that are locked in this transaction. */
export const writeJournals = (db: TenantDb, journals: readonly Journal[]): Promise<void> =>
  insertRows(
    db.query,
    'machine_journals',
    ['merchant_id', 'machine_id', 'epoch', 'seen'],
    journals.map(({ merchantId, machineId, epoch, seen }) => [merchantId, machineId, epoch, formatSeen(seen)]),
    'on conflict (merchant_id, machine_id) do update set seen = excluded.seen',
  )

const itemTables = { sale: 'transactions', event: 'events', cash: 'cash_readings', audit: 'audits' } as const

/** Which of some numbers of an association are stored as items of a kind. Results end commands and are rows of none. */
export async function storedSeqs(
  db: TenantDb,
  machine: MachineKey & { epoch: number },
  kind: keyof typeof itemTables | 'result',
  seqs: readonly number[],
): Promise<Set<number>> {
  if (kind === 'result' || seqs.length === 0) return new Set()
  const { rows } = await sql<{ seq: number }>`select items.seq from ${sql.table(itemTables[kind])} as items
    where ${db.narrow(itemTables[kind], 'items')} and items.merchant_id = ${machine.merchantId}
      and items.machine_id = ${machine.id} and items.epoch = ${machine.epoch} and items.seq = any(${seqs}::bigint[])`.execute(
    db.query,
  )
  return new Set(rows.map(({ seq }) => seq))
}
