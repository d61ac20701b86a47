import type { AuditContent, AuditWarning, CodePage } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { cashBlocks, dropUnsetTubes } from './cash-blocks.ts'
import { type Blocks, type Draft, emptyDraft } from './draft.ts'
import { clip, type Remark, readElements, visible } from './elements.ts'
import { chooseReport, isData, type Report, type Row, readEnvelope } from './envelope.ts'
import { drawIdentities } from './identities.ts'
import { machineBlocks } from './machine-blocks.ts'
import { currencyInLines, moneyOf, storageScale } from './money.ts'
import { remarkAmounts } from './plausibility.ts'
import { crcOf, envelopeFacts, remarkChecks, remarkEnvelope, reportFacts } from './report-facts.ts'
import { salesBlocks } from './sales-blocks.ts'
import { type Scale, scaleOf } from './scale.ts'
import { dropUncountedValues } from './uncounted-values.ts'

/** Limits, so that a file of noise has an answer of bounded size. Real files stay far below them. */
const limits = { warnings: 200, unread: 500, unreadText: 500, reports: 50, rows: 2_000, payments: 20_000 }

/**
 * Reads an audit file of EVA-DTS (6.x and older), as far as it can be read. Never throws, whatever the bytes; takes time in
 * proportion to their number.
 *
 * Amounts come out as integers of `money.digits` decimals: the storage digits of the file's currency where it names one of the
 * product's. `fallback` is the currency of the machine's merchant, for files that name none, `lastPage` the code page of the machine's
 * last reading.
 */
export function readAudit(
  bytes: Uint8Array,
  { fallback = null, lastPage = null }: { fallback?: Currency | null; lastPage?: CodePage | null } = {},
): AuditContent {
  const warnings = collector()
  const { remark } = warnings
  const envelope = readEnvelope(bytes, {
    currencyOf: (lines) => currencyInLines(lines, fallback),
    last: lastPage,
  })
  const choice = chooseReport(envelope.reports)
  const { main } = choice
  remarkEnvelope(remark, envelope, choice)
  const facts = envelopeFacts(envelope, main)
  const crc = crcOf(bytes, main)
  if (main) remarkChecks(remark, main, crc, facts)

  const money = moneyOf(main, fallback, remark)
  const inStorageDigits = readReport(main, storageScale(money))
  const {
    draft,
    unread,
    scale,
    warnings: rowWarnings,
  } = inStorageDigits.scale.isExact
    ? inStorageDigits
    : readReport(main, scaleOf(money.machineDecimals, money.machineDecimals))
  if (scale !== inStorageDigits.scale)
    remark('moneyNotRescaled', null, { currency: money.currency ?? '', digits: scale.digits })
  warnings.append(rowWarnings)
  remarkAmounts(remark, draft, { currency: money.currency, digits: scale.digits })

  const cut = cutter(remark)
  const { before, after, cut: cutRow } = envelope
  const strangers = [...before, ...after, ...unread, ...(cutRow ? [cutRow] : [])].sort(
    (one, other) => one.line - other.line,
  )
  return {
    reports: cut('reports', choice.candidates, limits.reports).map((report) =>
      reportFacts(bytes, report, { report: main, crc }),
    ),
    reportReason: choice.reason,
    envelope: facts,
    crc,
    money: { ...money, digits: scale.digits },
    ...listsOf(draft, cut),
    identities: drawIdentities(draft),
    unread: { lines: strangers.slice(0, limits.unread).map(unreadLine), total: strangers.length },
    ...warnings.result(),
  }
}

/** Reads one report's rows into a draft, with its amounts in the digits of `scale`. */
function readReport(report: Report | null, scale: Scale) {
  const draft = emptyDraft()
  const warnings = collector()
  const unread: Row[] = []
  const names = new Set<string>()
  let firstBelowReset: number | null = null
  let belowReset = 0
  const blocks: Blocks = { ...salesBlocks, ...cashBlocks(scale.machineDecimals), ...machineBlocks }
  for (const row of report?.rows ?? []) {
    const block = row.block === null ? undefined : blocks[row.block]
    if (row.block !== null && block) {
      const read = readElements(row, row.block, scale, {
        remark: warnings.remark,
        belowReset: () => {
          firstBelowReset ??= row.line
          belowReset++
        },
      })
      const isTaken = block.take(read, draft) !== false
      if (!isTaken) unread.push(row)
      const key = isTaken && block.keyOf ? block.keyOf(read, draft) : null
      if (key !== null && names.has(`${row.block} ${key}`)) read.remark('blockRepeated', { key: clip(key, 40) })
      if (key !== null) names.add(`${row.block} ${key}`)
    } else if (row.block === null || isData(row)) {
      unread.push(row)
    }
  }
  if (belowReset > 0) warnings.remark('countersBelowReset', firstBelowReset, { counters: belowReset })
  dropUncountedValues(draft, warnings.remark)
  dropUnsetTubes(draft)
  return { draft, unread, scale, warnings: warnings.result() }
}

function listsOf(draft: Draft, cut: Cut) {
  const {
    peripherals,
    tubes,
    coins,
    bills,
    recyclerBills,
    selections,
    cash,
    current: _,
    typeRows: __,
    ...plain
  } = draft
  let paymentsLeft = limits.payments
  const somePayments = <T>(payments: Map<string, T>) => {
    const rows = [...payments.values()].slice(0, paymentsLeft)
    paymentsLeft -= rows.length
    return rows
  }
  return {
    ...plain,
    peripherals: [...peripherals.values()],
    cash: {
      ...cash,
      tubes: cut('tubes', [...tubes.values()]),
      coins: cut('coins', [...coins.values()]),
      bills: cut('bills', [...bills.values()]),
      recyclerBills: cut('recyclerBills', [...recyclerBills.values()]),
    },
    selections: cut('selections', [...selections.values()]).map((selection) => ({
      ...selection,
      payments: somePayments(selection.payments),
    })),
    priceRows: cut('priceRows', plain.priceRows),
    events: cut('events', plain.events),
    eventCounters: cut('eventCounters', plain.eventCounters),
    makerRows: cut('makerRows', plain.makerRows),
  }
}

const unreadLine = (row: Row) => ({
  line: row.line,
  text: visible(clip(row.written, limits.unreadText)),
  isBlock: row.block !== null,
})

type Cut = <T>(list: string, rows: T[], limit?: number) => T[]
const cutter =
  (remark: Remark): Cut =>
  (list, rows, limit = limits.rows) => {
    if (rows.length > limit) remark('listCut', null, { list, kept: limit, total: rows.length })
    return rows.slice(0, limit)
  }

/** Keeps the first remarks and counts them all. */
function collector() {
  const firstWarnings: AuditWarning[] = []
  let total = 0
  const remark: Remark = (code, line, params = {}) => {
    total++
    if (firstWarnings.length === limits.warnings) return
    const spoken = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? visible(value) : value,
    ])
    firstWarnings.push({ code, line, params: Object.fromEntries(spoken) })
  }
  const result = () => ({ warnings: firstWarnings, warningsTotal: total })
  const append = ({ warnings, warningsTotal }: ReturnType<typeof result>) => {
    firstWarnings.push(...warnings.slice(0, limits.warnings - firstWarnings.length))
    total += warningsTotal
  }
  return { remark, append, result }
}
