import { createHash, randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { toWire } from '#contract/frame/instant.ts'
import {
  Import,
  type ImportedRow,
  type ImportPreviewed,
  type importOutcomes,
  type imports,
  mostImportedRows,
  undoDays,
} from '#contract/imports/import.ts'
import { type ImportKind, importKindNames, importKindOf, missingColumns } from '#contract/imports/import-kinds.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { withinScope } from '#database/frame/tenant.ts'
import {
  factsForImport,
  findImport,
  followRestored,
  holdImport,
  type ImportRecord,
  importedRecords,
  insertImport,
  listImports,
  markUndone,
  savedHeadings,
  saveHeadings,
  storeImported,
} from '#database/imports/import.ts'
import { recordChange } from '#database/platform/change-log.ts'
import { headingsOf, type Mapping, recognise, rowOf, type SheetRow } from '#domain/imports/sheet.ts'
import { userMay } from '#domain/people/user-edit.ts'
import type { Handlers, TenantCall } from '#server/http/handler.ts'
import { withShownNames } from '#server/http/redact-names.ts'
import { narrowScope, seesAllGroups } from '#server/http/scope.ts'
import { wireOf } from '#server/http/wire.ts'
import { readUploadedTable } from '#server/import/table-reader.ts'
import { cellWords, kindHeadings } from './import-words.ts'
import { type ImportCall, type ImportPlan, mapInSteps, type PlannedRow } from './kind.ts'
import { kindsOfImport } from './kinds.ts'

const mostShown = 500
const mostSamples = 3

/** Whether the caller may do all that an import of a kind does. */
const mayImport = ({ user }: Pick<TenantCall, 'user'>, kind: ImportKind) =>
  importKindOf(kind).needs.every((permission) => userMay(user, permission))

/** Refuses a caller without the permissions of a kind, and a merchant without its feature. */
async function refuseKind(call: ImportCall, kind: ImportKind): Promise<void> {
  if (!mayImport(call, kind)) throw new ProductError('Forbidden')
  const { feature } = importKindOf(kind)
  if (feature) await narrowScope(call.doors, call.db.scope, { feature, groupIds: undefined })
}

/** The call on one merchant in the caller's whole scope, with what files are read by. */
async function importCall(call: TenantCall, merchantId: string): Promise<ImportCall> {
  if (merchantId === allMerchants) throw new ProductError('MerchantNotSelected')
  const { doors, user, now, live } = call
  const ofMerchant = user.scope.filter((pair) => pair.merchantId === merchantId)
  const db = withinScope(call.db, ofMerchant)
  const { currency, country } = await factsForImport(db, merchantId)
  return { db, doors, user, now, live, merchantId, currency: currency as Currency, country }
}

type Asked = TenantCall & {
  params: { merchantId: string }
  body: { kind: ImportKind; file: { data: string }; mapping?: Mapping | undefined }
}

interface Prepared {
  headings: string[]
  columns: ImportPreviewed['columns']
  mapping: Mapping
  missing: string[]
  plan: ImportPlan
}

const noPlan: ImportPlan = { rows: [], write: async () => [] }

/** Reads the file and compares it with what the merchant has, in a fixed number of statements. */
async function prepare(call: Asked, importing: ImportCall, hold: boolean): Promise<Prepared> {
  const { kind, file, mapping: asked } = call.body
  const known = kindHeadings(kind)
  const { rows, isCsv } = await readUploadedTable(Buffer.from(file.data, 'base64'), {
    mostRows: mostImportedRows,
    headings: known.plain,
  })
  const [first = [], ...cells] = rows
  const headings = first.map((cell) =>
    String(cell ?? '')
      .trim()
      .slice(0, 200),
  )
  if (!headings.some((heading) => heading !== '')) throw new ProductError('ImportUnreadable')
  const { fields } = importKindOf(kind)
  const usable = (one: Mapping) =>
    Object.fromEntries(Object.entries(one).filter(([field, at]) => field in fields && at < headings.length))
  const mapping = usable(
    asked ??
      recognise(headings, known.fields, await savedHeadings(importing.db, importing.merchantId, kind), {
        fields,
        currency: importing.currency,
      }),
  )
  const columns = headings.map((heading, at) => ({
    heading,
    samples: cells
      .slice(0, mostSamples)
      .flatMap((row) => (row[at] === null || row[at] === undefined ? [] : [String(row[at]).slice(0, 80)])),
  }))
  const missing = missingColumns(kind, mapping)
  if (missing.length > 0) return { headings, columns, mapping, missing, plan: noPlan }
  const reading = { fields, words: cellWords, currency: importing.currency, isCsv }
  const sheet = (await mapInSteps(cells, (row, at) => rowOf(row, at + 2, mapping, reading))).filter(
    (row): row is SheetRow => row !== undefined,
  )
  return { headings, columns, mapping, missing, plan: await kindsOfImport[kind].plan(importing, sheet, hold) }
}

const countsOf = (rows: readonly PlannedRow[]) => {
  const count = (outcome: PlannedRow['outcome']) => rows.reduce((sum, row) => sum + Number(row.outcome === outcome), 0)
  return { created: count('create'), updated: count('update'), same: count('same'), refused: count('refused') }
}

const plainValues = (values: Record<string, unknown> = {}) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [],
    ),
  )

/** A value as it is shown beside others: lists as a text. */
function shownValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  if (Array.isArray(value)) return value.map((one) => String(shownValue(one) ?? '')).join(', ')
  if (typeof value === 'object') return Object.values(value).map(String).join(' = ')
  return String(value)
}

const presentRow = ({ row, outcome, name, changes, faults, cells }: PlannedRow): ImportedRow => ({
  row,
  outcome,
  name,
  changes: changes.map(({ field, before, after }) => ({ field, before: shownValue(before), after: shownValue(after) })),
  faults: faults.map(({ field, rule }) => ({
    field,
    cell: cells[field]?.slice(0, 200) || null,
    rule: rule.key,
    values: plainValues(rule.values),
  })),
})

/** The order in which rows are shown. */
const shownOrder = ['refused', 'update', 'create', 'same'] as const satisfies (typeof importOutcomes)[number][]

function digestOf({ plan, mapping }: Prepared): string {
  const hash = createHash('sha256').update(JSON.stringify(mapping))
  for (const { row, outcome, facts } of plan.rows) hash.update(JSON.stringify([row, outcome, facts]))
  return hash.digest('base64url')
}

function presentPlan(prepared: Prepared): ImportPreviewed {
  const { columns, mapping, missing, plan } = prepared
  const byOutcome = Map.groupBy(plan.rows, ({ outcome }) => outcome)
  const shown = shownOrder.flatMap((outcome) => byOutcome.get(outcome) ?? []).slice(0, mostShown)
  return {
    columns,
    mapping: { ...mapping },
    missing,
    ...countsOf(plan.rows),
    rows: shown.map(presentRow),
    digest: digestOf(prepared),
  }
}

const undoUntil = ({ at, undone_at }: ImportRecord, now: Date): Date | null => {
  const until = new Date(at.getTime() + undoDays * 86_400_000)
  return undone_at || until <= now ? null : until
}

/** Imports as the caller may see them. */
async function present(call: TenantCall, records: readonly ImportRecord[]): Promise<Import[]> {
  const named = await withShownNames(call, records, 'user_id', 'user_name')
  const shown = await withShownNames(call, named, 'undone_by', 'undone_by_name')
  return shown.map((record, at) => {
    const { kind, user_name, undone_by_name } = record
    const until = undoUntil(records[at] as ImportRecord, call.now)
    return wireOf(Import, record, {
      // Only imports of kinds that this version knows are read.
      kind: kind as ImportKind,
      by: user_name,
      undoneBy: undone_by_name,
      undoUntil: until && toWire(until),
    })
  })
}

async function presentOne(call: TenantCall, id: string): Promise<Import> {
  const [shown] = await present(call, [await findImport(call.db, id)])
  if (!shown) throw new ProductError('ImportNotFound')
  return shown
}

const isDuplicate = (error: unknown) => (error as { code?: string }).code === '23505'

/** Brings records of files into a merchant: a preview, then all of its rows or none, and back again as a whole. */
export const importHandlers: Handlers<typeof imports> = {
  listImports: async (call) => {
    const { query } = call
    const allowed = importKindNames.filter((kind) => mayImport(call, kind))
    const kinds = query.kinds ? allowed.filter((kind) => query.kinds?.includes(kind)) : allowed
    const { rows, ...counted } = await listImports(call.db, { kinds }, query)
    return { items: await present(call, rows), ...counted }
  },

  previewImport: async (call) => {
    const importing = await importCall(call, call.params.merchantId)
    await refuseKind(importing, call.body.kind)
    return presentPlan(await prepare(call, importing, false))
  },

  createImport: async (call) => {
    const { db, user, now, live, body } = call
    const { merchantId } = call.params
    const importing = await importCall(call, merchantId)
    await refuseKind(importing, body.kind)
    // Of two imports at once the second one waits here, and compares its file with what the first one wrote.
    await saveHeadings(db, merchantId, body.kind, {})
    const prepared = await prepare(call, importing, true)
    if (prepared.missing.length > 0 || digestOf(prepared) !== body.digest) throw new ProductError('ImportChanged')
    const { plan, mapping, headings } = prepared
    const id = randomUUIDv7()
    const counts = countsOf(plan.rows)
    await saveHeadings(db, merchantId, body.kind, headingsOf(headings, mapping))
    const one = { merchantId, id, kind: body.kind, fileName: body.file.name, at: now, user, mapping, ...counts }
    await insertImport(db, one)
    // Another user has created one of the records since the file was compared.
    const written = await plan.write(id, body.file.name).catch((error: unknown) => {
      throw isDuplicate(error) ? new ProductError('ImportChanged') : error
    })
    await storeImported(db, { merchantId, id }, written)
    const subject = { subjectType: 'import', subjectId: id }
    const after = { kind: body.kind, fileName: body.file.name, ...counts }
    await recordChange(db, { merchantId, at: now, user, action: 'import.create', ...subject, after })
    db.afterCommit(() => live.announce(merchantId, 'import'))
    return presentOne(call, id)
  },

  undoImport: async (call) => {
    const { db, user, now, live, params } = call
    const one = await holdImport(db, params.importId)
    const kind = importKindNames.find((name) => name === one?.kind)
    if (!one || !kind) throw new ProductError('ImportNotFound')
    const { merchant_id: merchantId, id } = one
    const importing = await importCall(call, merchantId)
    await refuseKind(importing, kind)
    // Users of some groups undo their own imports: others may be about machines that they do not see.
    if (one.user_id !== user.id && !seesAllGroups(user.scope, merchantId)) throw new ProductError('Forbidden')
    if (one.undone_at) throw new ProductError('ImportUndone')
    if (one.at.getTime() + undoDays * 86_400_000 <= now.getTime()) throw new ProductError('UndoTooLate')
    await saveHeadings(db, merchantId, kind, {})
    const records = await importedRecords(db, merchantId, id)
    const restored = await kindsOfImport[kind].undo(importing, id, records)
    await followRestored(db, merchantId, id, restored)
    await markUndone(db, one, user, now)
    const before = { kind, fileName: one.file_name }
    await recordChange(db, {
      merchantId,
      at: now,
      user,
      action: 'import.undo',
      subjectType: 'import',
      subjectId: id,
      before,
    })
    db.afterCommit(() => live.announce(merchantId, 'import'))
    return presentOne(call, id)
  },
}
