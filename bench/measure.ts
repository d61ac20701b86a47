/** The promise about a figure. */
export type Promised = { atMost: number; unit: Unit } | { atLeast: number; unit: Unit }
export type Unit = '×' | '%' | 'ms' | 's' | 'kB' | 'MB' | 'points'

/** One line of the table: a figure, its reference, and the promise. */
export interface Finding {
  what: string
  figure: string
  /** The reference of the figure; undefined if the promise is about the figure itself. */
  reference?: string
  /** The value of the promise, in its unit. */
  value: number
  /** Undefined: the figure is for scale only. */
  promised?: Promised
}

/** A measurement of `npm run bench`. */
export interface Measurement {
  title: string
  /** The compared subjects, for the documentation. */
  about: string
  /** `quick` shortens slow measurements; its figures are for trials. */
  run(bench: { quick: boolean; say: (line: string) => void }): Promise<Finding[]>
}

export const isKept = ({ value, promised }: Finding) =>
  promised === undefined || ('atMost' in promised ? value <= promised.atMost : value >= promised.atLeast)

/** The value below which `share` of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error('Nothing was measured.')
  return value
}
export const median = (values: readonly number[]) => percentile(values, 0.5)

/** An operation that one client repeats, one call after the other. */
export interface Subject {
  name: string
  once(): Promise<unknown>
}

/** Milliseconds of one subject: medians over the rounds. */
export interface Times {
  p50: number
  p95: number
}

export interface Compared {
  subject: Times
  reference: Times
  /** The subject's p50 (or p95) divided by the reference's: the median of the rounds' ratios. */
  ratio: Times
}

const rounds = 3

/**
 * Times two subjects alternately, call by call, so that other load on the machine affects both. Each of three rounds has
 * its own ratio; the table shows the median of the three.
 */
export async function compare(subject: Subject, reference: Subject, calls: number, warmUp = 50): Promise<Compared> {
  for (let call = 0; call < warmUp; call += 1) {
    await subject.once()
    await reference.once()
  }
  const pairs: { subject: Times; reference: Times }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const times = { subject: [] as number[], reference: [] as number[] }
    for (let call = 0; call < calls; call += 1) {
      times.subject.push(await timed(subject))
      times.reference.push(await timed(reference))
    }
    pairs.push({ subject: timesOf(times.subject), reference: timesOf(times.reference) })
  }
  const over = (pick: (round: (typeof pairs)[number]) => number) => median(pairs.map(pick))
  return {
    subject: { p50: over((round) => round.subject.p50), p95: over((round) => round.subject.p95) },
    reference: { p50: over((round) => round.reference.p50), p95: over((round) => round.reference.p95) },
    ratio: {
      p50: over((round) => round.subject.p50 / round.reference.p50),
      p95: over((round) => round.subject.p95 / round.reference.p95),
    },
  }
}

/** Times one subject alone, round by round. */
export async function timesOfRounds(
  subject: Subject,
  calls: number,
  { warmUp = 50, rounds = 3 } = {},
): Promise<Times[]> {
  for (let call = 0; call < warmUp; call += 1) await subject.once()
  const measured: Times[] = []
  for (let round = 0; round < rounds; round += 1) {
    const times: number[] = []
    for (let call = 0; call < calls; call += 1) times.push(await timed(subject))
    measured.push(timesOf(times))
  }
  return measured
}

async function timed({ once }: Subject): Promise<number> {
  const startedAt = performance.now()
  await once()
  return performance.now() - startedAt
}

const timesOf = (times: readonly number[]): Times => ({ p50: percentile(times, 0.5), p95: percentile(times, 0.95) })

export const inMs = (milliseconds: number) => `${milliseconds.toFixed(2)} ms`

/** The line of a comparison with a maximum ratio of the p50. */
export const atMostTimes = (what: string, compared: Compared, times: number, reference: string): Finding => ({
  what,
  figure: `${inMs(compared.subject.p50)} (p95 ${inMs(compared.subject.p95)})`,
  reference: `${reference} ${inMs(compared.reference.p50)} (p95 ${inMs(compared.reference.p95)})`,
  value: compared.ratio.p50,
  promised: { atMost: times, unit: '×' },
})

/** A call within `quickMs` is quick whatever its ratio: of a call of 3 ms, the ratio would measure what a request costs at all. */
export const flat = { times: 3, quickMs: 50, ms: 150 }

/** The line of a call at 10,000 machines against 200. It is about the limit that the call comes nearer to; about `ownMs` where a call has its own. */
export function flatly(what: string, { subject, reference, ratio }: Compared, ownMs?: number): Finding {
  if (ownMs !== undefined)
    return {
      what,
      figure: `${inMs(subject.p50)} (${ratio.p50.toFixed(2)} ×)`,
      reference: `of 200 machines ${inMs(reference.p50)}`,
      value: subject.p50,
      promised: { atMost: ownMs, unit: 'ms' },
    }
  const isQuick = subject.p50 <= flat.quickMs && ratio.p50 > flat.times
  const inTime = isQuick || subject.p50 / flat.ms > ratio.p50 / flat.times
  return {
    what,
    figure: `${inMs(subject.p50)}${inTime ? ` (${ratio.p50.toFixed(2)} ×)` : ''}`,
    reference: `of 200 machines ${inMs(reference.p50)}`,
    value: inTime ? subject.p50 : ratio.p50,
    promised: inTime ? { atMost: isQuick ? flat.quickMs : flat.ms, unit: 'ms' } : { atMost: flat.times, unit: '×' },
  }
}
