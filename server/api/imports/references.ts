import { broken } from '#contract/frame/broken.ts'
import type { RecordTable } from '#database/frame/records.ts'
import type { TenantDb } from '#database/frame/tenant.ts'
import { foldedKeys, recordsByText } from '#database/imports/many-records.ts'
import type { Fault, SheetRow } from '#domain/imports/sheet.ts'

/** Another record that a cell names, or the rule that it breaks. */
export type Reference = { id: string | null; name: string } | { fault: Fault }

export interface Referred {
  table: RecordTable
  /** The fields that may name it, the first that finds one counts. */
  by: readonly string[]
}

/** Resolves a column that names other records. A record that the caller does not see is not found. */
export async function referencesOf(
  db: TenantDb,
  { merchantId, field, rows }: { merchantId: string; field: string; rows: readonly SheetRow[] },
  { table, by }: Referred,
): Promise<(row: SheetRow) => Reference | undefined> {
  const texts = [
    ...new Set(rows.flatMap(({ values }) => (typeof values[field] === 'string' ? [values[field].trim()] : []))),
  ]
  const folded = await foldedKeys(db, texts)
  const found = new Map<string, { id: string; name: string }[]>()
  for (const column of by) {
    const open = folded.filter((key) => !found.has(key))
    const records = await recordsByText(db, table, { merchantId, field: column, keys: [...new Set(open)], hold: false })
    for (const [key, some] of Map.groupBy(records, (record) => record.key))
      found.set(
        key,
        some.map(({ id, name }) => ({ id, name: String(name) })),
      )
  }
  const keyOf = new Map(texts.map((text, at) => [text, folded[at] ?? '']))
  return ({ values }) => {
    const text = values[field]
    if (text === undefined) return undefined
    if (typeof text !== 'string' || text.trim() === '') return { id: null, name: '' }
    const [first, ...others] = found.get(keyOf.get(text.trim()) ?? '') ?? []
    if (!first) return { fault: { field, rule: broken('notFound') } }
    return others.length > 0 ? { fault: { field, rule: broken('ambiguous') } } : first
  }
}
