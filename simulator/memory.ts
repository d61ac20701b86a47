import type { MachinePlan } from './plan.ts'

/** Counts of one selection: all paid vends, and those of them in cash. Values are minor units. */
export type Sold = { count: number; value: number; cashCount: number; cashValue: number }

/** What commands have changed on a machine since its maker made it. */
export interface OwnState {
  settings: Record<string, string>
  /** By selection: for cash and cards, and with keys. Minor units. */
  prices: Record<number, { price: number; keyPrice: number }>
  firmwareVersion: string | null
  /** Versions of what is installed beside the firmware, by its name. */
  versions: Record<string, string>
}

/** What a machine keeps through a restart: its counters, stock and cash, what is wrong with it, and its last number. */
export interface MachineMemory {
  /** The last number given to an item. */
  seq: number
  stock: number[]
  sold: Sold[]
  /** The same when the interval counters were last reset, at a collection. */
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
  /** Pieces in the tubes of the smallest coins. */
  tubes: number[]
  coins: { toBox: number; toTubes: number; dispensed: number }[]
  bills: number[]
  /** Pieces taken and refused since the last cash report, coins first, then bills. */
  accepted: number[]
  rejected: number[]
  reads: number
  powerOutages: number
  eventCounts: Record<string, number>
  /** What is wrong now; without an `until` it waits for somebody to come. */
  faults: { code: string; since: number; until: number | null }[]
  /** The last commands that it has taken, so that none runs twice. */
  commands: string[]
  /**
   * Commands accepted for execution without a result yet: after a power cut the machine still reports their end.
   */
  underway?: string[]
  /** The serial of the control board that counts now, where the first one was replaced. */
  board?: string
  /** What commands have changed on it. */
  own?: OwnState
  lastSaleAt: number | null
  lastAuditAt: number | null
  /** When its door was opened last. */
  doorAt?: number
}

/** A machine freshly filled and switched on. `earlier` is the number of vends before, by selection. */
export function freshMemory(plan: MachinePlan, earlier: readonly number[] = []): MachineMemory {
  const sold = plan.selections.map(({ price }, index) => {
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
  }
}

/** Pieces that a tube holds, and to how many it is filled up at a visit. */
export const tubeCapacity = 70
export const tubeFill = 40
