import type { MachineKind } from './plan.ts'

/** Effects of a fault: no sales at all, no cash, no keys and cards, or one selection out of service. */
export type Stops = 'everything' | 'cash' | 'cashless' | 'selection' | 'nothing'

export interface Fault {
  /** EVA-DTS event code. */
  code: string
  kinds: readonly MachineKind[]
  /** Mean days between two faults of this kind on an ordinary machine. */
  everyDays: number
  /** Shortest and longest usual duration. */
  minutes: readonly [number, number]
  stops: Stops
  /** The event that ends it; by default the same code, inactive. */
  endsWith?: string
  /**
   * Without power the machine sends nothing and reports the cut afterwards. Without a network it keeps selling and
   * reports later.
   */
  cuts?: 'power' | 'network'
  /** A technician may mark it as repaired in the portal before the machine reports it. */
  isRepairedByHand?: boolean
}

const hot = ['hot'] as const
const cooled = ['snack', 'cold'] as const
const all = ['hot', 'snack', 'cold'] as const

/** Faults of machines, about as often as operators report them. Sold-out selections and full boxes follow from sales. */
export const faults: readonly Fault[] = [
  { code: 'EAD', kinds: all, everyDays: 45, minutes: [25, 480], stops: 'cash', isRepairedByHand: true },
  { code: 'EAF', kinds: all, everyDays: 160, minutes: [30, 420], stops: 'cash' },
  { code: 'OBK', kinds: all, everyDays: 40, minutes: [120, 1800], stops: 'nothing' },
  { code: 'ENC', kinds: all, everyDays: 70, minutes: [30, 600], stops: 'cash', isRepairedByHand: true },
  { code: 'EKM', kinds: all, everyDays: 75, minutes: [5, 110], stops: 'cashless' },
  { code: 'ECS', kinds: all, everyDays: 260, minutes: [600, 7200], stops: 'nothing', isRepairedByHand: true },
  { code: 'EGS', kinds: all, everyDays: 50, minutes: [12, 55], stops: 'everything', endsWith: 'EGT' },
  { code: 'EIN', kinds: all, everyDays: 60, minutes: [20, 300], stops: 'nothing' },
  { code: 'OCF', kinds: all, everyDays: 55, minutes: [4, 190], stops: 'everything', cuts: 'power' },
  { code: 'OCK', kinds: all, everyDays: 30, minutes: [8, 400], stops: 'nothing', cuts: 'network' },
  { code: 'EFL', kinds: hot, everyDays: 60, minutes: [35, 420], stops: 'everything', isRepairedByHand: true },
  { code: 'EDJ_2', kinds: hot, everyDays: 28, minutes: [90, 1600], stops: 'nothing' },
  { code: 'EBJ', kinds: hot, everyDays: 75, minutes: [60, 700], stops: 'everything' },
  { code: 'EGN', kinds: hot, everyDays: 45, minutes: [30, 500], stops: 'everything' },
  { code: 'EEA', kinds: hot, everyDays: 140, minutes: [180, 2400], stops: 'everything', isRepairedByHand: true },
  { code: 'EFB', kinds: hot, everyDays: 90, minutes: [1500, 9000], stops: 'nothing', endsWith: 'OAK' },
  { code: 'EDO', kinds: hot, everyDays: 170, minutes: [1500, 9000], stops: 'nothing', isRepairedByHand: true },
  { code: 'EJC', kinds: cooled, everyDays: 32, minutes: [60, 2200], stops: 'selection' },
  { code: 'ELA', kinds: cooled, everyDays: 40, minutes: [10, 240], stops: 'nothing' },
  { code: 'EJL', kinds: ['snack'], everyDays: 110, minutes: [60, 1300], stops: 'everything', isRepairedByHand: true },
  { code: 'EOC', kinds: cooled, everyDays: 190, minutes: [240, 2400], stops: 'everything', isRepairedByHand: true },
  { code: 'EOH', kinds: cooled, everyDays: 120, minutes: [2000, 12000], stops: 'nothing' },
]

const byCode = new Map(faults.map((fault) => [fault.code, fault]))

/** Conditions that follow from the machine's own state: a full box accepts no more cash. */
const ownConditions: Record<string, Fault> = {
  OBO: { code: 'OBO', kinds: all, everyDays: 0, minutes: [0, 0], stops: 'cash', endsWith: 'OFA' },
  ENE: { code: 'ENE', kinds: all, everyDays: 0, minutes: [0, 0], stops: 'cash', endsWith: 'OFB' },
}

/** The fault of a reported code: `EJC_21` is EJC of selection 21. Undefined for codes that are no fault. */
export const faultOf = (code: string): Fault | undefined =>
  byCode.get(code) ?? ownConditions[code] ?? byCode.get(code.split('_')[0] ?? code)
