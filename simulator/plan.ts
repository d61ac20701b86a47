import { z } from 'zod'
import { Serial } from '#contract/device-protocol.ts'
import { NetworkType } from '#contract/vocabulary/device.ts'
import { Currency } from '#contract/vocabulary/world/currencies.ts'

/** A virtual machine and its location; names, groups and coordinates are kept by the server. */

export const machineKinds = ['hot', 'snack', 'cold'] as const
export const MachineKind = z.enum(machineKinds)
export type MachineKind = z.infer<typeof MachineKind>

/** Ways to pay, in the order of `payments`. */
export const tenders = ['coins', 'bills', 'token', 'key', 'mifare', 'card', 'creditCard', 'app'] as const
export type Tender = (typeof tenders)[number]

/** How a machine responds to commands. `mute` receives and never answers, `offline` never connects, `slow` delays its answers. */
export const behaviours = ['success', 'warning', 'error', 'unsupported', 'mute', 'offline', 'slow'] as const
export const Behaviour = z.enum(behaviours)
export type Behaviour = z.infer<typeof Behaviour>

export const Selection = z.object({
  line: z.int(),
  product: z.string(),
  code: z.string(),
  /** Minor units by price table, 1 to 8. */
  prices: z.array(z.int()).length(8),
  weight: z.number(),
  capacity: z.int(),
})
export type Selection = z.infer<typeof Selection>

/** What a selection costs by a price table. */
export const priceIn = ({ prices }: Pick<Selection, 'prices'>, priceTable: number): number =>
  prices[priceTable - 1] ?? 0

/** Days between two visits: before the first selection is usually empty, at least daily, at most every four days. */
export function visitDays({ selections, rhythm }: Pick<MachinePlan, 'selections' | 'rhythm'>): number {
  const perDay = rhythm.reduce((sum, sales) => sum + sales, 0) / 7
  const weights = selections.reduce((sum, { weight }) => sum + weight, 0)
  const lasting = selections.map(({ capacity, weight }) => (capacity * weights) / Math.max(perDay * weight, 0.01))
  return Math.min(4, Math.max(1, Math.min(...lasting) * 0.6))
}

export const MachinePlan = z.object({
  serial: Serial,
  secret: z.string(),
  epoch: z.int(),
  kind: MachineKind,
  model: z.string(),
  timeZone: z.string(),
  currency: Currency,
  selections: z.array(Selection).min(1),
  /** Mean sales per hour of the local week, Monday 00:00 first. */
  rhythm: z.array(z.number()).length(168),
  /** Relative use of each of `tenders`; zero without such a reader. */
  payments: z.array(z.number()).length(tenders.length),
  /** Accepted coins and bills, in rising order, in minor units. The smaller coins have tubes. */
  coins: z.array(z.int()),
  tubes: z.int(),
  bills: z.array(z.int()),
  /** Versions of its validators, and rejected pieces for each accepted one; without a bill validator, no bills. */
  validators: z
    .object({ coin: z.object({ version: z.string(), rejects: z.number() }) })
    .extend({ bill: z.object({ version: z.string(), rejects: z.number() }).optional() })
    .optional(),
  /** Typical amounts of recharges. */
  recharges: z.array(z.int()),
  boxCapacity: z.int(),
  /** The site's number among those of its operator: machines of a site share their customers. */
  site: z.int(),
  /** Number of keys among the machine's customers. */
  keys: z.int(),
  /** Relative frequency of faults; 1 is usual. */
  trouble: z.number(),
  /** Seconds by which its clock is ahead. */
  driftSeconds: z.int(),
  behaviour: Behaviour,
  signalPercent: z.int(),
  /** Minute of the local day at which it reads its own audit. */
  auditMinute: z.int(),
  boot: z.object({
    firmwareVersion: z.string(),
    boardSerial: z.string(),
    boardManufacturer: z.string().optional(),
    boardModel: z.string(),
    boardVersion: z.string(),
    modemManufacturer: z.string().optional(),
    modemModel: z.string().optional(),
    modemVersion: z.string().optional(),
    ethernetManufacturer: z.string().optional(),
    ethernetModel: z.string().optional(),
    ethernetVersion: z.string().optional(),
    macAddress: z.string().optional(),
    simIccid: z.string().optional(),
    simImsi: z.string().optional(),
    simOperator: z.string().optional(),
    imei: z.string().optional(),
    publicIp: z.string(),
    networkType: NetworkType,
    telemetryBoardType: z.string(),
    telemetryBoardVersion: z.string(),
  }),
})
export type MachinePlan = z.infer<typeof MachinePlan>
