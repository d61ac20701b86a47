import { z } from 'zod'
import { endpoint } from '../frame/endpoint.ts'
import type { ExportedList } from '../frame/exported-list.ts'
import { ids } from '../frame/ids.ts'
import { type ListColumns, ordsOf } from '../frame/list-columns.ts'
import { ListTotal } from '../frame/list-totals.ts'
import { Day, Instant, MinorUnits, oneOrMany, paged, pageOf, period } from '../frame/shapes.ts'
import {
  AccountIdentity,
  Agreement,
  AuditCounter,
  CounterStep,
  DayAgreement,
  IntervalKind,
  ReconciliationLineName,
} from '../vocabulary/audit.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/*
 * Audited against transmitted and reported money. Amounts are minor units of the merchant's currency, but for
 * the counters of an audit that names another one. Null always means "not
 * known", never zero.
 */

/** Pieces and money; free and test vends have no money, contents of boxes no pieces. */
export const Quantity = z.strictObject({ count: z.int().nullable(), value: MinorUnits.nullable() })
export type Quantity = z.infer<typeof Quantity>

/** One line of the comparison. `difference` is audited minus other: positive where the machine counted more than arrived. */
export const ReconciliationLine = z.strictObject({
  name: ReconciliationLineName,
  audited: Quantity,
  other: Quantity,
  difference: Quantity,
  state: Agreement,
})
export type ReconciliationLine = z.infer<typeof ReconciliationLine>

/** The interval between two audits, compared with the transmitted sales. `from` is null for the first audit. */
export const AuditInterval = z.strictObject({
  kind: IntervalKind,
  from: Instant.nullable(),
  fromAuditId: z.uuid().nullable(),
  to: Instant,
  state: Agreement,
  lines: z.array(ReconciliationLine),
})
export type AuditInterval = z.infer<typeof AuditInterval>

/** One counter at both readings, and its movement between them. */
export const CounterMove = z.strictObject({
  counter: AuditCounter,
  before: Quantity,
  now: Quantity,
  step: CounterStep,
  moved: Quantity,
})
export type CounterMove = z.infer<typeof CounterMove>

/** A selection in the interval. `name` is the audit's own; `soldAs` is the name in transmitted sales. */
export const SelectionMove = z.strictObject({
  selection: z.string(),
  name: z.string().nullable(),
  soldAs: z.string().nullable(),
  price: MinorUnits.nullable(),
  step: CounterStep,
  audited: Quantity,
  transmitted: Quantity,
  state: Agreement,
})
export type SelectionMove = z.infer<typeof SelectionMove>

/** Two sums that should match. `holds` is null where the audit does not report enough to compare. */
export const IdentityCheck = z.strictObject({
  identity: AccountIdentity,
  left: z.int().nullable(),
  right: z.int().nullable(),
  /** Whether the sums are money; otherwise they count vends. */
  isMoney: z.boolean(),
  holds: z.boolean().nullable(),
})
export type IdentityCheck = z.infer<typeof IdentityCheck>

export const AuditReconciliation = z.strictObject({
  /** The merchant's, in which sales arrive. */
  currency: Currency,
  /** The audit's own currency, for its counters, identities and selections. Null: unknown here. */
  auditCurrency: Currency.nullable(),
  interval: AuditInterval,
  counters: z.array(CounterMove),
  selections: z.array(SelectionMove),
  /** For all counters since the start, and for the interval. */
  identities: z.strictObject({ atRead: z.array(IdentityCheck), between: z.array(IdentityCheck) }),
})
export type AuditReconciliation = z.infer<typeof AuditReconciliation>

/**
 * A machine's day: the reads that end on it, from the read before them to the last of them. Where none does, the transmitted side is
 * that of the calendar day, and `spannedBy` is the read that covers it later.
 */
export const ReconciledDay = z.strictObject({
  posId: z.uuid(),
  posName: z.string(),
  posSerial: z.string(),
  merchantId: z.uuid(),
  merchantName: z.string(),
  timeZone: z.string(),
  currency: Currency,
  day: Day,
  state: DayAgreement,
  reads: z.int(),
  kinds: z.array(IntervalKind),
  from: Instant.nullable(),
  to: Instant.nullable(),
  /** The audit that shows the day's state: of a day that differs the last read that differs itself, otherwise the day's last read. */
  auditId: z.uuid().nullable(),
  spannedBy: z.strictObject({ auditId: z.uuid(), at: Instant }).nullable(),
  lines: z.array(ReconciliationLine),
})
export type ReconciledDay = z.infer<typeof ReconciledDay>

export const ReconciledDayFilters = z.strictObject({
  ...period,
  groupIds: oneOrMany(ids.groupId),
  posIds: oneOrMany(ids.pastPosId),
  states: oneOrMany(DayAgreement),
})
export type ReconciledDayFilters = z.infer<typeof ReconciledDayFilters>

/** Maximum days of one query: a filter by difference compares every machine-day of them. */
export const reconciledDaysAtMost = 31

export const reconciledDayColumns = {
  day: { kind: 'day', heading: 'reconciliation:column.day' },
  machine: {
    facts: {
      machine: { kind: 'text', heading: 'reconciliation:column.machine' },
      serial: { kind: 'text', heading: 'alarm:fact.serial' },
    },
  },
  state: {
    facts: {
      state: { kind: 'word', heading: 'reconciliation:column.state', of: 'dayAgreement' },
      counters: { kind: 'words', heading: 'reconciliation:section.counters', of: 'intervalKind' },
      coveredBy: { kind: 'instant', heading: 'export:column.coveredBy' },
    },
  },
  audited: {
    facts: {
      audited: { kind: 'amount', heading: 'reconciliation:column.audited' },
      auditedVends: { kind: 'number', heading: 'export:column.auditedVends' },
    },
  },
  transmitted: {
    facts: {
      transmitted: { kind: 'amount', heading: 'reconciliation:column.transmitted' },
      transmittedVends: { kind: 'number', heading: 'export:column.transmittedVends' },
    },
  },
  difference: {
    facts: {
      difference: { kind: 'amount', heading: 'reconciliation:column.difference' },
      differenceVends: { kind: 'number', heading: 'export:column.differenceVends' },
    },
  },
  cashIn: { kind: 'amount', heading: 'reconciliation:column.cashIn' },
  cashReported: { kind: 'amount', heading: 'reconciliation:column.cashReported' },
  cashDifference: { kind: 'amount', heading: 'reconciliation:column.cashDifference' },
  boxDifference: { kind: 'amount', heading: 'reconciliation:column.boxDifference' },
  reads: { kind: 'number', heading: 'reconciliation:column.reads' },
  stretch: {
    heading: 'reconciliation:column.stretch',
    facts: {
      from: { kind: 'instant', heading: 'export:column.from' },
      to: { kind: 'instant', heading: 'export:column.to' },
    },
  },
} as const satisfies ListColumns

/**
 * By state, days that differ are first, the largest differences before. A difference counts in either direction. Of more than 5,000 days of
 * machines, an order by state or figure is that of the newest days.
 */
export const reconciledDayOrds = ordsOf(reconciledDayColumns, 'day')

/** Days of machines that are compared for one answer. An order by state or figure of more days is that of the newest. */
export const mostComparedDays = 5000

export const reconciliations = {
  getAuditReconciliation: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/{posId}/audits/{auditId}/reconciliation',
    summary: 'Get the reconciliation of an audit since the previous reading',
    needs: 'audit.read',
    topics: ['audit', 'transaction'],
    ok: AuditReconciliation,
    fails: ['MachineNotFound', 'AuditNotFound', 'CountedBlind'],
  }),
  listReconciledDays: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/audits/days',
    summary: 'List reconciled days by machine: audited, transmitted and reported money',
    needs: 'audit.read',
    topics: ['audit'],
    query: ReconciledDayFilters.extend(paged(reconciledDayOrds)),
    ok: pageOf(ReconciledDay),
    fails: ['PeriodReversed', 'PeriodTooLong'],
  }),
  totalReconciledDays: endpoint({
    method: 'GET',
    path: '/merchants/{merchantId}/pos/audits/days/totals',
    summary: 'Get the sums of all matching reconciled days by currency; null for more than 5,000 days of machines',
    needs: 'audit.read',
    topics: ['audit'],
    query: ReconciledDayFilters,
    ok: z.array(ListTotal).nullable(),
    fails: ['PeriodReversed', 'PeriodTooLong'],
  }),
}

/** The list as a file. */
export const exportedReconciledDays = {
  row: reconciliations.listReconciledDays,
  filters: ReconciledDayFilters,
  ords: reconciledDayOrds,
  columns: reconciledDayColumns,
} as const satisfies ExportedList
