import type { AuditCounter, CounterStep, IntervalKind } from '#contract/vocabulary/audit.ts'
import { type AuditCounters, type Counted, deviceLines, type Lines, salesLines, saysSales } from './audit-counters.ts'
import { isOlder } from './reading-order.ts'
import { type ResetSpan, resetSpanOf } from './reset-span.ts'

/** The movement of a counter between two readings. `moved` is a minimum after a restart, and absent if unknown. */
export interface CounterMove {
  step: CounterStep
  moved: Counted
}

export interface Interval {
  kind: IntervalKind
  lines: Partial<Record<AuditCounter, CounterMove>>
  selections: Map<string, CounterMove>
}

/** The values at which counters roll over: decimal places of EVA-DTS, and word sizes of processors. */
const widths = [1e4, 65_536, 1e5, 1e6, 1e7, 1e8, 1e9, 2 ** 32]

const unknown: CounterMove = { step: 'unknown', moved: [null, null] }

/**
 * How far a counter that fell has gone if it passed its maximum; null when that is more than a tenth of its
 * range, which no machine sells between two readings.
 */
export function rolledOverBy(before: number, now: number): number | null {
  const width = widths.find((each) => each > before)
  if (width === undefined || now >= before) return null
  const gone = width - before + now
  return gone <= width / 10 ? gone : null
}

interface HalfMove {
  step: CounterStep
  moved: number | null
}
const unknownHalf: HalfMove = { step: 'unknown', moved: null }

function halfOf(before: number | null, now: number | null): HalfMove {
  if (before === null || now === null) return unknownHalf
  if (now >= before) return { step: 'counted', moved: now - before }
  const moved = rolledOverBy(before, now)
  return { step: moved === null ? 'restarted' : 'rolledOver', moved }
}

/** The movement of a counter that the machine keeps since its last reset alone. */
function resetHalfOf(before: number | null, now: number | null, span: ResetSpan): HalfMove {
  if (now === null) return unknownHalf
  if (span === 'atPrevious') return { step: 'sinceReset', moved: now }
  if (span === 'between' || (before !== null && now < before)) return { step: 'restarted', moved: now }
  return span === 'none' && before !== null ? { step: 'counted', moved: now - before } : unknownHalf
}

/** A counter in both halves of the file. */
interface BothCounted {
  sold: Counted | undefined
  sinceReset: Counted | undefined
}
const none: Counted = [null, null]

/** What a counter says at least after a restart. */
const restarted = ({ sold = none, sinceReset = none }: BothCounted): CounterMove => ({
  step: 'restarted',
  moved: [sold[0] ?? sinceReset[0], sold[1] ?? sinceReset[1]],
})

/**
 * Compares both parts of a counter, pieces and money, separately. A counter since initialisation only grows; after a fall it has rolled over
 * or was reset. A part without a counter since initialisation in both readings is compared by the resets.
 */
function moveOf(before: BothCounted, now: BothCounted, span: ResetSpan): CounterMove {
  const halves = [0, 1].map((part) => halfOf(before.sold?.[part] ?? null, now.sold?.[part] ?? null))
  if (halves.some(({ step }) => step === 'restarted')) return restarted(now)
  const parts = halves.map((half, part) =>
    half.step === 'unknown'
      ? resetHalfOf(before.sinceReset?.[part] ?? null, now.sinceReset?.[part] ?? null, span)
      : half,
  )
  const step = (['rolledOver', 'sinceReset', 'counted', 'restarted'] as const).find((each) =>
    parts.some((part) => part.step === each),
  )
  if (!step) return unknown
  if (step === 'restarted') return restarted(now)
  const moved = ({ step: how, moved: by }: HalfMove) => (how === 'restarted' ? null : by)
  return { step, moved: [moved(parts[0] ?? unknownHalf), moved(parts[1] ?? unknownHalf)] }
}

/** Whether the counters are from another board: by its own serial, or else by the machine's. */
function isAnotherBoard(before: AuditCounters, now: AuditCounters): boolean {
  if (before.board !== null && now.board !== null) return before.board !== now.board
  return before.machine !== null && now.machine !== null && before.machine !== now.machine
}

/** In a roll-over the other counters continue; if all counters fell, they were reset. */
function hasWitness(before: AuditCounters, now: AuditCounters): boolean {
  return Object.entries(before.lines).some(([name, counted]) => {
    const after = now.lines[name as AuditCounter]
    return counted.some((value, half) => {
      const later = after?.[half] ?? null
      return value !== null && value > 0 && later !== null && later >= value
    })
  })
}

/**
 * What a machine counted between two reads, the later of which is `now`. A swapped board says nothing of what its predecessor
 * counted; after a reset the counters say at least how much there was since.
 */
export function intervalBetween(before: AuditCounters | null, now: AuditCounters): Interval {
  const nothing = (kind: IntervalKind): Interval => ({ kind, lines: {}, selections: new Map() })
  if (!saysSales(now)) return nothing('notReported')
  if (!before) return nothing('first')
  if (isAnotherBoard(before, now)) return nothing('boardSwapped')
  if (isOlder(before, now)) return nothing('older')

  const isOtherCurrency = before.foreign !== now.foreign
  return isOtherCurrency || now.foreign
    ? { ...movedBetween(isOtherCurrency ? withoutMoney(before) : before, now), kind: 'otherCurrency' }
    : movedBetween(before, now)
}

const withoutAmounts = (lines: Lines): Lines =>
  Object.fromEntries(Object.entries(lines).map(([name, [count]]) => [name, [count, null]]))

/** Counters without their amounts, so that only pieces are compared with them. */
const withoutMoney = ({ lines, sinceReset, selections, ...counters }: AuditCounters): AuditCounters => ({
  ...counters,
  lines: withoutAmounts(lines),
  ...(sinceReset && { sinceReset: withoutAmounts(sinceReset) }),
  selections: selections.map((each) => ({
    ...each,
    sold: [each.sold[0], null],
    sinceReset: [each.sinceReset?.[0] ?? null, null],
  })),
})

function movedBetween(before: AuditCounters, now: AuditCounters): Interval {
  const names = Object.keys({ ...now.lines, ...now.sinceReset }) as AuditCounter[]
  const beganAnew = before.began !== null && now.began !== null && before.began !== now.began
  const isWitnessed = hasWitness(before, now)
  const span = resetSpanOf(before, now)
  const judge = (earlier: BothCounted, counted: BothCounted): CounterMove => {
    const move = beganAnew ? restarted(counted) : moveOf(earlier, counted, span)
    return move.step === 'rolledOver' && !isWitnessed ? restarted(counted) : move
  }
  const lineOf = ({ lines, sinceReset }: AuditCounters, name: AuditCounter): BothCounted => ({
    sold: lines[name],
    sinceReset: sinceReset?.[name],
  })
  const lines: Interval['lines'] = {}
  for (const name of names) lines[name] = judge(lineOf(before, name), lineOf(now, name))

  const sales = [...salesLines, ...deviceLines].find((name) => lines[name])
  const isReset = sales !== undefined && lines[sales]?.step === 'restarted'
  // The machine's memory holds all of them.
  if (isReset) for (const name of names) lines[name] = restarted(lineOf(now, name))
  const earlier = new Map(before.selections.map((each) => [each.selection, each]))
  const selections = new Map(
    now.selections.map(({ selection, sold, sinceReset }) => {
      const first = earlier.get(selection)
      const counted = { sold, sinceReset }
      return [
        selection,
        isReset ? restarted(counted) : judge({ sold: first?.sold, sinceReset: first?.sinceReset }, counted),
      ]
    }),
  )
  const steps = Object.values(lines).map(({ step }) => step)
  const kind = isReset
    ? 'reset'
    : steps.includes('restarted')
      ? 'partlyReset'
      : steps.includes('rolledOver')
        ? 'rolledOver'
        : steps.includes('sinceReset')
          ? 'sinceReset'
          : 'counted'
  return { kind, lines, selections }
}

/** The movements of counters that continued; a restarted or unknown counter has none. */
export const through = (move: CounterMove | undefined): Counted => (move && isThrough(move.step) ? move.moved : none)

const isThrough = (step: CounterStep) => step === 'counted' || step === 'sinceReset' || step === 'rolledOver'

const sum = (parts: readonly (number | null)[]) =>
  parts.reduce<number | null>((whole, part) => (part === null ? whole : (whole ?? 0) + part), null)

/** The pieces and money of an interval that can be compared; null where unknown, and for all money across currencies. */
export function comparable({ kind, lines: all }: Interval) {
  const lines = kind === 'otherCurrency' ? {} : all
  const sumOfDevices = (names: readonly AuditCounter[]) => {
    const devices = names.filter((name) => lines[name])
    // A device that restarted makes the sum of all too small.
    const areWhole = devices.every((name) => isThrough(lines[name]?.step ?? 'unknown'))
    return (part: 0 | 1) => {
      const parts = devices.map((name) => through(lines[name])[part])
      return areWhole && parts.every((each) => each !== null) ? sum(parts) : null
    }
  }
  const other = sumOfDevices(deviceLines.filter((name) => name !== 'cashSold'))
  const devices = sumOfDevices(deviceLines)
  const sold = (part: 0 | 1) => {
    const best = salesLines.map((name) => through(lines[name])[part]).find((each) => each !== null)
    return best ?? (salesLines.some((name) => lines[name]) ? null : devices(part))
  }
  const [toBox, bills, toRecycler] = [lines.toBox, lines.bills, lines.toRecycler].map((line) => through(line)[1])
  return {
    sold: [sold(0), sold(1)] as Counted,
    cash: through(lines.cashSold),
    other: [other(0), other(1)] as Counted,
    freeCount: through(lines.freeVends)[0],
    testCount: through(lines.testVends)[0],
    cashIn: through(lines.cashIn)[1],
    /** Coins to the box and bills to the stacker. */
    toBox: toBox === null || toBox === undefined ? null : toBox + (bills ?? 0) - (toRecycler ?? 0),
  }
}
