import { sql } from 'kysely'
import type { RecordKey } from '../frame/records.ts'
import type { Doors, TenantDb } from '../frame/tenant.ts'

/** Where the bytes of a file are in the blob store. */
export const screenBlob = (merchantId: string, fileId: string) => `screens/${merchantId}/${fileId}`
export const screenPartBlob = (merchantId: string, fileId: string, part: number) =>
  `${screenBlob(merchantId, fileId)}-${part}`

/** Uploads of the scope, newest first. */
export const listScreenFiles = (db: TenantDb) =>
  db
    .from('screen_files')
    .where('screen_files.origin', '=', 'upload')
    .where('screen_files.type', 'is not', null)
    .selectAll('screen_files')
    .orderBy('screen_files.created_at', 'desc')
    .orderBy('screen_files.id')
    .execute()

export const findScreenFile = (db: TenantDb, id: string) =>
  db
    .from('screen_files')
    .where('screen_files.id', '=', id)
    .where('screen_files.origin', '=', 'upload')
    .selectAll('screen_files')
    .executeTakeFirst()

/** The same, locked until the transaction ends. */
export async function holdScreenFile(db: TenantDb, id: string) {
  const file = await findScreenFile(db, id)
  return (
    file &&
    db
      .from('screen_files')
      .where('screen_files.merchant_id', '=', file.merchant_id)
      .where('screen_files.id', '=', id)
      .selectAll('screen_files')
      .forUpdate('screen_files')
      .executeTakeFirst()
  )
}

/** Complete uploads of a merchant among some ids, locked against deletion. */
export const filesToUse = async (db: TenantDb, merchantId: string, ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db
        .from('screen_files')
        .where('screen_files.merchant_id', '=', merchantId)
        .where('screen_files.origin', '=', 'upload')
        .where('screen_files.type', 'is not', null)
        .where(sql<boolean>`screen_files.id = any(${ids}::uuid[])`)
        .selectAll('screen_files')
        .orderBy('screen_files.id')
        .forKeyShare('screen_files')
        .execute()

export const screenFileTotals = async (db: TenantDb, merchantId: string) =>
  db
    .from('screen_files')
    .where('screen_files.merchant_id', '=', merchantId)
    .where('screen_files.origin', '=', 'upload')
    .select([sql<number>`count(*)::int`.as('files'), sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes')])
    .executeTakeFirstOrThrow()

/** Removes uploads that were never completed. Returns their ids. */
export const dropUnfinished = async (db: TenantDb, merchantId: string, before: Date) => {
  const rows = await db.query
    .deleteFrom('screen_files')
    .where('merchant_id', '=', merchantId)
    .where('origin', '=', 'upload')
    .where('type', 'is', null)
    .where('created_at', '<', before)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export interface NewFileRow extends RecordKey {
  origin: 'upload' | 'product' | 'document'
  name: string
  kind: string
  type: string | null
  bytes: number
  sha256: string | null
  parts?: string[]
  created_at: Date
}

export const insertScreenFile = (db: TenantDb, row: NewFileRow) =>
  db.query.insertInto('screen_files').values(row).execute()

/** The file of a copy or a document with this content. */
export const fileWithContent = (db: TenantDb, merchantId: string, origin: string, sha256: string) =>
  db
    .from('screen_files')
    .where('screen_files.merchant_id', '=', merchantId)
    .where('screen_files.origin', '=', origin)
    .where('screen_files.sha256', '=', sha256)
    .selectAll('screen_files')
    .executeTakeFirst()

export const completeScreenFile = (db: TenantDb, { merchant_id, id }: RecordKey, type: string, sha256: string) =>
  db.query
    .updateTable('screen_files')
    .set({ type, sha256 })
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute()

export const removeScreenFile = (db: TenantDb, { merchant_id, id }: RecordKey) =>
  db.query.deleteFrom('screen_files').where('merchant_id', '=', merchant_id).where('id', '=', id).execute()

/** Whether a configuration, or a document that a machine was sent, names a file. */
export const isFileUsed = async (db: TenantDb, { merchant_id, id }: RecordKey): Promise<boolean> => {
  const { rows } = await sql<{ used: boolean }>`
    select exists (
      select 1 from screen_configurations c where ${db.own('c')} and c.merchant_id = ${merchant_id}::uuid
        and (c.idle -> 'fileIds' ? ${id}::text
          or c.pages @? ${`$[*].buttons[*].fileId ? (@ == "${id}")`}::jsonpath)
    ) or exists (
      select 1 from screen_assignments a join screen_files d on d.merchant_id = a.merchant_id and d.id = a.document_id
      where ${db.own('a')} and ${db.own('d')} and a.merchant_id = ${merchant_id}::uuid and ${id}::uuid = any(d.parts)
    ) as used`.execute(db.query)
  return rows[0]?.used ?? false
}

/** A file that a machine may fetch: the document that was sent to it last, or a part of it. */
export const fileForMachine = (doors: Doors, machine: { merchantId: string; id: string }, fileId: string) =>
  doors.withTenant([{ merchantId: machine.merchantId, groups: 'all' }], async (db) =>
    db
      .from('screen_files')
      .where('screen_files.id', '=', fileId)
      .where(
        sql<boolean>`exists (select 1 from screen_assignments a join screen_files d
          on d.merchant_id = a.merchant_id and d.id = a.document_id
          where ${db.own('a')} and ${db.own('d')} and a.merchant_id = ${machine.merchantId}::uuid
            and a.machine_id = ${machine.id}::uuid and (d.id = screen_files.id or screen_files.id = any(d.parts)))`,
      )
      .select([
        'screen_files.id',
        'screen_files.type',
        'screen_files.bytes',
        'screen_files.sha256',
        'screen_files.origin',
      ])
      .executeTakeFirst(),
  )
