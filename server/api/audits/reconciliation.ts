import {
  type AuditInterval,
  type CounterMove,
  ReconciledDay,
  type reconciliations,
  type SelectionMove,
} from '#contract/audits/reconciliation.ts'
import { ProductError } from '#contract/errors.ts'
import { toWire, toWireOrNull } from '#contract/frame/instant.ts'
import { auditCounters } from '#contract/vocabulary/audit.ts'
import { findAudit, readingCurrency } from '#database/audits/audit.ts'
import { type CounterRead, findInterval } from '#database/audits/audit-interval.ts'
import { type DayRecord, listReconciledDays, totalReconciledDays } from '#database/audits/reconciled-day.ts'
import {
  type IntervalSums,
  reconcileAudits,
  type Sums,
  transmittedBySelection,
} from '#database/audits/reconciliation.ts'
import { identitiesAtRead, identitiesBetween } from '#domain/audits/account-identities.ts'
import type { Counted } from '#domain/audits/audit-counters.ts'
import { type Interval, intervalBetween, through } from '#domain/audits/audit-interval.ts'
import { compare, compareAll } from '#domain/audits/reconciliation.ts'
import { nameAmong } from '#domain/frame/selection-name.ts'
import type { Handlers } from '#server/http/handler.ts'
import { refuseBoxes, refuseManyDays } from '#server/http/refuse.ts'
import { posOf, wireOf } from '#server/http/wire.ts'

const linesOf = (sums: Sums) =>
  compareAll({
    sales: {
      audited: { count: sums.sold_count, value: sums.sold_value },
      other: { count: sums.sent_count, value: sums.sent_value },
    },
    cashSales: {
      audited: { count: sums.cash_count, value: sums.cash_value },
      other: { count: sums.sent_cash_count, value: sums.sent_cash_value },
    },
    otherSales: {
      audited: { count: sums.other_count, value: sums.other_value },
      other: { count: sums.sent_other_count, value: sums.sent_other_value },
    },
    cashIn: { audited: { count: null, value: sums.cash_in }, other: { count: null, value: sums.taken } },
    toBox: { audited: { count: null, value: sums.to_box }, other: { count: null, value: sums.boxed } },
    freeVends: { audited: { count: sums.free_count, value: null }, other: { count: sums.sent_free, value: null } },
    testVends: { audited: { count: sums.test_count, value: null }, other: { count: sums.sent_test, value: null } },
  })

/** For readers who count blind. */
const noBoxes = { cash_in: null, taken: null, to_box: null, boxed: null }

/** The interval before an audit, both sides. Without a comparison, nothing was summed. */
export const presentInterval = (row: IntervalSums, seesBoxes: boolean): AuditInterval => ({
  kind: row.kind,
  from: toWireOrNull(row.begins_at),
  fromAuditId: row.begin_audit_id,
  to: toWire(row.ends_at),
  state: row.state,
  lines: row.begins_at ? linesOf(seesBoxes ? row : { ...row, ...noBoxes }) : [],
})

const presentDay = (row: DayRecord): ReconciledDay =>
  wireOf(ReconciledDay, row, {
    ...posOf(row),
    day: row.local_day,
    kinds: row.kinds ?? [],
    from: toWireOrNull(row.begins_at),
    to: toWireOrNull(row.ends_at),
    spannedBy: row.spanned_by && row.spanned_at ? { auditId: row.spanned_by, at: toWire(row.spanned_at) } : null,
    lines: linesOf(row),
  })

const quantity = (counted: Counted | undefined) => ({ count: counted?.[0] ?? null, value: counted?.[1] ?? null })

/** Every counter of either reading, in the order of the vocabulary: since initialisation, or else since the last reset. */
function countersOf(before: CounterRead | null, now: CounterRead, { lines }: Interval): CounterMove[] {
  const names = Object.keys(auditCounters) as (keyof typeof auditCounters)[]
  const at = (read: CounterRead | null, name: keyof typeof auditCounters) => {
    const sinceStart = quantity(read?.counters.lines[name])
    const sinceReset = quantity(read?.counters.sinceReset?.[name])
    return { count: sinceStart.count ?? sinceReset.count, value: sinceStart.value ?? sinceReset.value }
  }
  const says = (read: CounterRead | null, name: keyof typeof auditCounters) =>
    read?.counters.lines[name] !== undefined || read?.counters.sinceReset?.[name] !== undefined
  return names
    .filter((name) => says(before, name) || says(now, name))
    .map((name) => ({
      counter: name,
      before: at(before, name),
      now: at(now, name),
      step: lines[name]?.step ?? 'unknown',
      moved: quantity(lines[name]?.moved),
    }))
}

/** Selections of the audit, and unknown selections with transmitted sales. */
function selectionsOf(
  now: CounterRead,
  interval: Interval,
  sent: Awaited<ReturnType<typeof transmittedBySelection>>,
): SelectionMove[] {
  // Amounts of different currencies are not compared.
  const isComparable = interval.selections.size > 0 && interval.kind !== 'otherCurrency'
  const names = new Set(now.counters.selections.map(({ selection }) => selection))
  const sentAs = new Map([...sent].map(([line, sales]) => [nameAmong(line, names) ?? line, sales]))
  const sentOf = (selection: string) => sentAs.get(selection)
  const transmittedOf = (selection: string) => {
    const arrived = sentOf(selection)
    return isComparable ? { count: arrived?.count ?? 0, value: arrived?.value ?? 0 } : { count: null, value: null }
  }
  const counted = now.counters.selections.map(({ selection, name, price }) => {
    const move = interval.selections.get(selection)
    const transmitted = transmittedOf(selection)
    return {
      selection,
      name,
      soldAs: sentOf(selection)?.product ?? null,
      price,
      step: move?.step ?? ('unknown' as const),
      audited: quantity(move?.moved),
      transmitted,
      state: compare(quantity(through(move)), transmitted).state,
    }
  })
  const strangers = [...sentAs].filter(([selection]) => !names.has(selection))
  return [
    ...counted,
    ...strangers.map(([selection, { product }]) => ({
      selection,
      name: null,
      soldAs: product,
      price: null,
      step: 'unknown' as const,
      audited: quantity(undefined),
      transmitted: transmittedOf(selection),
      state: 'unknown' as const,
    })),
  ]
}

export const reconciliationHandlers: Handlers<typeof reconciliations> = {
  getAuditReconciliation: async ({ db, params }) => {
    const audit = await findAudit(db, params.posId, params.auditId)
    const reads = await findInterval(db, params.posId, params.auditId)
    const sums = (await reconcileAudits(db, params.posId, [params.auditId])).get(params.auditId)
    if (!audit || !reads || !sums) throw new ProductError('AuditNotFound')
    refuseBoxes(db, audit.merchant_id)
    const { now, before } = reads
    const interval = intervalBetween(before?.counters ?? null, now.counters)
    const sent = await transmittedBySelection(db, params.posId, params.auditId)
    return {
      currency: audit.merchant_currency as ReconciledDay['currency'],
      auditCurrency: readingCurrency(audit),
      interval: presentInterval(sums, true),
      counters: countersOf(before, now, interval),
      selections: selectionsOf(now, interval, sent),
      identities: {
        atRead: identitiesAtRead(now.counters),
        between: before ? identitiesBetween(before.counters, now.counters, interval) : [],
      },
    }
  },

  listReconciledDays: async ({ db, query }) => {
    refuseManyDays(query)
    const { rows, total, capped } = await listReconciledDays(db, query, query)
    return { items: rows.map(presentDay), total, capped }
  },

  totalReconciledDays: async ({ db, query }) => {
    refuseManyDays(query)
    const totals = await totalReconciledDays(db, query)
    if (!totals) return null
    return totals.map(({ currency, cash_in, cash_reported, cash_difference, box_difference, ...same }) => ({
      currency,
      values: {
        ...same,
        cashIn: cash_in,
        cashReported: cash_reported,
        cashDifference: cash_difference,
        boxDifference: box_difference,
      },
    }))
  },
}
