import { insertColumns } from '../frame/bulk-insert.ts'
import type { TenantDb } from '../frame/tenant.ts'
import type { ItemHead } from './ingest.ts'

export interface UnknownFieldsRow extends ItemHead {
  kind: string
  /** JSON of the item's fields that the parser does not know. */
  fields: string
}

/** Stores unknown fields of items beside them. */
export async function insertUnknownFields(db: TenantDb, rows: readonly UnknownFieldsRow[]): Promise<void> {
  if (rows.length === 0) return
  await insertColumns(db.query, {
    table: 'unknown_fields',
    columns: [
      { name: 'merchant_id', type: 'uuid', values: rows.map(({ merchantId }) => merchantId) },
      { name: 'machine_id', type: 'uuid', values: rows.map(({ machineId }) => machineId) },
      { name: 'at', type: 'timestamptz', values: rows.map(({ at }) => new Date(at).toISOString()) },
      { name: 'epoch', type: 'int', values: rows.map(({ epoch }) => epoch) },
      { name: 'seq', type: 'bigint', values: rows.map(({ seq }) => seq) },
      { name: 'kind', type: 'text', values: rows.map(({ kind }) => kind) },
      { name: 'fields', type: 'text', values: rows.map(({ fields }) => fields) },
    ],
  })
}
