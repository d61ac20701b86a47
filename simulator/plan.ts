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

/**
 * How a machine answers commands. `mute` hears and never answers, `offline` never connects, `slow` takes its time; the others
 * say what their name says.
 */
export const behaviours = ['success', 'warning', 'error', 'unsupported', 'mute', 'offline', 'slow'] as const
export const Behaviour = z.enum(behaviours)
export type Behaviour = z.infer<typeof Behaviour>

export const Selection = z.object({
  line: z.int(),
  product: z.string(),
  code: z.string(),
  /** Minor units: for cash and cards, and with the merchant's own keys. */
  price: z.int(),
  keyPrice: z.int(),
  weight: z.number(),
  capacity: z.int(),
})
export type Selection = z.infer<typeof Selection>

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
  /** How often each of `tenders` is used; zero where the machine has no such reader. */
  payments: z.array(z.number()).length(tenders.length),
  /** Coins, and bills, that it takes, rising, in minor units. The smaller coins have tubes. */
  coins: z.array(z.int()),
  tubes: z.int(),
  bills: z.array(z.int()),
  /** Typical amounts that people load onto their keys. */
  recharges: z.array(z.int()),
  boxCapacity: z.int(),
  /** Share of the machine's people who have a key with it, as a number of keys. */
  keys: z.int(),
  /** How often something breaks, 1 being the usual. */
  trouble: z.number(),
  /** How far its clock is ahead. */
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
