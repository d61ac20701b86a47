import { sql } from 'kysely'
import { formatSeen, parseSeen, type Seen } from '#domain/machines/journal.ts'
import { type Insertion, insertColumns } from '../frame/bulk-insert.ts'
import { isDistributed } from '../frame/distributed.ts'
import { preparedRows } from '../frame/prepared.ts'
import { type TenantDb, withinScope } from '../frame/tenant.ts'

/** The stored items of a machine, as ranges of numbers in one association. */
export interface Journal {
  merchantId: string
  machineId: string
  epoch: number
  seen: Seen
  /** The group under which the machine's sums are stored; null: without a group. */
  summedGroupId: string | null
  /** Whether sales lower the machine's stock levels; the same as `machines.manage_stock`. */
  managesStock: boolean
  /** Whether the machine counts its managed stock itself; the same as `machines.stock_counted_by`. */
  countsStock: boolean
}

interface MachineKey {
  merchantId: string
  id: string
}

/**
 * The journals by machine, locked until the transaction ends; always in the order of the ids. A distributed database locks rows of one
 * merchant at a time: there always in the order of the merchants.
 */
export async function lockJournals(db: TenantDb, machines: readonly MachineKey[]): Promise<Map<string, Journal>> {
  const ofMerchants = [...Map.groupBy(machines, ({ merchantId }) => merchantId)]
  const isApart = isDistributed() && new Set(db.scope.map(({ merchantId }) => merchantId)).size > 1
  const rows: Row[] = []
  if (!isApart) rows.push(...(await lockTogether(db, machines)))
  else
    for (const [merchantId, some] of ofMerchants.sort(([one], [other]) => (one < other ? -1 : 1)))
      rows.push(
        ...(await lockTogether(
          withinScope(
            db,
            db.scope.filter((pair) => pair.merchantId === merchantId),
          ),
          some,
        )),
      )
  return new Map(rows.map((row) => [row.machineId, { ...row, seen: parseSeen(row.seen) }]))
}

type Row = Omit<Journal, 'seen'> & { seen: string }

const lockTogether = (db: TenantDb, machines: readonly MachineKey[]) =>
  preparedRows(
    db.query,
    sql<Row>`
    select journal.merchant_id as "merchantId", journal.machine_id as "machineId", journal.epoch, journal.seen,
      journal.summed_group_id as "summedGroupId", journal.manages_stock as "managesStock", journal.counts_stock as "countsStock"
    from unnest(${machines.map((machine) => machine.merchantId)}::uuid[], ${machines.map((machine) => machine.id)}::uuid[])
      as wanted (merchant_id, machine_id)
    join machine_journals journal using (merchant_id, machine_id)
    where ${db.narrow('machine_journals', 'journal')}
    order by journal.machine_id for no key update of journal`,
  )

/** One machine's journal; undefined if the machine was deleted. */
export async function readJournal(db: TenantDb, machine: MachineKey): Promise<Journal | undefined> {
  const row = await db
    .from('machine_journals')
    .where('merchant_id', '=', machine.merchantId)
    .where('machine_id', '=', machine.id)
    .select(['epoch', 'seen', 'summed_group_id', 'manages_stock', 'counts_stock'])
    .executeTakeFirst()
  if (!row) return undefined
  const {
    epoch,
    seen: ranges,
    summed_group_id: summedGroupId,
    manages_stock: managesStock,
    counts_stock: countsStock,
  } = row
  return {
    merchantId: machine.merchantId,
    machineId: machine.id,
    epoch,
    seen: parseSeen(ranges),
    summedGroupId,
    managesStock,
    countsStock,
  }
}

/** Journals locked in this transaction, as rows to store. */
export const journalRows = (journals: readonly Journal[]): Insertion => ({
  table: 'machine_journals',
  columns: [
    { name: 'merchant_id', type: 'uuid', values: journals.map(({ merchantId }) => merchantId) },
    { name: 'machine_id', type: 'uuid', values: journals.map(({ machineId }) => machineId) },
    { name: 'epoch', type: 'int', values: journals.map(({ epoch }) => epoch) },
    { name: 'seen', type: 'int8multirange', values: journals.map(({ seen: ranges }) => formatSeen(ranges)) },
  ],
  tail: 'on conflict (merchant_id, machine_id) do update set seen = excluded.seen',
})

/** Stores journals locked in this transaction. */
export const writeJournals = (db: TenantDb, journals: readonly Journal[]): Promise<void> =>
  insertColumns(db.query, journalRows(journals))

const itemTables = {
  sale: 'transactions',
  event: 'events',
  cash: 'cash_readings',
  audit: 'audits',
  reading: 'readings',
  config: 'configurations',
} as const

/**
 * Kinds without rows: results end commands; of stock, prices and VP documents only the newest report is kept; credit is booked once by its
 * number.
 */
type RowlessKind = 'result' | 'stock' | 'prices' | 'vpConfig' | 'credit'

/** The numbers of an association that are stored as items of a kind. */
export async function storedSeqs(
  db: TenantDb,
  machine: MachineKey & { epoch: number },
  kind: keyof typeof itemTables | RowlessKind,
  seqs: readonly number[],
): Promise<Set<number>> {
  if (!(kind in itemTables) || seqs.length === 0) return new Set()
  const table = itemTables[kind as keyof typeof itemTables]
  const { rows } = await sql<{ seq: number }>`select items.seq from ${sql.table(table)} as items
    where ${db.narrow(table, 'items')} and items.merchant_id = ${machine.merchantId}
      and items.machine_id = ${machine.id} and items.epoch = ${machine.epoch} and items.seq = any(${seqs}::bigint[])`.execute(
    db.query,
  )
  return new Set(rows.map(({ seq }) => seq))
}
