import { type RawBuilder, sql } from 'kysely'
import { reconciledDayCount, reconciledDays } from '../audits/reconciliation.ts'
import { type ExportSource, fieldsOf, homeOf } from './source.ts'

const amount = (column: string, value: RawBuilder<unknown>) =>
  ({ heading: `reconciliation:column.${column}`, kind: 'amount', sql: value }) as const
const vends = (column: string, value: RawBuilder<unknown>) =>
  ({ heading: `export:column.${column}`, kind: 'number', sql: value }) as const

/** Without a read a day that is not over at the machine has missed none. */
const shownState = sql`case when listed.state = 'notRead' and listed.day_ends > now() then 'notYet' else listed.state end`

/** Machine by machine and day by day: audited, transmitted and reported money. What is not known is empty. */
export const reconciledDaysSource: ExportSource<'reconciledDays'> = {
  ...homeOf('listed'),
  merchant: sql`listed.merchant_name`,
  columns: {
    day: { day: { heading: 'reconciliation:column.day', kind: 'plain', sql: sql`listed.day` } },
    machine: {
      machine: { heading: 'reconciliation:column.machine', kind: 'text', sql: sql`listed.machine_name` },
      serial: { heading: 'alarm:fact.serial', kind: 'text', sql: sql`listed.serial` },
    },
    state: {
      state: { heading: 'reconciliation:column.state', kind: 'word', of: 'dayAgreement', sql: shownState },
      counters: {
        heading: 'reconciliation:section.counters',
        kind: 'words',
        of: 'intervalKind',
        sql: sql`array_remove(listed.kinds, 'counted')`,
      },
      coveredBy: { heading: 'export:column.coveredBy', kind: 'instant', sql: sql`listed.spanned_at` },
    },
    audited: {
      audited: amount('audited', sql`listed.sold_value`),
      auditedVends: vends('auditedVends', sql`listed.sold_count`),
    },
    transmitted: {
      transmitted: amount('transmitted', sql`listed.sent_value`),
      transmittedVends: vends('transmittedVends', sql`listed.sent_count`),
    },
    difference: {
      difference: amount('difference', sql`(listed.sold_value - listed.sent_value)`),
      differenceVends: vends('differenceVends', sql`(listed.sold_count - listed.sent_count)`),
    },
    cashIn: { cashIn: amount('cashIn', sql`listed.cash_in`) },
    cashReported: { cashReported: amount('cashReported', sql`listed.taken`) },
    cashDifference: { cashDifference: amount('cashDifference', sql`(listed.cash_in - listed.taken)`) },
    boxDifference: { boxDifference: amount('boxDifference', sql`(listed.to_box - listed.boxed)`) },
    reads: { reads: { heading: 'reconciliation:column.reads', kind: 'number', sql: sql`listed.reads` } },
    stretch: {
      from: { heading: 'export:column.from', kind: 'instant', sql: sql`listed.begins_at` },
      to: { heading: 'export:column.to', kind: 'instant', sql: sql`listed.ends_at` },
    },
  },
  open: async (db, { filter, ordType }) => ({
    select: (what, limit) =>
      reconciledDays(db, filter, fieldsOf(what), {
        ordType,
        limits: limit === undefined ? sql`` : sql`limit ${limit}`,
      }),
    count: reconciledDayCount(db, filter),
  }),
}
