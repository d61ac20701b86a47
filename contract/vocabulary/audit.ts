import { z } from 'zod'
import type { Numbers } from './numbers.ts'

/** Why an audit was read, 0 to 7. The meanings are Gettone's own; an unknown number is shown unchanged. */
export const auditOrigins = {
  unknown: 0,
  scheduled: 1,
  remoteCommand: 2,
  onSite: 3,
  collection: 4,
  upload: 5,
  boot: 6,
  manual: 7,
} as const satisfies Numbers
export const AuditOrigin = z.int().min(0).max(255)

/** The port through which it was read. */
export const auditPorts = ['dex', 'ddcmp', 'infrared', 'mqtt', 'http', 'unknown'] as const
export const AuditPort = z.enum(auditPorts)
export type AuditPort = z.infer<typeof AuditPort>

export const crcVerdicts = ['holds', 'holdsSwapped', 'fails', 'absent'] as const
export const CrcVerdict = z.enum(crcVerdicts)
export type CrcVerdict = z.infer<typeof CrcVerdict>

/**
 * How two consecutive readings of a machine relate. `first`: there is none before; `counted`: every counter increased;
 * `sinceReset`: the previous reading reset counters that the machine does not keep otherwise;
 * `rolledOver`: a counter passed its maximum and restarted at zero; `partlyReset`: some counters restarted, the sales did not; `reset`: the
 * sales restarted; `boardSwapped`: the counters are another board's; `otherCurrency`: the file's money is another currency's than the
 * merchant's or than the read before, so nothing is reconciled; `notReported`: the file holds no counters, and is passed over; `older`: by its
 * own clock or number, the file was read before the previous one, and is passed over.
 */
export const intervalKinds = [
  'first',
  'counted',
  'sinceReset',
  'rolledOver',
  'partlyReset',
  'reset',
  'boardSwapped',
  'otherCurrency',
  'notReported',
  'older',
] as const
/** Kinds of readings that are passed over: the readings around them are compared with each other. */
export const skippedKinds = ['notReported', 'older'] as const satisfies readonly (typeof intervalKinds)[number][]
export const IntervalKind = z.enum(intervalKinds)
export type IntervalKind = z.infer<typeof IntervalKind>

/** Counters compared from reading to reading, with their blocks of EVA-DTS. */
export const auditCounters = {
  sold: 'VA1',
  cashSold: 'CA2',
  cashless1Sold: 'DA2',
  cashless2Sold: 'DB2',
  vendTokens: 'TA2',
  valueTokens: 'TA2',
  freeVends: 'VA3',
  testVends: 'VA2',
  bySelection: 'ΣPA2',
  byPayment: 'ΣPA7',
  byPriceList: 'ΣLA1',
  cashIn: 'CA3',
  toBox: 'CA3',
  toTubes: 'CA3',
  bills: 'CA3',
  toRecycler: 'CA3',
  dispensed: 'CA4',
  byHand: 'CA4',
  overpaid: 'CA8',
  filled: 'CA10',
  credited: 'DA4',
  coinsToBox: 'ΣCA11',
  coinsToTubes: 'ΣCA11',
  coinsPaidOut: 'ΣCA12',
  billsByValue: 'ΣCA14',
  billsToStacker: 'ΣCA14',
} as const satisfies Record<string, string>
export type AuditCounter = keyof typeof auditCounters
export const AuditCounter = z.enum(Object.keys(auditCounters) as [AuditCounter, ...AuditCounter[]])

/**
 * The movement of one counter between two readings; `sinceReset` counts from the reset at the previous reading, so it is exact;
 * `restarted` counts from zero at an unknown time, so it gives a minimum.
 */
export const counterSteps = ['counted', 'sinceReset', 'rolledOver', 'restarted', 'unknown'] as const
export const CounterStep = z.enum(counterSteps)
export type CounterStep = z.infer<typeof CounterStep>

/** Sums of an audit that should match; a mismatch never causes a refusal. */
export const accountIdentities = [
  'salesByDevice',
  'salesBySelection',
  'vendsBySelection',
  'selectionsByDevice',
  'cashIn',
  'coinsToBox',
  'coinsToTubes',
  'billsByValue',
  'paidOut',
  'tubeContents',
  'tubeMovement',
] as const
export const AccountIdentity = z.enum(accountIdentities)
export type AccountIdentity = z.infer<typeof AccountIdentity>

/**
 * What an audit is compared in: with what the machine transmitted sale by sale, and with what it reported of its cash. Money decides
 * whether all of it agrees; free and test vends are shown beside.
 */
export const reconciliationLines = {
  sales: 'transmitted',
  cashSales: 'transmitted',
  otherSales: 'transmitted',
  cashIn: 'reported',
  toBox: 'reported',
  freeVends: 'transmitted',
  testVends: 'transmitted',
} as const satisfies Record<string, 'transmitted' | 'reported'>
export type ReconciliationLineName = keyof typeof reconciliationLines
export const ReconciliationLineName = z.enum(
  Object.keys(reconciliationLines) as [ReconciliationLineName, ...ReconciliationLineName[]],
)

/** `unknown` if one side reports nothing. */
export const agreements = ['agrees', 'differs', 'unknown'] as const
export const Agreement = z.enum(agreements)
export type Agreement = z.infer<typeof Agreement>

/** The same of a machine's day; `notRead` where no audit was read on it. */
export const dayAgreements = [...agreements, 'notRead'] as const
export const DayAgreement = z.enum(dayAgreements)
export type DayAgreement = z.infer<typeof DayAgreement>

/** What happens to a file of another system: it is a new reading, is stored already, needs a machine that a user chooses, or is refused. */
export const auditFileOutcomes = ['new', 'known', 'unclear', 'refused'] as const
export type AuditFileOutcome = (typeof auditFileOutcomes)[number]

/**
 * Why a file is refused: it is a table or something else that is no audit; the reader died of it; no machine has the serial; its time is
 * unusable; it has no time, and neither has another file of its machine.
 */
export const auditFileFaults = ['table', 'notAudit', 'unreadable', 'unknownSerial', 'timeUnusable', 'undated'] as const
export type AuditFileFault = (typeof auditFileFaults)[number]

/** By what the machine of a file is known: the sender's serial, a serial in the file or in its name, or an earlier choice. */
export const machineClues = ['sender', 'file', 'fileName', 'choice'] as const
export type MachineClue = (typeof machineClues)[number]
