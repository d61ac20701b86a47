import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { CollectionSource } from '#contract/vocabulary/cash.ts'
import {
  auditedAt,
  collectionsOf,
  type SourceOfCollection,
  sameCollectionMs,
  takenAt,
} from '#domain/cash/collection.ts'
import { noteFacts } from '../facts/webhook-note.ts'
import type { TenantDb } from '../frame/tenant.ts'

interface Machine {
  merchantId: string
  machineId: string
}

/** A report that a box was taken. */
export interface SourceReport extends Machine {
  source: CollectionSource
  sourceId: string
  at: Date
  /** Of a cash reading: the reading before. */
  since?: Date
  /** Minor units that the machine itself reports as collected. */
  amount?: number
  bagNumber?: string
  user?: { id: string; name: string }
}

/** A source with its present collection. */
interface Stored extends SourceOfCollection {
  collectionId: string
  amount: number | null
}

/** The sources of a machine around an instant, as far as they may belong together. Includes those without a gap of twelve hours. */
async function sourcesAround(db: TenantDb, { merchantId, machineId }: Machine, at: Date): Promise<Stored[]> {
  let from = at.getTime()
  let to = at.getTime()
  for (;;) {
    const rows = await db
      .from('collection_sources')
      .innerJoin('collections', (join) =>
        join
          .onRef('collections.merchant_id', '=', 'collection_sources.merchant_id')
          .onRef('collections.id', '=', 'collection_sources.collection_id'),
      )
      .where(db.own('collections'))
      .where('collection_sources.merchant_id', '=', merchantId)
      .where('collection_sources.machine_id', '=', machineId)
      .where('collection_sources.at', '>=', new Date(from - sameCollectionMs))
      .where('collection_sources.since', '<=', new Date(to + sameCollectionMs))
      .select([
        'collection_sources.source',
        'collection_sources.source_id',
        'collection_sources.collection_id',
        'collection_sources.at',
        'collection_sources.since',
        'collection_sources.amount',
        'collection_sources.bag_number',
        'collections.status',
        'collections.is_bag_typed',
      ])
      .execute()
    const first = Math.min(from, ...rows.map(({ since }) => since.getTime()))
    const last = Math.max(to, ...rows.map((row) => row.at.getTime()))
    if (first === from && last === to)
      return rows.map((row) => ({
        kind: row.source as CollectionSource,
        id: row.source_id,
        at: row.at.getTime(),
        since: row.since.getTime(),
        bagNumber: row.bag_number,
        pinnedTo: row.status !== 'open' || row.is_bag_typed ? row.collection_id : null,
        collectionId: row.collection_id,
        amount: row.amount,
      }))
    ;[from, to] = [first, last]
  }
}

/** The columns of a collection that follow from its sources. */
function columnsOf(group: readonly Stored[]) {
  const audit = auditedAt(group)
  const reading = group.findLast(({ kind }) => kind === 'reading')
  const amounts = group.filter(({ kind }) => kind === 'sale').map(({ amount }) => amount ?? 0)
  const at = takenAt(group)
  return {
    at: new Date(at),
    until: new Date(audit ?? at),
    audit_at: audit === null ? null : new Date(audit),
    reported_total: amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0),
    reading_at: reading ? new Date(reading.at) : null,
    reading_since: reading ? new Date(reading.since) : null,
  }
}

/** Every group gets one of the collections of its sources, the oldest first; what is left over is of no group. */
function assign(groups: readonly Stored[][]) {
  const usedIds = new Set<string>()
  const of = new Map<readonly Stored[], string>()
  const claims = groups.flatMap((group) =>
    group.map(({ collectionId, pinnedTo, kind }) => ({
      group,
      collectionId,
      weight: pinnedTo ? 0 : kind === 'visit' ? 1 : 2,
    })),
  )
  claims.sort((one, other) => one.weight - other.weight || (one.collectionId < other.collectionId ? -1 : 1))
  for (const { group, collectionId } of claims) {
    if (of.has(group) || usedIds.has(collectionId) || collectionId === '') continue
    of.set(group, collectionId)
    usedIds.add(collectionId)
  }
  return { of, taken: usedIds }
}

/** Groups the sources around an instant again. A closed collection keeps its figures and its place in time. Returns the new collections. */
async function regroup(db: TenantDb, machine: Machine, at: Date, added?: SourceReport): Promise<Set<string>> {
  const { merchantId, machineId } = machine
  const around = await sourcesAround(db, machine, at)
  const fresh: Stored[] = added
    ? [
        {
          kind: added.source,
          id: added.sourceId,
          at: added.at.getTime(),
          since: (added.since ?? added.at).getTime(),
          bagNumber: added.bagNumber ?? null,
          pinnedTo: null,
          collectionId: '',
          amount: added.amount ?? null,
        },
      ]
    : []
  const groups = collectionsOf([...around, ...fresh]) as Stored[][]
  const { of, taken } = assign(groups)
  const made = new Set<string>()
  for (const group of groups) {
    const columns = columnsOf(group)
    const bagNumber = group.find((source) => source.bagNumber)?.bagNumber ?? null
    let id = of.get(group)
    if (id) {
      await db.query
        .updateTable('collections')
        .set({ ...columns, bag_number: sql`case when is_bag_typed then bag_number else ${bagNumber} end` })
        .where('merchant_id', '=', merchantId)
        .where('id', '=', id)
        .where('status', '<>', 'closed')
        .execute()
    } else {
      id = randomUUIDv7()
      made.add(id)
      await db.query
        .insertInto('collections')
        .values({
          merchant_id: merchantId,
          id,
          machine_id: machineId,
          created_at: new Date(),
          ...columns,
          bag_number: bagNumber,
        })
        .execute()
    }
    const moved = group.filter((source) => source.collectionId !== id && source.collectionId !== '')
    for (const { kind, id: sourceId } of moved)
      await db.query
        .updateTable('collection_sources')
        .set({ collection_id: id })
        .where('merchant_id', '=', merchantId)
        .where('source', '=', kind)
        .where('source_id', '=', sourceId)
        .execute()
    if (added && group.some((source) => fresh.includes(source)))
      await db.query
        .insertInto('collection_sources')
        .values({
          merchant_id: merchantId,
          source: added.source,
          source_id: added.sourceId,
          collection_id: id,
          machine_id: machineId,
          at: added.at,
          since: added.since ?? added.at,
          amount: added.amount ?? null,
          bag_number: added.bagNumber ?? null,
          user_id: added.user?.id ?? null,
          user_name: added.user?.name ?? null,
        })
        .execute()
  }
  // Two open collections that a late report joins are one.
  const left = new Set(around.map(({ collectionId }) => collectionId).filter((id) => !taken.has(id)))
  for (const id of left)
    await db.query
      .deleteFrom('collections')
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .where('status', '=', 'open')
      .execute()
  return made
}

/** The collection that has a report; undefined if the report is not stored yet. */
export const collectionOfSource = async (
  db: TenantDb,
  merchantId: string,
  { source, sourceId }: Pick<SourceReport, 'source' | 'sourceId'>,
): Promise<string | undefined> => {
  const row = await db
    .from('collection_sources')
    .where('merchant_id', '=', merchantId)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .select('collection_id')
    .executeTakeFirst()
  return row?.collection_id
}

/**
 * Notes that a machine's box was taken, and returns the collection. Reports of the same event are one collection; the same report twice
 * changes nothing. The caller has locked the machine's journal. A late report may join two open collections: the id of a visit's collection
 * is found by `collectionOfSource`.
 */
export async function openCollection(db: TenantDb, report: SourceReport): Promise<string> {
  const stored = await collectionOfSource(db, report.merchantId, report)
  if (stored) return stored
  const made = await regroup(db, report, report.at, report)
  const id = (await collectionOfSource(db, report.merchantId, report)) as string
  const { merchantId, machineId: posId, source, at, amount: reported = null } = report
  // A further report of a known collection is no other one.
  if (made.has(id)) {
    const merchant = await db
      .from('merchants')
      .where('merchants.id', '=', merchantId)
      .select('merchants.counts_blind')
      .executeTakeFirstOrThrow()
    await noteFacts(db, [merchantId], ['cash.collected'], () => [
      {
        event: 'cash.collected',
        merchantId,
        data: {
          posId,
          collectionId: id,
          source,
          reported: merchant.counts_blind ? null : reported,
          at: at.toISOString(),
        },
      },
    ])
  }
  return id
}

/** Moves an emptied box to another cash reading: a late reading shows that it was emptied before. */
export async function moveReading(
  db: TenantDb,
  machine: Machine,
  from: string,
  to: { id: string; at: Date; since: Date },
): Promise<void> {
  const changed = await db.query
    .updateTable('collection_sources')
    .set({ source_id: to.id, at: to.at, since: to.since })
    .where('merchant_id', '=', machine.merchantId)
    .where('source', '=', 'reading')
    .where('source_id', '=', from)
    .returning('at')
    .executeTakeFirst()
  if (changed) await regroup(db, machine, to.at)
}
