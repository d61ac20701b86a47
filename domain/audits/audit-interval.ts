import type { AuditCounter, CounterStep, IntervalKind } from '#contract/vocabulary/audit.ts'
import { type AuditCounters, type Counted, saysSales } from './audit-counters.ts'

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

function halfOf(before: number | null, now: number | null): { step: CounterStep; moved: number | null } {
  if (before === null || now === null) return { step: 'unknown', moved: null }
  if (now >= before) return { step: 'counted', moved: now - before }
  const moved = rolledOverBy(before, now)
  return { step: moved === null ? 'restarted' : 'rolledOver', moved }
}

/** Compares both halves of a counter separately. A counter only grows; a counter that fell has rolled over or was reset. */
function moveOf(before: Counted | undefined, now: Counted | undefined): CounterMove {
  if (!before || !now) return unknown
  const halves = now.map((after, half) => halfOf(before[half] ?? null, after))
  const step = (['restarted', 'rolledOver', 'counted'] as const).find((each) =>
    halves.some((half) => half.step === each),
  )
  if (step === 'restarted') return restarted(now)
  return step ? { step, moved: [halves[0]?.moved ?? null, halves[1]?.moved ?? null] } : unknown
}

const restarted = (now: Counted): CounterMove => ({ step: 'restarted', moved: now })

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
  const none = (kind: IntervalKind): Interval => ({ kind, lines: {}, selections: new Map() })
  if (!saysSales(now)) return none('notReported')
  if (!before) return none('first')
  if (isAnotherBoard(before, now)) return none('boardSwapped')

  const isOtherCurrency = before.foreign !== now.foreign
  return isOtherCurrency || now.foreign
    ? { ...movedBetween(isOtherCurrency ? withoutMoney(before) : before, now), kind: 'otherCurrency' }
    : movedBetween(before, now)
}

/** Counters without their amounts, so that only pieces are compared with them. */
const withoutMoney = ({ lines, selections, ...counters }: AuditCounters): AuditCounters => ({
  ...counters,
  lines: Object.fromEntries(Object.entries(lines).map(([name, [count]]) => [name, [count, null]])),
  selections: selections.map((each) => ({ ...each, sold: [each.sold[0], null] })),
})

function movedBetween(before: AuditCounters, now: AuditCounters): Interval {
  const names = Object.keys(now.lines) as AuditCounter[]
  const beganAnew = before.began !== null && now.began !== null && before.began !== now.began
  const isWitnessed = hasWitness(before, now)
  const fresh = (counted: Counted | undefined) => (counted ? restarted(counted) : unknown)
  const judge = (earlier: Counted | undefined, counted: Counted | undefined): CounterMove => {
    const move = beganAnew ? fresh(counted) : moveOf(earlier, counted)
    return move.step === 'rolledOver' && !isWitnessed ? fresh(counted) : move
  }
  const lines: Interval['lines'] = {}
  for (const name of names) lines[name] = judge(before.lines[name], now.lines[name])

  const isReset = (now.lines.sold ? lines.sold : lines.bySelection)?.step === 'restarted'
  // The machine's memory holds all of them.
  if (isReset) for (const name of names) lines[name] = fresh(now.lines[name])
  const earlier = new Map(before.selections.map((each) => [each.selection, each.sold]))
  const selections = new Map(
    now.selections.map(({ selection, sold }) => [
      selection,
      isReset ? fresh(sold) : judge(earlier.get(selection), sold),
    ]),
  )
  const steps = Object.values(lines).map(({ step }) => step)
  const kind = isReset
    ? 'reset'
    : steps.includes('restarted')
      ? 'partlyReset'
      : steps.includes('rolledOver')
        ? 'rolledOver'
        : 'counted'
  return { kind, lines, selections }
}

/** The movements of counters that continued; a restarted or unknown counter has none. */
export const through = (move: CounterMove | undefined): Counted =>
  move?.step === 'counted' || move?.step === 'rolledOver' ? move.moved : [null, null]

const sum = (parts: readonly (number | null)[]) =>
  parts.reduce<number | null>((whole, part) => (part === null ? whole : (whole ?? 0) + part), null)

/** The pieces and money of an interval that can be compared; null where unknown, and for all money across currencies. */
export function comparable({ kind, lines: all }: Interval) {
  const lines = kind === 'otherCurrency' ? {} : all
  const others = (['cashless1Sold', 'cashless2Sold', 'vendTokens', 'valueTokens'] as const).filter(
    (name) => lines[name],
  )
  // A reader that restarted makes the sum of all too small.
  const areWhole = others.every((name) => ['counted', 'rolledOver'].includes(lines[name]?.step ?? 'unknown'))
  const other = (half: 0 | 1) => (areWhole ? sum(others.map((name) => through(lines[name])[half])) : null)
  const sold = through(lines.sold ?? lines.bySelection)
  const [toBox, bills, toRecycler] = [lines.toBox, lines.bills, lines.toRecycler].map((line) => through(line)[1])
  return {
    sold,
    cash: through(lines.cashSold),
    other: [other(0), other(1)] as Counted,
    freeCount: through(lines.freeVends)[0],
    testCount: through(lines.testVends)[0],
    cashIn: through(lines.cashIn)[1],
    /** Coins to the box and bills to the stacker. */
    toBox: toBox === null || toBox === undefined ? null : toBox + (bills ?? 0) - (toRecycler ?? 0),
  }
}
