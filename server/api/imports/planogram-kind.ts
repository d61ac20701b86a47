import { NewPlanogram, type PlanogramLine } from '#contract/catalogue/planogram.ts'
import { ProductError } from '#contract/errors.ts'
import { broken } from '#contract/frame/broken.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import { linesOfPlanograms, writeLinesOfPlanograms } from '#database/catalogue/planogram.ts'
import { constraintOf } from '#database/frame/constraint.ts'
import { fieldsOf } from '#database/frame/records.ts'
import type { ImportedRecord, RestoredRecord } from '#database/imports/import.ts'
import {
  deleteRecords,
  foldedKeys,
  holdVersions,
  insertRecords,
  recordsByText,
  updateRecords,
} from '#database/imports/many-records.ts'
import { usedPlanograms } from '#database/imports/used-records.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import { replan } from '#database/stock/planned.ts'
import { changedFields } from '#domain/frame/editing.ts'
import { type Fault, repeatedFault, repeatedRows, type SheetRow } from '#domain/imports/sheet.ts'
import { type Change, type ImportCall, type KindOfImport, type PlannedRow, refuseUndo, restoredOf } from './kind.ts'
import { type Reference, referencesOf } from './references.ts'

/* A row is a selection; the rows with one name are one planogram, which is saved as a whole. Selections that the file leaves out stay. */

/** A planogram without its selections, which are in a table of their own. */
const Named = NewPlanogram.omit({ lines: true })
type Named = Omit<NewPlanogram, 'lines'>

interface Planned extends PlannedRow {
  /** Of the first row of a planogram that is created or updated. */
  planogram:
    | { id: string | undefined; version: number; before: NewPlanogram | undefined; after: NewPlanogram }
    | undefined
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
/** The price table that a file's price is for. */
const firstTable = '1'

/** A selection with what a row says of it; a new one is filled up to its capacity and warns when it is empty. */
function lineOf(
  { values }: SheetRow,
  before: PlanogramLine | undefined,
  product: Reference | undefined,
): PlanogramLine {
  const capacity = (values.capacity ?? before?.capacity) as number
  const price = values.price
  const { [firstTable]: _former, ...others } = before?.prices ?? {}
  const prices =
    price === undefined
      ? (before?.prices ?? {})
      : price === null
        ? others
        : { ...others, [firstTable]: price as number }
  return {
    selection: before?.selection ?? text(values.selection),
    productId: product && 'id' in product ? product.id : (before?.productId ?? null),
    capacity,
    warningLevel: (values.warningLevel ?? before?.warningLevel ?? 0) as number,
    refillValue: (values.refillValue ?? before?.refillValue ?? capacity) as number,
    prices,
  }
}

const columnOf: Readonly<Record<string, string>> = { productId: 'product', prices: 'price' }

function changesOf(before: PlanogramLine | undefined, after: PlanogramLine, product: Reference | undefined): Change[] {
  const changed = changedFields({ ...after }, { ...before })
  return changed.flatMap((field): Change[] => {
    if (field === 'selection') return []
    if (field === 'productId')
      return [{ field: 'product', before: null, after: product && 'name' in product ? product.name || null : null }]
    if (field === 'prices')
      return [{ field: 'price', before: before?.prices[firstTable] ?? null, after: after.prices[firstTable] ?? null }]
    const name = field as 'capacity' | 'warningLevel' | 'refillValue'
    return [{ field, before: before?.[name] ?? null, after: after[name] }]
  })
}

async function plan(call: ImportCall, rows: readonly SheetRow[], hold: boolean): Promise<Planned[]> {
  const { db, merchantId } = call
  const keys = await foldedKeys(
    db,
    rows.map(({ values }) => text(values.name)),
  )
  const wanted = [...new Set(keys)].filter((key) => key !== '')
  const records = await recordsByText(db, 'planograms', { merchantId, field: 'name', keys: wanted, hold })
  const linesBefore = await linesOfPlanograms(
    db,
    merchantId,
    records.map(({ id }) => id),
  )
  const recordOf = new Map(records.map((record) => [record.key, record]))
  const productOf = await referencesOf(
    db,
    { merchantId, field: 'product', rows },
    { table: 'products', by: ['code', 'name'] },
  )
  const repeated = repeatedRows(rows, (at) =>
    keys[at] === '' ? '' : `${keys[at]} ${text(rows[at]?.values.selection).toLowerCase()}`,
  )
  const planned: Planned[] = []
  const groups = Map.groupBy(rows.keys(), (at) => keys[at] ?? '')
  for (const [key, places] of groups) {
    // One planogram has few rows: other calls are answered between two of them.
    if (planned.length % 500 < places.length) await new Promise((resolve) => setImmediate(resolve))
    const record = recordOf.get(key)
    const before: NewPlanogram | undefined = record && {
      ...fieldsOf<Named>(record, Named),
      lines: linesBefore.get(record.id) ?? [],
    }
    planned.push(
      ...planogramOf(
        places.map((at) => rows[at] as SheetRow),
        { before, record, productOf, repeated },
      ),
    )
  }
  return planned.toSorted((one, other) => one.row - other.row)
}

interface Beside {
  before: NewPlanogram | undefined
  record: { id: string; version: number } | undefined
  productOf: (row: SheetRow) => Reference | undefined
  repeated: ReadonlyMap<number, number>
}

/** The rows of one planogram. One with a faulty row is left out as a whole: it would miss a selection. */
function planogramOf(rows: readonly SheetRow[], { before, record, productOf, repeated }: Beside): Planned[] {
  const [first] = rows
  const name = before?.name ?? text(first?.values.name)
  const merged: PlanogramLine[] = [...(before?.lines ?? [])]
  const placeOf = new Map(merged.map(({ selection }, at) => [selection.toLowerCase(), at]))
  const placed = rows.map((row) => {
    const selection = text(row.values.selection).toLowerCase()
    const at = placeOf.get(selection) ?? merged.length
    const old = before?.lines[at]
    const product = productOf(row)
    merged[at] = lineOf(row, old, product)
    if (selection !== '') placeOf.set(selection, at)
    return { row, at, old, product }
  })
  const planogramType = first?.values.planogramType ?? before?.planogramType ?? 'B'
  const whole = { name, description: before?.description ?? null, planogramType, lines: merged }
  const parsed = NewPlanogram.safeParse(whole)
  const faultsAt = new Map<number, Fault[]>()
  const wholeFaults: Fault[] = []
  for (const issue of parsed.error?.issues ?? []) {
    const [top, at, field] = issue.path
    const fault = {
      field: columnOf[String(field ?? top)] ?? String(field ?? top),
      rule: ruleOf(issue, valueAt(whole, issue.path)),
    }
    if (top === 'lines' && typeof at === 'number') faultsAt.set(at, [...(faultsAt.get(at) ?? []), fault])
    else wholeFaults.push(top === 'lines' ? { ...fault, field: 'selection' } : fault)
  }
  const own = placed.map(({ row, at, product }, place) => {
    const faults: Fault[] = [...row.faults, ...(place === 0 ? wholeFaults : [])]
    const otherRow = repeated.get(row.row)
    if (otherRow !== undefined) faults.unshift(repeatedFault('selection', otherRow))
    if (product && 'fault' in product) faults.push(product.fault)
    const said = new Set(faults.map(({ field }) => field))
    for (const fault of faultsAt.get(at) ?? []) if (!said.has(fault.field)) faults.push(fault)
    return faults
  })
  const faulty = placed.find((_row, place) => (own[place]?.length ?? 0) > 0)?.row.row
  const changes = placed.map(({ at, old, product }) => changesOf(old, merged[at] as PlanogramLine, product))
  const isChanged = !before || changedFields(whole, before).length > 0
  const after = faulty === undefined && isChanged ? parsed.data : undefined
  return placed.map(({ row }, place) => {
    const faults =
      faulty !== undefined && own[place]?.length === 0
        ? [{ field: 'name', rule: broken('otherRow', { otherRow: faulty }) }]
        : (own[place] ?? [])
    // The type is the planogram's: its change is shown with the first row.
    const ofWhole: Change[] =
      place === 0 && before && planogramType !== before.planogramType
        ? [{ field: 'planogramType', before: before.planogramType, after: planogramType }]
        : []
    const all = [...ofWhole, ...(changes[place] ?? [])]
    return {
      row: row.row,
      outcome: faults.length > 0 ? 'refused' : !before ? 'create' : all.length > 0 ? 'update' : 'same',
      name: `${name} · ${text(row.values.selection)}`,
      changes: all,
      faults,
      cells: row.cells,
      facts: [record?.id, record?.version, place === 0 ? after : null],
      planogram: place === 0 && after ? { id: record?.id, version: record?.version ?? 1, before, after } : undefined,
    }
  })
}

const entryOf = ({ merchantId, now, user }: ImportCall, verb: string, subjectId: string) => ({
  merchantId,
  at: now,
  user,
  action: `planogram.${verb}`,
  subjectType: 'planogram',
  subjectId,
})

/** Writes planograms that exist, with their selections, and plans the stock of their machines again. */
async function rewrite(call: ImportCall, planograms: readonly { id: string; fields: NewPlanogram }[]): Promise<void> {
  const { db, merchantId, now } = call
  const named = planograms.map(({ id, fields: { lines: _lines, ...rest } }) => ({ id, fields: rest }))
  await updateRecords<Named>(db, 'planograms', Named, { merchantId, now }, named)
  await writeLines(
    call,
    planograms.map(({ id, fields: { lines } }) => ({ id, lines })),
  )
  for (const { id } of planograms) await replan(db, { merchant_id: merchantId, id }, now)
}

const writeLines = (
  { db, merchantId }: ImportCall,
  planograms: readonly { id: string; lines: readonly PlanogramLine[] }[],
) =>
  writeLinesOfPlanograms(db, merchantId, planograms).catch((error: unknown) => {
    // A product was deleted since the file was compared.
    throw constraintOf(error) === 'planogram_lines_merchant_id_product_id_fkey'
      ? new ProductError('ImportChanged')
      : error
  })

async function write(call: ImportCall, rows: readonly Planned[]): Promise<ImportedRecord[]> {
  const { db, merchantId, now, live } = call
  const planograms = rows.flatMap(({ row, planogram }) => (planogram ? [{ row, ...planogram }] : []))
  const created = planograms.filter(({ before }) => before === undefined)
  const updated = planograms.flatMap(({ id, before, ...one }) => (id && before ? [{ ...one, id, before }] : []))
  const ids = await insertRecords<Named>(
    db,
    'planograms',
    Named,
    { merchantId, now },
    created.map(({ after: { lines: _lines, ...rest } }) => rest),
  )
  await writeLines(
    call,
    created.map(({ after }, at) => ({ id: ids[at] as string, lines: after.lines })),
  )
  await rewrite(
    call,
    updated.map(({ id, after }) => ({ id, fields: after })),
  )
  await recordChanges(db, [
    ...created.map(({ after }, at) => ({ ...entryOf(call, 'create', ids[at] as string), after })),
    ...updated.map(({ id, before, after }) => ({ ...entryOf(call, 'update', id), before, after })),
  ])
  db.afterCommit(() => live.announce(merchantId, 'planogram'))
  return [
    ...created.map(({ row, after }, at) => ({
      row,
      subject: ids[at] as string,
      name: after.name,
      isNew: true,
      version: 1,
      before: null,
    })),
    ...updated.map(({ row, id, version, before, after }) => ({
      row,
      subject: id,
      name: after.name,
      isNew: false,
      version: version + 1,
      before,
    })),
  ]
}

async function undo(call: ImportCall, records: readonly ImportedRecord[]): Promise<RestoredRecord[]> {
  const { db, merchantId, live } = call
  const subjects = records.map(({ subject }) => subject)
  const versions = await holdVersions(db, 'planograms', merchantId, subjects)
  refuseUndo('ImportRowsChanged', records, ({ subject, version }) => versions.get(subject) !== version)
  const created = records.filter(({ isNew }) => isNew)
  const ids = created.map(({ subject }) => subject)
  const used = new Set(await usedPlanograms(db, merchantId, ids))
  refuseUndo('ImportRowsUsed', created, ({ subject }) => used.has(subject))
  // Cast: an import of planograms has stored what it found.
  const restored = records.flatMap(({ subject, before }) =>
    before ? [{ id: subject, fields: before as NewPlanogram }] : [],
  )
  await rewrite(call, restored)
  await deleteRecords(db, 'planograms', merchantId, ids)
  await recordChanges(db, [
    ...ids.map((id) => entryOf(call, 'delete', id)),
    ...restored.map(({ id, fields: after }) => ({ ...entryOf(call, 'update', id), after })),
  ])
  db.afterCommit(() => live.announce(merchantId, 'planogram'))
  return restoredOf(records)
}

export const planogramKind: KindOfImport = {
  plan: async (call, rows, hold) => {
    const planned = await plan(call, rows, hold)
    return { rows: planned, write: () => write(call, planned) }
  },
  undo: (call, _importId, records) => undo(call, records),
}
