import { sql } from 'kysely'
import { dayOrder, reconciledDayCount, reconciledDays } from '../audits/reconciled-day.ts'
import { columnsOf } from '../frame/export/columns.ts'
import { type ExportSource, fieldsOf, homeOf } from '../frame/export/source.ts'

/** A day that has not ended at the machine has no missing reading yet. */
const shownState = sql`case when listed.state = 'notRead' and listed.day_ends > now() then 'notYet' else listed.state end`

/** Audited, transmitted and reported money per machine and day. Unknown values are empty. */
export const reconciledDaysSource: ExportSource<'reconciledDays'> = {
  ...homeOf('listed'),
  merchant: sql`listed.merchant_name`,
  columns: columnsOf('reconciledDays', {
    day: sql`listed.day`,
    machine: sql`listed.machine_name`,
    serial: sql`listed.serial`,
    state: shownState,
    counters: sql`array_remove(listed.kinds, 'counted')`,
    coveredBy: sql`listed.spanned_at`,
    audited: sql`listed.sold_value`,
    auditedVends: sql`listed.sold_count`,
    transmitted: sql`listed.sent_value`,
    transmittedVends: sql`listed.sent_count`,
    difference: sql`(listed.sold_value - listed.sent_value)`,
    differenceVends: sql`(listed.sold_count - listed.sent_count)`,
    cashIn: sql`listed.cash_in`,
    cashReported: sql`listed.taken`,
    cashDifference: sql`(listed.cash_in - listed.taken)`,
    boxDifference: sql`(listed.to_box - listed.boxed)`,
    reads: sql`listed.reads`,
    from: sql`listed.begins_at`,
    to: sql`listed.ends_at`,
  }),
  open: async (db, { filter, ord, ordType }) => ({
    order: dayOrder({ ord, ordType }),
    select: (what, limit) =>
      reconciledDays(db, filter, fieldsOf(what), {
        ord,
        ordType,
        limits: limit === undefined ? sql`` : sql`limit ${limit}`,
      }),
    count: reconciledDayCount(db, filter),
  }),
}
