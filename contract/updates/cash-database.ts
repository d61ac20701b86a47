import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { recordOf } from '../frame/record-of.ts'
import { Flag, LineText, oneOrMany, paged, pageOf, Search } from '../frame/shapes.ts'
import { DeviceType } from '../vocabulary/device.ts'
import { Peripheral } from '../vocabulary/remote-command.ts'
import { Currency } from '../vocabulary/world/currencies.ts'
import { largestUpdateFile, UpdateFile, UploadQuery, uploadFaults } from './update-file.ts'

/** A database's version as its maker writes it. */
export const DatabaseRelease = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[\w.+-]+$/, saying('format'))

/** Coins and notes that a currency's machines accept, or a database of a peripheral. */
export const NewCashDatabase = z.strictObject({
  name: LineText.trim().min(1).max(120),
  /** Once per merchant and peripheral, ignoring case. */
  release: DatabaseRelease,
  currency: Currency,
  deviceTypes: z
    .array(DeviceType)
    .min(1)
    .refine((all) => new Set(all).size === all.length, saying('choice')),
  /** The part of the machine that it is for; null for the machine's own cash database. */
  peripheral: Peripheral.nullable().default(null),
})
export type NewCashDatabase = z.output<typeof NewCashDatabase>

export const CashDatabase = recordOf(NewCashDatabase, {
  /** Null until it is uploaded; without it the database cannot be sent. */
  file: UpdateFile.nullable(),
})
export type CashDatabase = z.infer<typeof CashDatabase>

export const CashDatabaseFilters = z.strictObject({
  /** A part of the name or the version. */
  search: Search.optional(),
  currencies: oneOrMany(Currency),
  deviceTypes: oneOrMany(DeviceType),
  peripherals: oneOrMany(Peripheral),
  /** Whether it is for the machine, not for a peripheral. */
  isMachines: Flag.optional(),
  hasFile: Flag.optional(),
})
export type CashDatabaseFilters = z.infer<typeof CashDatabaseFilters>

export const cashDatabaseColumns = {
  name: { kind: 'text', heading: 'cash-database:field.name' },
  release: { kind: 'text', heading: 'cash-database:field.release' },
  merchant: { kind: 'text', heading: 'cash-database:column.merchant' },
  currency: { kind: 'text', heading: 'cash-database:field.currency' },
  deviceTypes: { kind: 'words', heading: 'cash-database:field.deviceTypes', of: 'deviceType' },
  peripheral: { kind: 'word', heading: 'cash-database:field.peripheral', of: 'peripheral' },
  file: { kind: 'number', heading: 'cash-database:column.file' },
  createdAt: { kind: 'instant', heading: 'cash-database:column.created' },
  id: { kind: 'plain', heading: 'cash-database:column.id' },
} as const satisfies ListColumns

export const cashDatabaseOrds = ordsOf(cashDatabaseColumns, 'name')

const feature = 'cashDatabaseUpdate'

export const cashDatabases = {
  listCashDatabases: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/cash-databases',
    summary: 'List cash databases',
    needs: 'cashDatabase.read',
    feature,
    topics: ['cashDatabase'],
    query: CashDatabaseFilters.extend(paged(cashDatabaseOrds)),
    ok: pageOf(CashDatabase),
  }),
  getCashDatabase: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/cash-databases/{cashDatabaseId}',
    summary: 'Get a cash database',
    needs: 'cashDatabase.read',
    feature,
    topics: ['cashDatabase'],
    ok: CashDatabase,
    fails: ['CashDatabaseNotFound'],
  }),
  createCashDatabase: endpoint({
    method: 'POST',
    path: '/merchants/{merchantId}/cash-databases',
    summary: 'Create a cash database; its file is uploaded afterwards',
    needs: 'cashDatabase.write',
    feature,
    body: NewCashDatabase,
    ok: CashDatabase,
    status: 201,
    fails: ['MerchantNotSelected', 'DatabaseVersionAlreadyRegistered'],
  }),
  updateCashDatabase: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/cash-databases/{cashDatabaseId}',
    summary: 'Update a cash database',
    needs: 'cashDatabase.write',
    feature,
    body: editOf(NewCashDatabase),
    ok: CashDatabase,
    fails: ['CashDatabaseNotFound', 'DatabaseVersionAlreadyRegistered', 'EditConflict'],
  }),
  deleteCashDatabase: endpoint({
    method: 'DELETE',
    path: '/merchants/{merchantId}/cash-databases/{cashDatabaseId}',
    summary: 'Delete a cash database that nothing uses, with its file',
    needs: 'cashDatabase.write',
    feature,
    fails: ['CashDatabaseNotFound', 'CashDatabaseInUse'],
  }),
}

/** Beside the calls of a record. */
export const cashDatabaseFiles = {
  uploadCashDatabaseFile: endpoint({
    method: 'PUT',
    path: '/merchants/{merchantId}/cash-databases/{cashDatabaseId}/file',
    summary: 'Save the file of a cash database, in place of the current file',
    needs: 'cashDatabase.write',
    feature,
    query: UploadQuery,
    ok: CashDatabase,
    takes: 'application/octet-stream',
    longestBody: largestUpdateFile,
    fails: ['CashDatabaseNotFound', 'CashDatabaseInUse', ...uploadFaults],
    tooLarge: 'UpdateFileTooLarge',
  }),
}

/** The list as a file. */
export const exportedCashDatabases = {
  row: cashDatabases.listCashDatabases,
  filters: CashDatabaseFilters,
  ords: cashDatabaseOrds,
  columns: cashDatabaseColumns,
} as const satisfies ExportedList
