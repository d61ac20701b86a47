import type { DemoAction } from '#contract/platform/demo.ts'
import type { UpdateFault } from './downloads/updates.ts'
import { type Keyring, openKeyring } from './media/keyring.ts'
import type { MediaAct, MediaActResult } from './media/media-acts.ts'
import { freshMemory } from './memory.ts'
import type { MachinePlan } from './plan.ts'
import { randomFrom } from './random.ts'
import { openStore } from './store.ts'
import { startMachine, type VirtualMachine } from './virtual-machine.ts'

export interface Fleet {
  machines: ReadonlyMap<string, VirtualMachine>
  /** False for an unknown machine. */
  act(serial: string, action: DemoAction): boolean
  /** How a machine breaks at its next updates; null repairs it. False for an unknown machine. */
  breakUpdates(serial: string, fault: UpdateFault | null): boolean
  /** Whether it simulates a machine with this serial. */
  has(serial: string): boolean
  /** A customer with a medium at a machine; resolves at the end. Null for an unknown machine. */
  serve(serial: string, act: MediaAct): Promise<MediaActResult | null>
  stop(): Promise<void>
}

/** A machine to run, and the last number that the gateway has of it. */
export type FleetMember = { plan: MachinePlan; lastSeq: number }

const stepMs = 500
const compactEveryMs = 60_000
/** The share of visits at which a technician edits a price. */
const rarePriceEdits = 0.02
const someCloudUse = 0.25
/** Connections per second at the start. */
const connectsPerSecond = 50

/**
 * New users should see activity at once: sales start at six times their usual rate, some each second by day. They fall to
 * the usual rate within the hour, so that daily totals stay plausible.
 */
const opening = { extra: 5, fadesMs: 8 * 60_000 }
/** Minimum sales an hour of one merchant's machines together, even at night. */
const atLeastPerHour = 180

/** Runs machines until stopped. Their state is stored in `folder`, so that they continue after a restart. */
export function startFleet(options: {
  members: readonly FleetMember[]
  broker: string
  /** Origin of the portal from which they fetch files; without it, they fetch none. */
  portal?: string | undefined
  folder: string
  /** The share of visits at which a technician edits a price; rare by default. */
  priceEdits?: number | undefined
  /** The share of customers with a key who pay with cloud credit; some by default. */
  cloudUse?: number | undefined
  /** How long a machine is away when it restarts; 6 by default. */
  restartSeconds?: number | undefined
}): Fleet {
  const store = openStore(options.folder)
  const startedAt = Date.now()
  const { broker, portal, priceEdits = rarePriceEdits, cloudUse = someCloudUse, restartSeconds } = options
  // Machines know no merchant; each merchant has its own zone.
  const keyrings = new Map(
    options.members.map(({ plan }) => [plan.timeZone, openKeyring(randomFrom(`keys ${plan.timeZone}`))]),
  )
  const machines = new Map(
    options.members.map(({ plan, lastSeq }, index) => {
      const stored = store.machines.get(plan.serial) ?? { memory: freshMemory(plan), pending: [] }
      stored.memory.seq = Math.max(stored.memory.seq, lastSeq)
      const connectAt = startedAt + (index * 1000) / connectsPerSecond
      const keys = keyrings.get(plan.timeZone) as Keyring
      const common = { store, broker, portal, connectAt, priceEdits, cloudUse, keys, restartSeconds }
      return [plan.serial, startMachine({ plan, stored, ...common })] as const
    }),
  )
  const compact = () => store.compact([...machines].map(([serial, machine]) => [serial, machine.stored()]))
  compact()
  let compactedAt = startedAt

  /** Machines are grouped by time zone, since each merchant has its own zone and machines know no merchant. */
  const byZone = Map.groupBy(machines.values(), ({ timeZone }) => timeZone)

  const timer = setInterval(() => {
    const now = Date.now()
    const lively = 1 + opening.extra * Math.exp(-(now - startedAt) / opening.fadesMs)
    for (const ofZone of byZone.values()) {
      const usual = ofZone.reduce((sum, machine) => sum + machine.rateAt(now), 0)
      const least = Math.min(atLeastPerHour, ofZone.length * 4)
      const boost = usual > 0 ? Math.max(lively, least / usual) : 1
      for (const machine of ofZone) machine.step(now, boost)
    }
    if (now - compactedAt < compactEveryMs) return
    compactedAt = now
    compact()
  }, stepMs)

  return {
    machines,
    has: (serial) => machines.has(serial),
    serve: async (serial, act) => (await machines.get(serial)?.serve(act)) ?? null,
    act(serial, action) {
      const machine = machines.get(serial)
      machine?.act(action)
      return machine !== undefined
    },
    breakUpdates(serial, fault) {
      const machine = machines.get(serial)
      machine?.breakUpdates(fault)
      return machine !== undefined
    },
    async stop() {
      clearInterval(timer)
      await Promise.all([...machines.values()].map((machine) => machine.stop()))
      compact()
    },
  }
}
