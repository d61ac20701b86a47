import { z } from 'zod'
import { saying } from '../frame/broken.ts'
import { editOf } from '../frame/editing.ts'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { withOptionalTotals } from '../frame/list-totals.ts'
import { recordOf } from '../frame/record-of.ts'
import {
  Day,
  Instant,
  LineText,
  MinorUnits,
  oneOrMany,
  optionalPeriod,
  paged,
  pageOf,
  Search,
  Text,
} from '../frame/shapes.ts'
import { CollectionStatus, DepositStatus } from '../vocabulary/cash.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/** The most collections in one deposit. */
export const mostDeposited = 500
/** The largest amount of a deposit, in minor units. */
const mostMoney = 1_000_000_000_000

/** Money that is taken to the bank, as users create and edit it. */
export const NewDeposit = z.strictObject({
  /** When it is taken to the bank. */
  day: Day,
  /** The number of the deposit slip; unique within its merchant, ignoring case. */
  reference: LineText.trim().min(1).max(60),
  /** What the slip says, in minor units. */
  amount: MinorUnits.min(1).max(mostMoney),
  /** The counted collections whose money it is. */
  collectionIds: z
    .array(ids.collectionId)
    .max(mostDeposited)
    .refine((all) => new Set(all).size === all.length, saying('unique'))
    .default([]),
  /** What the bank credited; null as long as the bank statement lacks it. */
  credited: MinorUnits.min(0).max(mostMoney).nullable().default(null),
  /** The booking day of the credit. */
  creditedOn: Day.nullable().default(null),
  note: Text.trim().min(1).max(1000).nullable().default(null),
})
export type NewDeposit = z.output<typeof NewDeposit>

/** A collection of a deposit. */
export const DepositedCollection = z.strictObject({
  id: z.uuid(),
  posId: z.uuid(),
  posName: z.string(),
  at: Instant,
  bagNumber: z.string().nullable(),
  status: CollectionStatus,
  counted: MinorUnits,
})
export type DepositedCollection = z.infer<typeof DepositedCollection>

export const Deposit = recordOf(NewDeposit, {
  currency: Currency,
  status: DepositStatus,
  collectionCount: z.int(),
  /** What was counted of its collections, as their counts are now. */
  counted: MinorUnits,
  /** The slip minus what was counted: negative for money that was kept, for example as change. */
  difference: MinorUnits,
  /** What the bank credited minus the slip. */
  bankDifference: MinorUnits.nullable(),
  /** The oldest first. */
  collections: z.array(DepositedCollection),
})
export type Deposit = z.infer<typeof Deposit>

export const DepositRow = Deposit.omit({ collectionIds: true, collections: true })
export type DepositRow = z.infer<typeof DepositRow>

export const DepositFilters = z.strictObject({
  /** In the slip's number and the note. */
  search: Search.optional(),
  statuses: oneOrMany(DepositStatus),
  ...optionalPeriod,
})
export type DepositFilters = z.infer<typeof DepositFilters>

export const depositColumns = {
  day: { kind: 'day', heading: 'deposit:field.day' },
  reference: { kind: 'text', heading: 'deposit:field.reference' },
  merchant: { kind: 'text', heading: 'deposit:column.merchant' },
  status: { kind: 'status', heading: 'deposit:column.status', of: 'depositStatus' },
  collectionCount: { kind: 'number', heading: 'deposit:column.collections' },
  counted: { kind: 'amount', heading: 'deposit:column.counted' },
  amount: { kind: 'amount', heading: 'deposit:field.amount' },
  difference: { kind: 'amount', heading: 'deposit:column.difference' },
  credited: { kind: 'amount', heading: 'deposit:field.credited' },
  creditedOn: { kind: 'day', heading: 'deposit:field.creditedOn' },
  bankDifference: { kind: 'amount', heading: 'deposit:column.bankDifference' },
  note: { kind: 'text', heading: 'deposit:field.note' },
  createdAt: { kind: 'instant', heading: 'deposit:column.created' },
  id: { kind: 'plain', heading: 'deposit:column.id' },
} as const satisfies ListColumns

export const depositOrds = ordsOf(depositColumns, 'day')

const many = '/merchants/{merchantId}/deposits' as const
const one = '/merchants/{merchantId}/deposits/{depositId}' as const
const fails = [
  'DepositReferenceTaken',
  'CollectionNotFound',
  'CollectionNotCounted',
  'CollectionDeposited',
  'ValidationFailed',
] as const

export const deposits = {
  listDeposits: endpoint({
    method: 'GET',
    path: many,
    summary: 'List bank deposits with what was counted, deposited and credited',
    needs: 'deposit.read',
    topics: ['deposit', 'collection'],
    query: DepositFilters.extend(paged(depositOrds)),
    ok: pageOf(DepositRow).extend(withOptionalTotals),
    fails: ['PeriodReversed'],
  }),
  getDeposit: endpoint({
    method: 'GET',
    path: one,
    summary: 'Get a bank deposit with its collections',
    needs: 'deposit.read',
    topics: ['deposit', 'collection'],
    ok: Deposit,
    fails: ['DepositNotFound'],
  }),
  createDeposit: endpoint({
    method: 'POST',
    path: many,
    summary: 'Create a bank deposit of counted collections',
    needs: 'deposit.write',
    body: NewDeposit,
    ok: Deposit,
    status: 201,
    fails: ['MerchantNotSelected', ...fails],
  }),
  updateDeposit: endpoint({
    method: 'PUT',
    path: one,
    summary: 'Update a bank deposit, or enter what the bank credited',
    needs: 'deposit.write',
    body: editOf(NewDeposit),
    ok: Deposit,
    fails: ['DepositNotFound', 'EditConflict', ...fails],
  }),
  deleteDeposit: endpoint({
    method: 'DELETE',
    path: one,
    summary: 'Delete a bank deposit; its collections can be deposited again',
    needs: 'deposit.write',
    fails: ['DepositNotFound'],
  }),
}

/** The list as a file. */
export const exportedDeposits = {
  row: deposits.listDeposits,
  filters: DepositFilters,
  ords: depositOrds,
  columns: depositColumns,
} as const satisfies ExportedList
