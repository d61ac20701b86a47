/*
 * The money of a machine from one collection to the next. What transactions moved is added to the first cash report, and each later report is
 * compared with the sum: money that is expected, and money that is there. `cashMoved` says what a transaction moves.
 */

/** A cash report, in minor units. `box` null: the machine did not report its box. */
export interface TrailReading {
  /** Milliseconds. */
  at: number
  box: number | null
  /** In tubes and recyclers. */
  tubes: number
}

/** Transactions of one type after `stretch` readings of the trail, and before the next one. `cash`: positive into the machine. */
export interface TrailMovement {
  stretch: number
  type: number
  count: number
  cash: number
}

export interface TrailStep {
  /** The last reading of the step; null after the last one. */
  reading: TrailReading | null
  readings: number
  movements: { type: number; count: number; cash: number }[]
  /** Cash in − out since the beginning. */
  moved: number
  expected: number | null
  reported: number | null
  difference: number | null
}

export interface Trail {
  /** The reading from which the expected money is counted: that of the collection, or else the first with a box. */
  base: TrailReading | null
  /** The oldest first. */
  steps: TrailStep[]
  /** Where expected and reported money parted for good. */
  parted: { after: number; at: number; difference: number } | null
}

interface Facts {
  /** The report of the emptied box, at the beginning. */
  base: TrailReading | null
  /** By time. */
  readings: readonly TrailReading[]
  movements: readonly TrailMovement[]
}

const heldIn = ({ box, tubes }: TrailReading): number | null => (box === null ? null : box + tubes)

const addedUp = (movements: readonly TrailMovement[]): TrailStep['movements'] =>
  [...Map.groupBy(movements, ({ type }) => type)]
    .map(([type, some]) => ({
      type,
      count: some.reduce((sum, { count }) => sum + count, 0),
      cash: some.reduce((sum, { cash }) => sum + cash, 0),
    }))
    .sort((one, other) => Math.abs(other.cash) - Math.abs(one.cash) || one.type - other.type)

/** Every reading with what moved before it, and what moved after the last one. */
function singleSteps({ base: atCollection, readings, movements }: Facts): Omit<Trail, 'parted'> {
  const ofStretch = Map.groupBy(movements, ({ stretch }) => stretch)
  let base = atCollection !== null && heldIn(atCollection) !== null ? atCollection : null
  let moved = 0
  let movedAtBase = 0
  const steps: TrailStep[] = []
  for (const [at, reading] of [...readings, null].entries()) {
    const some = ofStretch.get(at) ?? []
    moved += some.reduce((sum, { cash }) => sum + cash, 0)
    const reported = reading && heldIn(reading)
    if (base === null && reading && reported !== null) [base, movedAtBase] = [reading, moved]
    const held = base && heldIn(base)
    const expected = held === null ? null : held + moved - movedAtBase
    steps.push({
      reading,
      readings: reading ? 1 : 0,
      movements: addedUp(some),
      moved,
      expected,
      reported,
      difference: reported === null || expected === null ? null : reported - expected,
    })
  }
  return { base, steps }
}

/** The beginning of the last unbroken run of differing readings. A report that the next one corrects is none. */
function partedIn(base: TrailReading | null, steps: readonly TrailStep[]): Trail['parted'] {
  const compared = steps.flatMap(({ reading, difference }) =>
    reading && difference !== null ? [{ at: reading.at, difference }] : [],
  )
  const lastEqual = compared.findLastIndex(({ difference }) => difference === 0)
  const first = compared[lastEqual + 1]
  const after = compared[lastEqual]?.at ?? base?.at
  return first && after !== undefined ? { after, at: first.at, difference: first.difference } : null
}

/** Consecutive readings of a day with the same difference are one step. */
function folded(steps: readonly TrailStep[], isSameDay: (one: number, other: number) => boolean): TrailStep[] {
  const all: (TrailStep & { parts: TrailMovement[] })[] = []
  for (const step of steps) {
    const last = all.at(-1)
    const parts = step.movements.map((movement) => ({ ...movement, stretch: 0 }))
    const isOne =
      last?.reading &&
      step.reading &&
      last.difference === step.difference &&
      isSameDay(last.reading.at, step.reading.at)
    if (!last || !isOne) all.push({ ...step, parts })
    else {
      const together = [...last.parts, ...parts]
      all[all.length - 1] = { ...step, parts: together, movements: addedUp(together), readings: last.readings + 1 }
    }
  }
  return all.map(({ parts: _, ...step }) => step)
}

/** The trail of a machine's cash. A last step without reading has what moved after the last one; it is left out if nothing did. */
export function trailOf(facts: Facts, isSameDay: (one: number, other: number) => boolean = () => false): Trail {
  const { base, steps } = singleSteps(facts)
  const shown = steps.filter(({ reading, movements }) => reading !== null || movements.length > 0)
  return { base, steps: folded(shown, isSameDay), parted: partedIn(base, steps) }
}
