import { z } from 'zod'
import { AlarmSource } from '../vocabulary/alarm.ts'
import { CrcVerdict } from '../vocabulary/audit.ts'
import { MachineEventName } from '../vocabulary/machines/machine-event.ts'
import { Currency } from '../vocabulary/world/currencies.ts'

/*
 * What the EVA-DTS reader makes of one audit file. Null always means "the file does not report it", never zero. Amounts are
 * integers of `money.digits` decimals; counts are pieces; instants are the machine's own local clock, without a zone.
 */

const Amount = z.int().nullable()
const Count = z.int().nullable()
const Text = z.string().nullable()

/** `2026-11-21T08:00:00`, or `2026-11-21` where the machine gives no time of day; local to the machine, which can be years off. */
export const MachineTime = z.string().regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/)

/** Both halves of a counter: since the machine's initialisation, and since the last reset of its interval counters. */
const both = <T extends z.ZodType>(half: T) => z.strictObject({ sinceInitialisation: half, sinceReset: half })

export const Tally = z.strictObject({ value: Amount, count: Count })
export type Tally = z.infer<typeof Tally>
export const Tallies = both(Tally)
export type Tallies = z.infer<typeof Tallies>
export const Amounts = both(Amount)
export type Amounts = z.infer<typeof Amounts>
export const Counts = both(Count)
export type Counts = z.infer<typeof Counts>

/** All remarks of the reader. The portal has their sentences; `params` has the facts. */
export const auditWarningCodes = [
  'emptyFile',
  'noSegments',
  'textBeforeStart', // lines
  'textAfterEnd', // lines
  'startMissing', // no DXS
  'headerMissing', // no ST
  'headerVariant', // found, e.g. ST-1
  'lowerCaseBlock', // block
  'truncated',
  'rowsAfterEnd', // rows
  'severalReports', // reports, chosen
  'bareLineEnds', // found: lf, cr or mixed
  'crcAbsent',
  'crcFails', // stated, computed
  'crcSwapped', // stated, computed
  'crcUnreadable', // stated
  'segmentCountDiffers', // stated, counted
  'blockRepeated', // block, key
  'selectionMissing', // block
  'numberUnreadable', // block, element, text
  'numberTooLarge', // block, element, text
  'timeUnreadable', // block, text
  'decimalsUnreadable', // text
  'currencyMissing', // digits
  'currencyUnreadable', // numeric, code: no currency's number or code
  'currencyUnknown', // numeric, code
  'currencyFromPhoneCode', // numeric, currency
  'currencyContradicts', // numeric, code
  'moneyNotRescaled', // currency, digits
  'billsInWholeUnits', // block, value
  'billUnitUnclear', // block
  'countersBelowReset', // counters: since initialisation below since reset
  'valuesNotCounted', // vends
  'listCut', // list, kept, total
  'currencyDiffers', // currency, merchant: what the file names, what the merchant sells in
  'wholeUnits', // currency, decimals: fewer than the currency has
  'countersOutOfScale', // average, price: a sale's by VA1, a selection's by PA1
  'amountsImplausible', // amount, currency: no vending price
  'pricesOutOfScale', // amount, known: against what is known of the machine
  'serialDiffers', // serial, machine: a modem's envelope names another machine
  'readingTimeUnknown', // neither file nor modem has a usable time
] as const
export const AuditWarningCode = z.enum(auditWarningCodes)
export type AuditWarningCode = z.infer<typeof AuditWarningCode>

export const AuditWarning = z.strictObject({
  code: AuditWarningCode,
  /** Line of the file, from 1; null for remarks on the whole file. */
  line: z.int().nullable(),
  params: z.record(z.string(), z.union([z.string(), z.int()])),
})
export type AuditWarning = z.infer<typeof AuditWarning>

/** One report of the file, from its start to its end. `segments` counts from ST through SE. */
export const AuditReport = z.strictObject({
  firstLine: z.int(),
  lastLine: z.int(),
  serial: Text,
  segments: z.int(),
  isComplete: z.boolean(),
  isMain: z.boolean(),
  crc: CrcVerdict,
})
export type AuditReport = z.infer<typeof AuditReport>

/** Why this report of the file is shown: it is the only one, the last complete one with counters, or the fullest. */
export const mainReportReasons = ['only', 'lastComplete', 'richest', 'none'] as const

/** Pages of 8-bit text. */
export const codePages = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-16',
  'cp850',
  'cp852',
  'cp855',
] as const
export const CodePage = z.enum(codePages)
export type CodePage = z.infer<typeof CodePage>

/** DXS, ST, SE and how the bytes were laid out. Version V0/6 is DTS 6.0 and later, V1/1 older. */
export const AuditEnvelope = z.strictObject({
  sender: Text,
  functionalId: Text,
  version: Text,
  layout: z.enum(['dts6', 'older', 'unknown']),
  transmission: Text,
  reportNumber: Text,
  segmentsStated: Count,
  segmentsCounted: z.int(),
  lineEnds: z.enum(['crlf', 'lf', 'cr', 'mixed', 'none']),
  /** The code page of text that is not UTF-8; null without such text, and in audits stored before pages were guessed. */
  codePage: CodePage.nullable().default(null),
})

/** `stated` is G85 as received; `computed` is the correct value, four hex digits. */
export const AuditCrc = z.strictObject({ verdict: CrcVerdict, stated: Text, computed: Text })
export type AuditCrc = z.infer<typeof AuditCrc>

/**
 * In what the amounts are: `digits` decimals of `currency`. They are the currency's storage digits where the currency is known
 * and every amount fits them, else the machine's own (`machineDecimals`, 2 unless ID401 says otherwise).
 */
export const AuditMoney = z.strictObject({
  currency: Currency.nullable(),
  currencySource: z.enum(['code', 'number', 'phoneCode', 'fallback']).nullable(),
  reportedNumeric: Text,
  reportedCode: Text,
  machineDecimals: z.int(),
  areDecimalsReported: z.boolean(),
  digits: z.int(),
})
export type AuditMoney = z.infer<typeof AuditMoney>

const Board = z.strictObject({ serial: Text, model: Text, software: Text })

/** ID1, ID5 and CB1. `clock` is the machine's own time at the reading. */
export const AuditIdentity = z.strictObject({
  serial: Text,
  model: Text,
  build: Text,
  location: Text,
  assetNumber: Text,
  controlBoard: Board.nullable(),
  clock: MachineTime.nullable(),
  dstRule: Text,
})

export const peripheralKinds = ['coin', 'bill', 'cashless1', 'cashless2', 'token'] as const

/** CA1, BA1, DA1, DB1, TA1: the payment devices that the machine knows. */
export const AuditPeripheral = Board.extend({ kind: z.enum(peripheralKinds) })

/** VA1 (with its discounts and surcharges), VA2, VA3. */
export const AuditSales = z.strictObject({
  paid: Tallies.nullable(),
  discounts: Tallies.nullable(),
  surcharges: Tallies.nullable(),
  test: Tallies.nullable(),
  free: Tallies.nullable(),
})

/** DA2–DA5, or DB2–DB5. */
export const AuditCashless = z.strictObject({
  sold: Tallies.nullable(),
  debited: Amounts.nullable(),
  credited: Amounts.nullable(),
  discounts: Tallies.nullable(),
  surcharges: Tallies.nullable(),
})

export const AuditPayments = z.strictObject({
  cash: Tallies.nullable(),
  cashless1: AuditCashless.nullable(),
  cashless2: AuditCashless.nullable(),
  vendTokens: Tallies.nullable(),
  valueTokens: Tallies.nullable(),
})

const CashIn = z.strictObject({ total: Amount, toBox: Amount, toTubes: Amount, bills: Amount, toRecycler: Amount })
const CashOut = z.strictObject({ dispensed: Amount, byHand: Amount })

/** CA17: the content of one tube of the changer. A tube that was never set up has no value. */
export const AuditTube = z.strictObject({
  type: Text,
  value: Amount,
  count: Count,
  filled: Count,
  dispensed: Count,
  isFull: z.boolean().nullable(),
})

/**
 * The number of a coin or bill type: the place of its row among the rows of its block, from 1. Two types may share a value, and a type may
 * lack one. Null in audits stored before the reader had types.
 */
const PieceType = z.int().nullable().default(null)

/** CA11–CA13 of one coin type. `received` is all cash in: to the box and to the tubes. */
export const AuditCoin = z.strictObject({
  type: PieceType,
  value: Amount,
  received: Counts,
  toBox: Counts,
  toTubes: Counts,
  dispensed: Counts,
  dispensedByHand: Counts,
  filled: Counts,
})

/** CA14 of one bill type. */
export const AuditBill = z.strictObject({ type: PieceType, value: Amount, received: Counts, toStacker: Counts })

/** CA19–CA21 of one bill type: into, out of and filled into the recycler. */
export const AuditRecyclerBill = z.strictObject({
  type: PieceType,
  value: Amount,
  received: Counts,
  dispensed: Counts,
  filled: Counts,
})

export const AuditCash = z.strictObject({
  received: both(CashIn).nullable(),
  dispensed: both(CashOut).nullable(),
  discounts: Amounts.nullable(),
  overpaid: Amounts.nullable(),
  exactChangeSales: Amounts.nullable(),
  filled: Amounts.nullable(),
  tubeContents: Amount,
  tubes: z.array(AuditTube),
  coins: z.array(AuditCoin),
  bills: z.array(AuditBill),
  recyclerBills: z.array(AuditRecyclerBill),
})

/** PA7. `device` is CA cash, DA cashless 1, DB cashless 2, TA tokens, or another value of the machine. */
export const AuditPaymentRow = z.strictObject({ device: Text, priceList: Text, price: Amount, sold: Tallies })

/** PA1–PA5 and PA7 of one selection. */
export const AuditSelection = z.strictObject({
  selection: z.string(),
  line: z.int(),
  name: Text,
  price: Amount,
  /** PA107: 1 means that the selection is empty. */
  isAbsent: z.boolean().nullable(),
  level: Count,
  minimum: Count,
  sold: Tallies.nullable(),
  discounts: Tallies.nullable(),
  surcharges: Tallies.nullable(),
  test: Tallies.nullable(),
  free: Tallies.nullable(),
  soldOutAt: MachineTime.nullable(),
  payments: z.array(AuditPaymentRow),
})
export type AuditSelection = z.infer<typeof AuditSelection>

/** LA1. */
export const AuditPriceRow = z.strictObject({ priceList: Text, selection: Text, price: Amount, sold: Counts })

const EventCode = {
  line: z.int(),
  /** Unchanged from the machine. */
  code: z.string(),
  /** The machine's part, by the code's unit letter. */
  source: AlarmSource,
  /** The meaning of a standard code; null for a maker's own. */
  name: MachineEventName.nullable(),
  /** The suffix of the code: the number after `_`, or a maker's remark. */
  detail: Text,
  user: Text,
}

/** EA1: something that happened. */
export const AuditEvent = z.strictObject({ ...EventCode, at: MachineTime.nullable(), minutes: Count })
export type AuditEvent = z.infer<typeof AuditEvent>

/** EA2: how often it happened, and whether it still lasts. */
export const AuditEventCounter = z.strictObject({ ...EventCode, times: Counts, isActive: z.boolean().nullable() })
export type AuditEventCounter = z.infer<typeof AuditEventCounter>

/** EA3: readings of the audit, this one and the previous one. EA4: start of the counters. EA7: power outages. */
export const AuditReads = z.strictObject({
  reads: Count,
  readsWithReset: Count,
  resets: Count,
  thisAt: MachineTime.nullable(),
  thisBy: Text,
  lastAt: MachineTime.nullable(),
  lastBy: Text,
})

export type AuditReads = z.infer<typeof AuditReads>

/** Two sums that should match. `holds` is null where the file does not report enough to compare; a mismatch never causes a refusal. */
export const AuditIdentityCheck = z.strictObject({ left: Amount, right: Amount, holds: z.boolean().nullable() })
export type AuditIdentityCheck = z.infer<typeof AuditIdentityCheck>

/** A line that was kept and not understood: a block that the reader does not know, or no segment at all. */
export const UnreadLine = z.strictObject({ line: z.int(), text: z.string(), isBlock: z.boolean() })

export const AuditContent = z.strictObject({
  reports: z.array(AuditReport),
  reportReason: z.enum(mainReportReasons),
  envelope: AuditEnvelope,
  crc: AuditCrc,
  money: AuditMoney,
  identity: AuditIdentity,
  peripherals: z.array(AuditPeripheral),
  sales: AuditSales,
  payments: AuditPayments,
  cash: AuditCash,
  selections: z.array(AuditSelection),
  priceRows: z.array(AuditPriceRow),
  events: z.array(AuditEvent),
  eventCounters: z.array(AuditEventCounter),
  reads: AuditReads.nullable(),
  countersBeganAt: MachineTime.nullable(),
  powerOutages: Counts.nullable(),
  /** MA5, the maker's own, element by element. */
  makerRows: z.array(z.strictObject({ line: z.int(), elements: z.array(z.string()) })),
  identities: z.strictObject({
    /** VA101 against CA201 + DA201 + DB201 + TA201 + TA205. */
    salesByDevice: AuditIdentityCheck,
    /** Sum of PA2 values against VA101. */
    salesBySelection: AuditIdentityCheck,
    /** Sum of PA7 values against the sum of PA2 values. */
    selectionsByDevice: AuditIdentityCheck,
  }),
  /** The first unreadable lines, and their total number. */
  unread: z.strictObject({ lines: z.array(UnreadLine), total: z.int() }),
  /** The first remarks, and their total number. */
  warnings: z.array(AuditWarning),
  warningsTotal: z.int(),
})
export type AuditContent = z.infer<typeof AuditContent>
