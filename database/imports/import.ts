import { sql } from 'kysely'
import { type ImportFilters, type importOrds, undoDays } from '#contract/imports/import.ts'
import type { ImportKind } from '#contract/imports/import-kinds.ts'
import { insertRows } from '../frame/bulk-insert.ts'
import { among } from '../frame/conditions.ts'
import { orderOf, type Page, pageOf, type Sorted } from '../frame/list.ts'
import { writtenJson } from '../frame/records.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

type Ord = (typeof importOrds)[number]
const ordering = orderOf<Ord>({
  by: { at: sql`imports.at` },
  first: 'at',
  falling: 'all',
  ties: (direction) => sql`imports.id ${direction}`,
})

/** A page of imports of some kinds, newest first. */
export function listImports(
  db: TenantDb,
  { kinds }: { kinds: readonly ImportKind[] },
  query: Page & Sorted<Ord> & ImportFilters,
) {
  return pageOf(db, query, {
    matching: () => db.from('imports').where(among('imports.kind', kinds, 'text')),
    order: ordering(query),
    select: (rows) =>
      rows
        .innerJoin('merchants', 'merchants.id', 'imports.merchant_id')
        .selectAll('imports')
        .select(['merchants.name as merchant_name', 'merchants.time_zone']),
  })
}

/** One import, locked until the end of the transaction. Undefined outside the scope. */
export const holdImport = (db: TenantDb, id: string) =>
  db.from('imports').where('imports.id', '=', id).selectAll('imports').forUpdate('imports').executeTakeFirst()

export const findImport = (db: TenantDb, id: string) =>
  db
    .from('imports')
    .innerJoin('merchants', 'merchants.id', 'imports.merchant_id')
    .where('imports.id', '=', id)
    .selectAll('imports')
    .select(['merchants.name as merchant_name', 'merchants.time_zone'])
    .executeTakeFirstOrThrow()
export type ImportRecord = Awaited<ReturnType<typeof findImport>>

export interface NewImport {
  merchantId: string
  id: string
  kind: ImportKind
  fileName: string
  at: Date
  user: { id: string; name: string }
  mapping: Readonly<Record<string, number>>
  created: number
  updated: number
  same: number
  refused: number
}

export async function insertImport(db: TenantDb, one: NewImport): Promise<void> {
  await db.query
    .insertInto('imports')
    .values({
      merchant_id: one.merchantId,
      id: one.id,
      kind: one.kind,
      file_name: one.fileName,
      at: one.at,
      user_id: one.user.id,
      user_name: one.user.name,
      mapping: JSON.stringify(one.mapping),
      created: one.created,
      updated: one.updated,
      same: one.same,
      refused: one.refused,
    })
    .execute()
}

/** What an import did to a record. */
export interface ImportedRecord {
  row: number
  /** The record's id, or the serial of an expected machine. */
  subject: string
  name: string
  isNew: boolean
  /** The record's version after the import. */
  version: number
  /** What an updated record had. */
  before: object | null
}

const rowColumns = ['merchant_id', 'import_id', 'row', 'subject', 'name', 'is_new', 'version', 'before']

const whole = (merchantId: string) => [{ merchantId, groups: 'all' as const }]

/** Imports forgotten at once. */
const forgottenAtOnce = 100

/** Forgets what imports did that can be undone no more: rows have personal data of customers. */
export async function sweepImports(doors: Doors, now: Date): Promise<void> {
  const before = new Date(now.getTime() - undoDays * 86_400_000)
  for (;;) {
    const due = await doors.withSystem(
      'imports',
      (db) =>
        db
          .selectFrom('imports')
          .select(['merchant_id', 'id'])
          .where('at', '<', before)
          .where('rows_deleted', '=', false)
          .limit(forgottenAtOnce)
          .execute(),
      'single statement',
    )
    for (const one of due) await forgetRows(doors, one)
    if (due.length < forgottenAtOnce) return
  }
}

const forgetRows = (doors: Doors, { merchant_id, id }: { merchant_id: string; id: string }) =>
  doors.withTenant(whole(merchant_id), async (db) => {
    await sql`delete from import_rows where ${db.own('import_rows')} and merchant_id = ${merchant_id} and import_id = ${id}`.execute(
      db.query,
    )
    await sql`update imports set rows_deleted = true where ${db.own('imports')} and merchant_id = ${merchant_id} and id = ${id}`.execute(
      db.query,
    )
  })

/** Stores what an import did. */
export async function storeImported(
  db: TenantDb,
  { merchantId, id }: { merchantId: string; id: string },
  records: readonly ImportedRecord[],
): Promise<void> {
  await insertRows(
    db.query,
    'import_rows',
    rowColumns,
    records.map(({ row, subject, name, isNew, version, before }) => [
      merchantId,
      id,
      row,
      subject,
      name,
      isNew,
      version,
      before && JSON.stringify(before),
    ]),
  )
}

/** What an import did, in the order of the file. */
export async function importedRecords(db: TenantDb, merchantId: string, importId: string): Promise<ImportedRecord[]> {
  const rows = await db
    .from('import_rows')
    .where('import_rows.merchant_id', '=', merchantId)
    .where('import_rows.import_id', '=', importId)
    .select(['row', 'subject', 'name', 'is_new', 'version', 'before'])
    .orderBy('row')
    .execute()
  return rows.map(({ is_new, before, ...one }) => ({
    ...one,
    isNew: is_new,
    before: writtenJson<object | null>(before),
  }))
}

/** A record that an undo has restored, with its version before the import and its version now. */
export interface RestoredRecord {
  subject: string
  former: number
  restored: number
}

/**
 * Records that an undo has restored have another version. To the imports before it they are as these left them, so that imports can be undone
 * one after the other, the newest first.
 */
export async function followRestored(
  db: TenantDb,
  merchantId: string,
  importId: string,
  records: readonly RestoredRecord[],
): Promise<void> {
  if (records.length === 0) return
  await sql`update import_rows set version = e.restored
    from unnest(${records.map(({ subject }) => subject)}::text[], ${records.map(({ former }) => former)}::int[],
      ${records.map(({ restored }) => restored)}::int[]) as e (subject, former, restored)
    where import_rows.merchant_id = ${merchantId} and import_rows.import_id <> ${importId}
      and import_rows.subject = e.subject and import_rows.version = e.former`.execute(db.query)
}

/** Forgets what imports did to a record, such as a customer who is erased. */
export const forgetImported = (db: TenantDb, { merchant_id, id }: { merchant_id: string; id: string }) =>
  sql`delete from import_rows where merchant_id = ${merchant_id} and subject = ${id}`.execute(db.query)

/** Marks an import as undone. What it did is not needed any longer. */
export async function markUndone(
  db: TenantDb,
  { merchant_id, id }: { merchant_id: string; id: string },
  user: { id: string; name: string },
  at: Date,
): Promise<void> {
  await sql`update imports set undone_at = ${at}, undone_by = ${user.id}, undone_by_name = ${user.name}
    where merchant_id = ${merchant_id} and id = ${id}`.execute(db.query)
  await sql`delete from import_rows where merchant_id = ${merchant_id} and import_id = ${id}`.execute(db.query)
}

export type Headings = Record<string, string | null>

/** What a merchant's files call the fields of a kind. */
export async function savedHeadings(db: TenantDb, merchantId: string, kind: ImportKind): Promise<Headings> {
  const row = await db
    .from('import_mappings')
    .where('import_mappings.merchant_id', '=', merchantId)
    .where('import_mappings.kind', '=', kind)
    .select('headings')
    .executeTakeFirst()
  return writtenJson<Headings | null>(row?.headings ?? null) ?? {}
}

/** Stores what headings mean. Until the end of the transaction no other import of the kind writes for this merchant. */
export async function saveHeadings(
  db: TenantDb,
  merchantId: string,
  kind: ImportKind,
  headings: Headings,
): Promise<void> {
  await sql`insert into import_mappings (merchant_id, kind, headings) values (${merchantId}, ${kind}, ${JSON.stringify(headings)}::jsonb)
    on conflict (merchant_id, kind) do update set headings = import_mappings.headings || excluded.headings`.execute(
    db.query,
  )
}

/** What files are read by: the merchant's currency, and the country of its company. */
export async function factsForImport(db: TenantDb, merchantId: string): Promise<{ currency: string; country: string }> {
  const { rows } = await sql<{ currency: string; country: string }>`
    select m.currency, coalesce(d.legal_country, '') as country from merchants m
    left join merchant_details d on ${db.own('d')} and d.merchant_id = m.id where m.id = ${merchantId}`.execute(
    db.query,
  )
  const [facts] = rows
  if (!facts) throw new Error(`The merchant ${merchantId} is not in the scope.`)
  return facts
}
