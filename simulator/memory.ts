import type { JsonObject } from '#contract/configurations/vp-document.ts'
import type { UpdateFault } from './downloads/updates.ts'
import { type MachinePlan, priceIn } from './plan.ts'

/** Counters of one selection: all paid vends, and those in cash. Values are minor units. */
export type Sold = { count: number; value: number; cashCount: number; cashValue: number }

/** Changes by commands and technicians since the factory. */
export interface OwnState {
  settings: Record<string, string>
  /** Minor units by selection and price table, 1 to 8. */
  prices: Record<number, number[]>
  firmwareVersion: string | null
  /** Versions of installed software beside the firmware, by name. */
  versions: Record<string, string>
  vp?: VpState | undefined
}

/** The configuration of the visual programmer that a machine works with. */
export interface VpState {
  name: string
  schemaVersion: string
  document: JsonObject
}

/** The state that survives a restart: counters, stock and cash, faults, and the last number. */
export interface MachineMemory {
  /** The last number given to an item. */
  seq: number
  stock: number[]
  sold: Sold[]
  /** The same at the last reset of the interval counters, at a collection. */
  soldAtReset: Sold[]
  free: { count: number; value: number }
  test: { count: number; value: number }
  flow: {
    toBox: number
    toTubes: number
    bills: number
    dispensed: number
    byHand: number
    filled: number
    overpaid: number
    credited: number
  }
  /** Value in the boxes of coins and bills. */
  box: number
  /** Pieces in the boxes, coins first; a memory of before has none. */
  boxed?: number[]
  /** Coins in the tubes of the smallest coins. */
  tubes: number[]
  coins: { toBox: number; toTubes: number; dispensed: number }[]
  bills: number[]
  /** Coins and bills accepted and rejected since the last cash report, coins first. */
  accepted: number[]
  rejected: number[]
  reads: number
  powerOutages: number
  eventCounts: Record<string, number>
  /** Open faults; without an `until`, a fault waits for a technician. */
  faults: { code: string; since: number; until: number | null }[]
  /** Ids of the last commands, so that none runs twice. */
  commands: string[]
  /** Commands accepted for execution without a result yet: after a power cut the machine still reports their end. */
  underway?: string[]
  /** Reservations of cloud credit whose vend is under way. */
  holds?: string[]
  /** The block list of media, for vends without a connection. */
  blocks?: { epoch: number; version: number; serials: string[] }
  /** The serial of the current control board, if the first was replaced. */
  board?: string
  /** Changes by commands. */
  own?: OwnState
  /** How it breaks at updates, until it is repaired. */
  updateFault?: UpdateFault | undefined
  lastSaleAt: number | null
  lastAuditAt: number | null
  /** Ids of the last refills from the portal, so that none is counted twice. */
  refills?: string[]
  /** Its latest vends: when, and from which selection. */
  vends?: [at: number, index: number][]
  /** When its door was last opened. */
  doorAt?: number
  /** The configuration that it reported last after a start, as JSON. */
  reportedConfiguration?: string
}

/** A freshly filled machine. `earlier` is the number of vends before, by selection. */
export function freshMemory(plan: MachinePlan, earlier: readonly number[] = []): MachineMemory {
  const sold = plan.selections.map((selection, index) => {
    const price = priceIn(selection, 1)
    const count = earlier[index] ?? 0
    const cashCount = Math.floor(count / 2)
    return { count, value: count * price, cashCount, cashValue: cashCount * price }
  })
  const pieces = plan.coins.length + plan.bills.length
  return {
    seq: 0,
    stock: plan.selections.map(({ capacity }) => capacity),
    sold,
    soldAtReset: sold.map((one) => ({ ...one })),
    free: { count: 0, value: 0 },
    test: { count: 0, value: 0 },
    flow: { toBox: 0, toTubes: 0, bills: 0, dispensed: 0, byHand: 0, filled: 0, overpaid: 0, credited: 0 },
    box: 0,
    boxed: Array.from({ length: pieces }, () => 0),
    tubes: plan.coins.slice(0, plan.tubes).map(() => tubeFill),
    coins: plan.coins.map(() => ({ toBox: 0, toTubes: 0, dispensed: 0 })),
    bills: plan.bills.map(() => 0),
    accepted: Array.from({ length: pieces }, () => 0),
    rejected: Array.from({ length: pieces }, () => 0),
    reads: 0,
    powerOutages: 0,
    eventCounts: {},
    faults: [],
    commands: [],
    lastSaleAt: null,
    lastAuditAt: null,
    ...(plan.validators && {
      own: { settings: {}, prices: {}, firmwareVersion: null, versions: versionsOf(plan.validators) },
    }),
  }
}

const versionsOf = ({ coin, bill }: NonNullable<MachinePlan['validators']>): Record<string, string> => ({
  'coinChanger firmware': coin.version,
  ...(bill && { 'billValidator firmware': bill.version }),
})

/** Capacity of a tube in coins, and its level after a visit. */
export const tubeCapacity = 70
export const tubeFill = 40
