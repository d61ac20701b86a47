import { randomUUIDv7 } from 'node:crypto'
import { ProductError } from '#contract/errors.ts'
import { broken } from '#contract/frame/broken.ts'
import { mediaStatuses } from '#contract/vocabulary/media.ts'
import { mediaTypes } from '#contract/vocabulary/transaction.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { rechargeLimitsOf } from '#database/cashless/recharge-limit.ts'
import { findImport, type ImportedRecord, type RestoredRecord } from '#database/imports/import.ts'
import { deleteRecords, holdVersions } from '#database/imports/many-records.ts'
import {
  bookOpenings,
  holdOpenings,
  insertMediaOfImport,
  type MediumToImport,
  mediaToImport,
  mediaUsedSince,
  reverseOpenings,
  writeOwners,
} from '#database/imports/opening.ts'
import { recordChanges } from '#database/platform/change-log.ts'
import { mediaSerialOf } from '#domain/cashless/media-serial.ts'
import { type Fault, repeatedFault, repeatedRows, type SheetRow } from '#domain/imports/sheet.ts'
import {
  type Change,
  type ImportCall,
  type KindOfImport,
  mapInSteps,
  type PlannedRow,
  refuseUndo,
  restoredOf,
} from './kind.ts'
import { type Reference, referencesOf } from './references.ts'

/* Media with the balances that they had elsewhere. A balance is booked once for each medium, whatever file names it again. */

interface Planned extends PlannedRow {
  serial: string
  medium: MediumToImport | undefined
  type: number
  /** Undefined: the file says nothing of it. */
  customerId: string | null | undefined
  opening: { credit: number; bonus: number } | undefined
}

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
const amountOf = (value: unknown) => (typeof value === 'number' ? value : 0)

async function plan(call: ImportCall, rows: readonly SheetRow[]): Promise<Planned[]> {
  const { db, merchantId, currency } = call
  const serials = rows.map(({ values }) => mediaSerialOf(text(values.serial)))
  const media = await mediaToImport(db, merchantId, [...new Set(serials.flatMap((serial) => serial ?? []))])
  const customerOf = await referencesOf(
    db,
    { merchantId, field: 'customer', rows },
    { table: 'customers', by: ['email', 'externalUserId', 'name'] },
  )
  const { largestBalance } = (await rechargeLimitsOf(db, merchantId)).limits
  const inUnits = largestBalance / 10 ** currencies[currency].storageDigits
  const repeated = repeatedRows(rows, (at) => serials[at] ?? '')
  return mapInSteps(rows, (sheet, at): Planned => {
    const { values } = sheet
    const serial = serials[at]
    const medium = media.get(serial ?? '')
    const faults: Fault[] = [...sheet.faults]
    const otherRow = repeated.get(sheet.row)
    if (otherRow !== undefined) faults.unshift(repeatedFault('serial', otherRow))
    if (!serial) faults.push({ field: 'serial', rule: broken(text(values.serial) === '' ? 'required' : 'format') })
    if (medium?.status === mediaStatuses.lostKey) faults.push({ field: 'serial', rule: broken('mediumLost') })
    const asked = { credit: amountOf(values.credit), bonus: amountOf(values.bonus) }
    for (const field of ['credit', 'bonus'] as const)
      if (asked[field] < 0) faults.push({ field, rule: broken('minimumZero') })
    const sum = asked.credit + asked.bonus
    const { opening } = medium ?? {}
    const isOther = sum > 0 && opening && (opening.credit !== asked.credit || opening.bonus !== asked.bonus)
    if (isOther)
      faults.push({ field: asked.credit === opening.credit ? 'bonus' : 'credit', rule: broken('openingBooked') })
    const isNew = sum > 0 && !opening
    if (isNew && (medium?.balance ?? 0) + sum > largestBalance)
      faults.push({ field: 'credit', rule: broken('maximum', { maxValue: inUnits }) })
    const reference = customerOf(sheet)
    if (reference && 'fault' in reference) faults.push(reference.fault)
    const owner = reference && 'id' in reference ? reference : undefined
    // An empty cell takes no owner away: a list of cards often has none.
    const customerId = owner?.id && owner.id !== medium?.customerId ? owner.id : undefined
    const changes = changesOf(medium, isNew ? asked : undefined, customerId ? reference : undefined)
    return {
      row: sheet.row,
      outcome: faults.length > 0 ? 'refused' : !medium ? 'create' : changes.length > 0 ? 'update' : 'same',
      name: serial ?? text(values.serial),
      changes,
      faults,
      cells: sheet.cells,
      facts: [medium?.id, medium?.version, medium?.balance, opening, asked, customerId, values.type],
      serial: serial ?? '',
      medium,
      type: typeof values.type === 'number' ? values.type : mediaTypes.key,
      customerId,
      opening: isNew ? asked : undefined,
    }
  })
}

function changesOf(
  medium: MediumToImport | undefined,
  opening: { credit: number; bonus: number } | undefined,
  owner: Reference | undefined,
): Change[] {
  return [
    ...(['credit', 'bonus'] as const).flatMap((field): Change[] =>
      opening && opening[field] > 0 ? [{ field, before: medium ? null : 0, after: opening[field] }] : [],
    ),
    ...(owner && 'name' in owner ? [{ field: 'customer', before: null, after: owner.name }] : []),
  ]
}

const entryOf = ({ merchantId, now, user }: ImportCall, action: string, subjectId: string) => ({
  merchantId,
  at: now,
  user,
  action: `media.${action}`,
  subjectType: 'media',
  subjectId,
})

async function write(
  call: ImportCall,
  { importId, fileName }: { importId: string; fileName: string },
  rows: readonly Planned[],
): Promise<ImportedRecord[]> {
  const { db, merchantId, user, now, live } = call
  const written = rows
    .filter(({ outcome }) => outcome === 'create' || outcome === 'update')
    .map((row) => ({ ...row, id: row.medium?.id ?? randomUUIDv7() }))
  const created = written.filter(({ medium }) => !medium)
  await insertMediaOfImport(
    db,
    merchantId,
    created.map(({ id, serial, type, customerId = null }) => ({ id, serial, type, customerId })),
    now,
  )
  const openings = written.flatMap(({ id, opening }) => (opening ? [{ mediaId: id, ...opening }] : []))
  await bookOpenings(db, merchantId, openings, { importId, user, note: fileName.slice(0, 500), now })
  const owned = written.flatMap(({ id, medium, customerId }) =>
    medium && customerId ? [{ id, medium, customerId }] : [],
  )
  await writeOwners(db, merchantId, owned)
  await recordChanges(db, [
    ...created.map(({ id, serial, type, opening }) => ({
      ...entryOf(call, 'create', id),
      after: { serial, type, ...opening },
    })),
    ...owned.map(({ id, medium, customerId }) => ({
      ...entryOf(call, 'setCustomer', id),
      before: { customerId: medium.customerId },
      after: { customerId },
    })),
  ])
  db.afterCommit(() => live.announce(merchantId, 'media'))
  return written.map(({ row, name, id, medium, customerId }) => ({
    row,
    subject: id,
    name,
    isNew: !medium,
    version: (medium?.version ?? 1) + (medium && customerId ? 1 : 0),
    before: medium && customerId ? { customerId: medium.customerId } : null,
  }))
}

async function undo(call: ImportCall, importId: string, records: readonly ImportedRecord[]): Promise<RestoredRecord[]> {
  const { db, merchantId, user, now, live } = call
  const ids = records.map(({ subject }) => subject)
  // Accounts before media, as in every act on a medium.
  const openings = await holdOpenings(db, merchantId, importId, ids)
  const versions = await holdVersions(db, 'medias', merchantId, ids)
  refuseUndo('ImportRowsChanged', records, ({ subject, version }) => versions.get(subject) !== version)
  const { at, file_name } = await findImport(db, importId)
  const used = await mediaUsedSince(db, merchantId, importId, at, ids)
  refuseUndo('ImportRowsUsed', records, ({ subject }) => used.has(subject))
  await reverseOpenings(db, merchantId, openings, { importId, user, note: file_name.slice(0, 500), now })
  // Casts: an import of media has stored the former owner.
  const owners = records.flatMap(({ subject, before }) =>
    before ? [{ id: subject, ...(before as { customerId: string | null }) }] : [],
  )
  await writeOwners(db, merchantId, owners)
  const created = records.filter(({ isNew }) => isNew).map(({ subject }) => subject)
  await deleteRecords(db, 'medias', merchantId, created).catch((error: unknown) => {
    // A claim, a link or a finding refers to one of them.
    throw (error as { code?: string }).code === '23503'
      ? new ProductError('ImportRowsUsed', { count: 1, names: '' })
      : error
  })
  await recordChanges(
    db,
    owners.map(({ id, customerId }) => ({ ...entryOf(call, 'setCustomer', id), after: { customerId } })),
  )
  db.afterCommit(() => live.announce(merchantId, 'media'))
  return restoredOf(records)
}

export const mediaKind: KindOfImport = {
  plan: async (call, rows) => {
    const planned = await plan(call, rows)
    return { rows: planned, write: (importId, fileName) => write(call, { importId, fileName }, planned) }
  },
  undo,
}
