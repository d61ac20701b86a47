import { z } from 'zod'
import { Serial } from '#contract/device-protocol.ts'
import { ProductError } from '#contract/errors.ts'
import { broken } from '#contract/frame/broken.ts'
import { ids } from '#contract/frame/ids.ts'
import { type MachineEdit, MachineFields } from '#contract/machines/machine.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import type { ImportedRecord, RestoredRecord } from '#database/imports/import.ts'
import { lockJournals } from '#database/ingest/journal.ts'
import {
  dropExpected,
  type ExpectedEntry,
  type ExpectedFields,
  expectedBySerial,
  expectedOfImport,
  machinesBySerial,
  putExpected,
} from '#database/machines/expected-association.ts'
import { machineKeys } from '#database/machines/machine-acts.ts'
import { type EditableMachine, machinesToCompare, machinesToEdit, namesHeld } from '#database/machines/machine-edit.ts'
import { changedFields } from '#domain/frame/editing.ts'
import { type Fault, repeatedFault, repeatedRows, type SheetRow } from '#domain/imports/sheet.ts'
import { serialKey } from '#domain/machines/serial.ts'
import { narrowScope, seesAllGroups } from '#server/http/scope.ts'
import { assignPlanogram } from '../catalogue/planogram-assignment.ts'
import { saveEdits } from '../machines/machine-edit.ts'
import { type ImportCall, type KindOfImport, mapInSteps, type PlannedRow, refuseUndo } from './kind.ts'
import { type Reference, referencesOf } from './references.ts'

/*
 * Machines join when they report: a machine that the merchant has is edited, and any other is expected, with all that it gets when it
 * associates.
 */

/** A machine that has not reported may be without a name: it has its own then. */
const fieldsOfForm = { ...MachineFields, planogramId: ids.planogramId.nullable() }
const Expected = z.strictObject({ ...fieldsOfForm, name: MachineFields.name.max(120).nullable() })
const Edited = z.strictObject(fieldsOfForm)

interface Planned extends PlannedRow {
  serial: string
  fields: ExpectedFields | undefined
  /** A machine that the merchant has. */
  machine: EditableMachine | undefined
  /** The entry of a machine that is expected already. */
  entry: ExpectedEntry | undefined
}

const nothing: ExpectedFields = {
  name: null,
  groupId: null,
  clientId: null,
  planogramId: null,
  address: null,
  sector: null,
  warrantyUntil: null,
}

const fieldsOfMachine = (machine: EditableMachine): ExpectedFields => ({
  name: machine.name,
  groupId: machine.group_id,
  clientId: machine.client_id,
  planogramId: machine.planogram_id,
  address: machine.address,
  sector: machine.sector,
  warrantyUntil: machine.warranty_until,
})
const fieldsOfEntry = (entry: ExpectedEntry): ExpectedFields => ({
  name: entry.name,
  groupId: entry.groupId,
  clientId: entry.clientId,
  planogramId: entry.planogramId,
  address: entry.address,
  sector: entry.sector,
  warrantyUntil: entry.warrantyUntil,
})

/** The columns of the file by the fields of a machine. */
const columnOf: Readonly<Record<string, string>> = {
  groupId: 'group',
  clientId: 'client',
  planogramId: 'planogram',
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

async function plan(call: ImportCall, rows: readonly SheetRow[], hold: boolean): Promise<Planned[]> {
  const { db, merchantId, now, user } = call
  const keys = rows.map(({ values }) => serialKey(text(values.serial)))
  const wanted = [...new Set(keys)].filter((key) => key !== '')
  const found = await machinesBySerial(db, merchantId, wanted)
  const reachable = [...found.values()].flatMap(({ id, isReachable }) => (isReachable ? [id] : []))
  const assigns = rows.some(({ values }) => values.planogram !== undefined)
  if (assigns) await narrowScope(call.doors, db.scope, { feature: 'vending', groupIds: undefined })
  // Stock follows the planogram; its writers lock the journals first.
  if (assigns && hold) await lockJournals(db, await machineKeys(db, reachable))
  const machines = await (hold ? machinesToEdit : machinesToCompare)(db, reachable)
  const byId = new Map(machines.map((machine) => [machine.id, machine]))
  const expected = await expectedBySerial(db, merchantId, wanted, now)
  const groupOf = await referencesOf(db, { merchantId, field: 'group', rows }, { table: 'groups', by: ['name'] })
  const clientOf = await referencesOf(
    db,
    { merchantId, field: 'client', rows },
    { table: 'clients', by: ['code', 'name'] },
  )
  const planogramOf = await referencesOf(
    db,
    { merchantId, field: 'planogram', rows },
    { table: 'planograms', by: ['name'] },
  )
  const repeated = repeatedRows(rows, (at) => keys[at] ?? '')
  const needsGroup = !seesAllGroups(user.scope, merchantId)
  const planned = await mapInSteps(rows, (sheet, at): Planned => {
    const serial = text(sheet.values.serial)
    const key = keys[at] ?? ''
    const known = found.get(key)
    const machine = known && byId.get(known.id)
    const entry = expected.get(key)
    const before = machine ? fieldsOfMachine(machine) : entry?.isReachable ? fieldsOfEntry(entry) : undefined
    const faults: Fault[] = [...sheet.faults]
    const otherRow = repeated.get(sheet.row)
    if (otherRow !== undefined) faults.unshift(repeatedFault('serial', otherRow))
    if (!Serial.safeParse(serial).success)
      faults.push({ field: 'serial', rule: broken(serial === '' ? 'required' : 'format') })
    // A machine or an entry in a group that the caller does not see.
    if ((known && !machine) || (entry && !entry.isReachable)) faults.push({ field: 'serial', rule: broken('taken') })
    const references = { groupId: groupOf(sheet), clientId: clientOf(sheet), planogramId: planogramOf(sheet) }
    const fields = { ...nothing, ...before, ...valuesOf(sheet, references, faults) }
    const isNamed = faults.some(({ field }) => field === 'group')
    if (needsGroup && fields.groupId === null && !isNamed) faults.push({ field: 'group', rule: broken('required') })
    const schema = machine ? Edited : Expected
    for (const issue of schema.safeParse(fields).error?.issues ?? []) {
      const field = String(issue.path[0])
      const column = columnOf[field] ?? field
      if (!faults.some((one) => one.field === column))
        faults.push({ field: column, rule: ruleOf(issue, valueAt(fields, issue.path)) })
    }
    const changed = changedFields({ ...fields }, { ...(before ?? nothing) })
    return {
      row: sheet.row,
      outcome: faults.length > 0 ? 'refused' : !before ? 'create' : changed.length > 0 ? 'update' : 'same',
      name: fields.name ?? serial,
      changes: changed.map((name) => shownChange(name, before, fields, references)),
      faults,
      cells: sheet.cells,
      facts: [key, machine?.version, before, fields],
      serial,
      fields: faults.length > 0 ? undefined : fields,
      machine,
      entry: entry?.isReachable ? entry : undefined,
    }
  })
  return refuseNames(call, planned)
}

/** The values that a row says; what it names and does not exist is a fault. */
function valuesOf(
  { values }: SheetRow,
  references: Readonly<Record<string, Reference | undefined>>,
  faults: Fault[],
): Partial<ExpectedFields> {
  const said: Record<string, unknown> = {}
  // A machine always has a name: an empty cell says nothing of it.
  for (const field of ['name', 'address', 'sector', 'warrantyUntil'])
    if (values[field] !== undefined && !(field === 'name' && values[field] === null)) said[field] = values[field]
  for (const [field, reference] of Object.entries(references)) {
    if (!reference) continue
    if ('fault' in reference) faults.push(reference.fault)
    else said[field] = reference.id
  }
  return said
}

/** A change as users read it: groups and clients by name; what they were before is not said by the file. */
function shownChange(
  field: string,
  before: ExpectedFields | undefined,
  after: ExpectedFields,
  references: Readonly<Record<string, Reference | undefined>>,
) {
  const reference = references[field]
  if (reference && 'name' in reference)
    return { field: columnOf[field] ?? field, before: null, after: reference.name || null }
  const name = field as keyof ExpectedFields
  return { field, before: before?.[name] ?? null, after: after[name] }
}

/** Names of machines are unique within their merchant. A machine that is expected gets another one when it associates. */
async function refuseNames({ db, merchantId }: ImportCall, planned: Planned[]): Promise<Planned[]> {
  const renamed = planned.flatMap(({ machine, fields }) =>
    machine && fields?.name && fields.name !== machine.name ? [{ merchantId, id: machine.id, after: fields.name }] : [],
  )
  const isHeld = await namesHeld(
    db,
    renamed,
    renamed.map(({ id }) => id),
  )
  const taken = new Map<string, string>()
  for (const { id, after } of renamed) if (!taken.has(after)) taken.set(after, id)
  return planned.map((row) => {
    const name = row.machine && row.fields?.name
    if (!name || name === row.machine?.name) return row
    const rule = isHeld(merchantId, name)
      ? broken('taken')
      : taken.get(name) === row.machine?.id
        ? undefined
        : broken('unique')
    return rule ? { ...row, outcome: 'refused', fields: undefined, faults: [{ field: 'name', rule }] } : row
  })
}

interface MachineChange {
  machine: EditableMachine
  fields: ExpectedFields
}

/** Edits machines, all of them or none, and returns their versions. The caller has locked the journals of machines that get another planogram. */
async function edit(call: ImportCall, changes: readonly MachineChange[]): Promise<ReadonlyMap<string, number>> {
  if (changes.length === 0) return new Map()
  const refused = await saveEdits(
    call,
    changes.map(({ machine: { id, version }, fields: { planogramId: _, ...fields } }) => ({
      id,
      version,
      // Cast: the values have passed the schema of the edit, or were a machine's.
      ...(fields as Omit<MachineEdit, 'version'>),
    })),
  )
  if (refused.size > 0) throw new ProductError('ImportChanged')
  const assigned = changes.filter(({ machine, fields }) => machine.planogram_id !== fields.planogramId)
  for (const [to, some] of Map.groupBy(assigned, ({ fields }) => fields.planogramId))
    await assignPlanogram(
      call,
      some.map(({ machine }) => machine),
      to,
    )
  const machines = await machinesToCompare(
    call.db,
    changes.map(({ machine }) => machine.id),
  )
  return new Map(machines.map(({ id, version }) => [id, version]))
}

async function write(call: ImportCall, importId: string, rows: readonly Planned[]): Promise<ImportedRecord[]> {
  const { db, merchantId, user, now, live } = call
  const written = rows.flatMap(({ outcome, fields, ...row }) =>
    (outcome === 'create' || outcome === 'update') && fields ? [{ ...row, fields }] : [],
  )
  const edited = written.flatMap(({ machine, ...row }) => (machine ? [{ ...row, machine }] : []))
  const awaited = written.filter(({ machine }) => !machine)
  const versions = await edit(call, edited)
  const at = { importId, userId: user.id, now }
  await putExpected(
    db,
    merchantId,
    awaited.map(({ serial, fields }) => expectedOfImport(serial, fields, at)),
  )
  if (awaited.length > 0) db.afterCommit(() => live.announce(merchantId, 'machine'))
  return [
    ...edited.map(({ row, name, machine }) => ({
      row,
      subject: machine.id,
      name,
      isNew: false,
      version: versions.get(machine.id) ?? machine.version,
      before: { ...fieldsOfMachine(machine), version: machine.version },
    })),
    ...awaited.map(({ row, name, serial, entry }) => ({
      row,
      subject: serialKey(serial),
      name,
      isNew: entry === undefined,
      version: 0,
      before: entry ?? null,
    })),
  ]
}

/** An entry that an import has replaced, in JSON. */
type StoredEntry = Omit<ExpectedEntry, 'createdAt' | 'expiresAt'> & { createdAt: string; expiresAt: string }
/** A machine that an import has edited. */
type StoredMachine = ExpectedFields & { version: number }

async function undo(call: ImportCall, importId: string, records: readonly ImportedRecord[]): Promise<RestoredRecord[]> {
  const { db, merchantId, now, live } = call
  const edited = records.filter(({ version }) => version > 0)
  const awaited = records.filter(({ version }) => version === 0)
  const serials = awaited.map(({ subject }) => subject)
  const associated = await machinesBySerial(db, merchantId, serials)
  refuseUndo('ImportRowsUsed', awaited, ({ subject }) => associated.has(subject))
  const entries = await expectedBySerial(db, merchantId, serials, now)
  refuseUndo('ImportRowsChanged', awaited, ({ subject }) => entries.get(subject)?.importId !== importId)
  const machineIds = edited.map(({ subject }) => subject)
  await lockJournals(db, await machineKeys(db, machineIds))
  const machines = await machinesToEdit(db, machineIds)
  const byId = new Map(machines.map((machine) => [machine.id, machine]))
  refuseUndo('ImportRowsChanged', edited, ({ subject, version }) => byId.get(subject)?.version !== version)
  // Casts: an import of machines has stored what it found.
  const changes = edited.flatMap(({ subject, before }) => {
    const machine = byId.get(subject)
    const { version: former, ...fields } = before as StoredMachine
    return machine ? [{ machine, former, fields }] : []
  })
  const versions = await edit(call, changes)
  await dropExpected(
    db,
    merchantId,
    awaited.flatMap(({ subject, isNew }) => (isNew ? [subject] : [])),
  )
  const restored = awaited.flatMap(({ before }) => (before ? [before as StoredEntry] : []))
  await putExpected(
    db,
    merchantId,
    restored.map((entry) => ({
      ...entry,
      createdAt: new Date(entry.createdAt),
      expiresAt: new Date(entry.expiresAt),
    })),
  )
  db.afterCommit(() => live.announce(merchantId, 'machine'))
  return changes.map(({ machine: { id, version }, former }) => ({
    subject: id,
    former,
    restored: versions.get(id) ?? version,
  }))
}

export const machineKind: KindOfImport = {
  plan: async (call, rows, hold) => {
    const planned = await plan(call, rows, hold)
    return { rows: planned, write: (importId) => write(call, importId, planned) }
  },
  undo,
}
