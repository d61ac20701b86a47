import type { AuditContent, AuditIdentityCheck, Tallies } from '#contract/audits/audit-content.ts'
import { type Currency, currencies } from '#contract/vocabulary/world/currencies.ts'
import { clockOf } from '../audit-counters.ts'
import { paidSales, soldOf } from '../paid-sales.ts'
import type { Draft } from './draft.ts'
import { currencyOfReading } from './money.ts'
import { scaleOf } from './scale.ts'

/*
 * Sums since initialisation that should match. Shown on each reading, never enforced: machines of V1/1 leave CA2
 * out, some coffee machines count their tests.
 */

const valueOf = (tallies: Tallies | null) => tallies?.sinceInitialisation.value ?? null

/**
 * Sum of the values of counters of one kind; null where none is reported, or where a counter has vends without
 * their value.
 */
function sumOf(counters: Iterable<Tallies | null>): number | null {
  let sum: number | null = null
  for (const counter of counters) {
    if (!counter) continue
    const { value, count } = counter.sinceInitialisation
    if (value === null && count === null) continue
    if (value === null && count !== 0) return null
    sum = (sum ?? 0) + (value ?? 0)
  }
  return sum !== null && Number.isSafeInteger(sum) ? sum : null
}

const compare = (left: number | null, right: number | null): AuditIdentityCheck => ({
  left,
  right,
  holds: left === null || right === null ? null : left === right,
})

/** A machine that reports no cash sales may have none, or may leave them out: a sum that falls short then proves nothing. */
function salesByDevice({ sales, payments }: Draft): AuditIdentityCheck {
  const { cash, cashless1, cashless2, vendTokens, valueTokens } = payments
  const parts = [cash, cashless1?.sold ?? null, cashless2?.sold ?? null, vendTokens, valueTokens].map(valueOf)
  const reported = parts.filter((value) => value !== null)
  const sum = reported.length ? reported.reduce((total, value) => total + value, 0) : null
  const check = compare(valueOf(sales.paid), sum !== null && Number.isSafeInteger(sum) ? sum : null)
  return check.holds === false && valueOf(cash) === null ? { ...check, holds: null } : check
}

export function drawIdentities(draft: Draft): AuditContent['identities'] {
  const selections = [...draft.selections.values()]
  const bySelection = sumOf(selections.map(({ sold, payments }) => soldOf({ sold, payments: [...payments.values()] })))
  const counted = sumOf(selections.map(({ sold }) => sold))
  const byPayment = sumOf(selections.flatMap(({ payments }) => [...payments.values()].map(({ sold }) => sold)))
  return {
    salesByDevice: salesByDevice(draft),
    salesBySelection: compare(bySelection, valueOf(draft.sales.paid)),
    selectionsByDevice: compare(byPayment, counted),
  }
}

/**
 * The totals of an audit in a list: all paid vends, the sum by selection and the machine's own time; null where not reported. Amounts
 * are in the storage digits of `currency`: the file's own, else the merchant's. With an unknown currency
 * there is no currency and no amount; the content keeps them as the machine wrote them.
 */
export function auditTotals(content: AuditContent, merchant: Currency) {
  const { identities, money } = content
  const paid = paidSales(content)?.sold.sinceInitialisation
  const currency = currencyOfReading(money, merchant)
  const inStorageDigits = (value: number | null) => {
    if (value === null || currency === null) return null
    const amount = scaleOf(money.digits, currencies[currency].storageDigits).convert(value)
    return Number.isSafeInteger(amount) ? amount : null
  }
  return {
    currency,
    salesTotal: inStorageDigits(paid?.value ?? null),
    vendsTotal: paid?.count ?? null,
    selectionsTotal: inStorageDigits(identities.salesBySelection.left),
    machineTime: clockOf(content),
  }
}
