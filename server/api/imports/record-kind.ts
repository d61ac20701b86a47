import type { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { broken } from '#contract/frame/broken.ts'
import type { LiveTopic } from '#contract/frame/live.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import type { RecordNoun } from '#contract/vocabulary/record-nouns.ts'
import { type FieldsSchema, fieldsOf, type RecordTable } from '#database/frame/records.ts'
import { withinScope } from '#database/frame/tenant.ts'
import type { ImportedRecord } from '#database/imports/import.ts'
import {
  deleteRecords,
  type FoundByText,
  foldedKeys,
  holdVersions,
  insertRecords,
  recordsByText,
  updateRecords,
} from '#database/imports/many-records.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import { changedFields } from '#domain/frame/editing.ts'
import { type Fault, repeatedFault, repeatedRows, type SheetRow } from '#domain/imports/sheet.ts'
import { type ImportCall, type KindOfImport, mapInSteps, type PlannedRow, refuseUndo, restoredOf } from './kind.ts'

type Values = Record<string, unknown>
type Schema<Fields> = FieldsSchema<Fields> & z.ZodType<Fields>

interface Declared<Fields extends Values> {
  noun: RecordNoun & LiveTopic
  table: RecordTable
  schema: Schema<Fields>
  /** A row is about the record with its first of these that it says. */
  keys: readonly (keyof Fields & string)[]
  /** Fields that no two records of a merchant share, beside the keys. */
  unique?: readonly (keyof Fields & string)[]
  /** Values before the schema sees them; `before` is missing for a new record. */
  complete?: (values: Values, before: Fields | undefined, call: ImportCall) => Values
  stored?: (fields: Fields) => Fields
  /** What the change log keeps; all fields by default. */
  logged?: (fields: Fields) => object
  /** What is written beside new records, and what ends with a change. */
  created?: (call: ImportCall, ids: readonly string[]) => Promise<void>
  changing?: (call: ImportCall, records: readonly { id: string; fields: Fields }[]) => Promise<void>
  /** Those of these records that something uses. */
  used: (call: ImportCall, ids: readonly string[]) => Promise<readonly string[]>
  /** Runs before new records are deleted. */
  removing?: (call: ImportCall, ids: readonly string[]) => Promise<void>
}

interface Planned<Fields> extends PlannedRow {
  id: string | undefined
  version: number
  before: Fields | undefined
  after: Fields | undefined
}

/** The whole merchant: records that are not in the caller's groups take names as well. */
const wholeOf = ({ db, merchantId }: ImportCall) => withinScope(db, [{ merchantId, groups: 'all' }])

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/** Records of the frame `editable`, imported row by row: one row is one record. */
export function recordKind<Fields extends Values>(declared: Declared<Fields>): KindOfImport {
  const { noun, table, schema, keys, unique = [] } = declared
  const stored = declared.stored ?? ((fields: Fields) => fields)
  const logged = declared.logged ?? ((fields: Fields): object => fields)

  /** The field by which a row names its record. */
  const keyFieldOf = (row: SheetRow) => keys.find((key) => textOf(row.values[key]) !== '')

  async function found(call: ImportCall, texts: readonly string[], field: string, hold: boolean) {
    const folded = await foldedKeys(call.db, texts)
    const wanted = [...new Set(folded)].filter((key) => key !== '')
    const records = await recordsByText(wholeOf(call), table, {
      merchantId: call.merchantId,
      field,
      keys: wanted,
      hold,
    })
    const byText = Map.groupBy(records, ({ key }) => key)
    return {
      folded,
      /** The records that a row means by this field. */
      of: (at: number): readonly FoundByText[] => byText.get(folded[at] ?? '') ?? [],
    }
  }
  type Found = Awaited<ReturnType<typeof found>>

  function faultsOf(values: Values, parsed: z.ZodSafeParseResult<Fields>, own: readonly Fault[]): Fault[] {
    const faults = [...own]
    const faulty = new Set(own.map(({ field }) => field))
    for (const issue of parsed.error?.issues ?? []) {
      const field = String(issue.path[0])
      if (faulty.has(field)) continue
      faulty.add(field)
      faults.push({ field, rule: ruleOf(issue, valueAt(values, issue.path)) })
    }
    return faults
  }

  async function plan(call: ImportCall, rows: readonly SheetRow[], hold: boolean): Promise<Planned<Fields>[]> {
    const byKey = new Map<string, Found>()
    for (const key of keys)
      byKey.set(
        key,
        await found(
          call,
          rows.map(({ values }) => textOf(values[key])),
          key,
          hold,
        ),
      )
    const keyOf = (at: number) => {
      const field = keyFieldOf(rows[at] as SheetRow)
      return field === undefined ? '' : `${field} ${byKey.get(field)?.folded[at]}`
    }
    const repeated = repeatedRows(rows, keyOf)
    const alone: { field: string; found: Found; twice: ReadonlyMap<number, number> }[] = []
    for (const field of unique) {
      const texts = rows.map(({ values }) => textOf((declared.complete?.(values, undefined, call) ?? values)[field]))
      const same = await found(call, texts, field, false)
      alone.push({ field, found: same, twice: repeatedRows(rows, (at) => same.folded[at] ?? '') })
    }
    return mapInSteps(rows, (sheet, at): Planned<Fields> => {
      const field = keyFieldOf(sheet)
      const existing = (field && byKey.get(field)?.of(at)) || []
      const [record] = existing
      const before = record && fieldsOf<Fields>(record, schema)
      const values = { ...before, ...(declared.complete?.(sheet.values, before, call) ?? sheet.values) }
      const parsed = schema.safeParse(values)
      const own: Fault[] = [...sheet.faults]
      const otherRow = repeated.get(sheet.row)
      if (otherRow !== undefined) own.unshift(repeatedFault(field ?? '', otherRow))
      if (existing.length > 1) own.push({ field: field ?? '', rule: broken('ambiguous') })
      for (const one of alone) {
        if (one.field === field) continue
        const isTaken = one.found.of(at).some(({ id }) => id !== record?.id)
        const rule = isTaken ? broken('taken') : one.twice.has(sheet.row) ? broken('unique') : undefined
        if (rule) own.push({ field: one.field in sheet.values ? one.field : (field ?? one.field), rule })
      }
      const faults = faultsOf(values, parsed, own)
      const after = faults.length === 0 && parsed.data ? stored(parsed.data) : undefined
      const changed = before && after ? changedFields(after, before) : []
      return {
        row: sheet.row,
        outcome: !after ? 'refused' : !before ? 'create' : changed.length > 0 ? 'update' : 'same',
        name: textOf(values.name) || textOf(field && values[field]),
        changes: changed.map((name) => ({ field: name, before: before?.[name], after: after?.[name] })),
        faults,
        cells: sheet.cells,
        facts: [record?.id, record?.version, after],
        id: record?.id,
        version: record?.version ?? 1,
        before,
        after,
      }
    })
  }

  const announce = ({ db, live, merchantId }: ImportCall) => db.afterCommit(() => live.announce(merchantId, noun))
  const entry = ({ merchantId, now, user }: ImportCall, verb: string, id: string) => ({
    merchantId,
    at: now,
    user,
    action: `${noun}.${verb}`,
    subjectType: noun,
    subjectId: id,
  })

  async function write(call: ImportCall, rows: readonly Planned<Fields>[]): Promise<ImportedRecord[]> {
    const { db, merchantId, now } = call
    const created = rows.flatMap(({ outcome, after, ...row }) =>
      outcome === 'create' && after ? [{ ...row, after }] : [],
    )
    const updated = rows.flatMap(({ outcome, id, before, after, ...row }) =>
      outcome === 'update' && id && before && after ? [{ ...row, id, before, after }] : [],
    )
    const at = { merchantId, now }
    const ids = await insertRecords(
      db,
      table,
      schema,
      at,
      created.map(({ after }) => after),
    )
    const changes = updated.map(({ id, after }) => ({ id, fields: after }))
    await declared.changing?.(call, changes)
    await updateRecords(db, table, schema, at, changes)
    await declared.created?.(call, [...ids, ...updated.map(({ id }) => id)])
    await recordChanges(db, [
      ...created.map(({ after }, place) => ({ ...entry(call, 'create', ids[place] as string), after: logged(after) })),
      ...updated.map(({ id, before, after }) => ({
        ...entry(call, 'update', id),
        before: logged(before),
        after: logged(after),
      })),
    ])
    announce(call)
    return [
      ...created.map(({ row, name }, place) => ({
        row,
        subject: ids[place] as string,
        name,
        isNew: true,
        version: 1,
        before: null,
      })),
      ...updated.map(({ row, name, id, version, before }) => ({
        row,
        subject: id,
        name,
        isNew: false,
        version: version + 1,
        before,
      })),
    ]
  }

  return {
    plan: async (call, rows, hold) => {
      const planned = await plan(call, rows, hold)
      return { rows: planned, write: () => write(call, planned) }
    },

    undo: async (call, _importId, records) => {
      const { db, merchantId, now } = call
      const versions = await holdVersions(
        wholeOf(call),
        table,
        merchantId,
        records.map(({ subject }) => subject),
      )
      refuseUndo('ImportRowsChanged', records, ({ subject, version }) => versions.get(subject) !== version)
      const created = records.filter(({ isNew }) => isNew)
      const ids = created.map(({ subject }) => subject)
      const used = new Set(ids.length > 0 ? await declared.used(call, ids) : [])
      refuseUndo('ImportRowsUsed', created, ({ subject }) => used.has(subject))
      // Cast: these fields were stored by an import of this kind.
      const restored = records.flatMap(({ subject, before }) =>
        before ? [{ id: subject, fields: before as Fields }] : [],
      )
      await declared.changing?.(call, restored)
      await updateRecords(db, table, schema, { merchantId, now }, restored)
      await declared.removing?.(call, ids)
      await deleteRecords(db, table, merchantId, ids).catch((error: unknown) => {
        // Another record refers to one of them.
        throw (error as { code?: string }).code === '23503'
          ? new ProductError('ImportRowsUsed', { count: 1, names: '' })
          : error
      })
      await recordChanges(db, [
        ...ids.map((id) => entry(call, 'delete', id)),
        ...restored.map(({ id, fields }) => ({ ...entry(call, 'update', id), after: logged(fields) })),
      ])
      announce(call)
      return restoredOf(records)
    },
  }
}
