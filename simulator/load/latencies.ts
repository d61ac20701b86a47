/** Durations in milliseconds, with their percentiles. */
export interface Latencies {
  note(milliseconds: number): void
  /** Undefined without measurements. */
  summary(): LatencySummary | undefined
}

export interface LatencySummary {
  count: number
  p50: number
  p95: number
  p99: number
  worst: number
}

/** Stores every measurement, so that the percentiles are exact. */
export function openLatencies(): Latencies {
  let samples = new Float64Array(4096)
  let count = 0
  return {
    note(milliseconds) {
      if (count === samples.length) {
        const larger = new Float64Array(samples.length * 2)
        larger.set(samples)
        samples = larger
      }
      samples[count++] = milliseconds
    },
    summary() {
      if (count === 0) return undefined
      const sorted = samples.slice(0, count).sort()
      const at = (share: number) => sorted[Math.min(count - 1, Math.ceil(count * share) - 1)] as number
      return { count, p50: at(0.5), p95: at(0.95), p99: at(0.99), worst: sorted[count - 1] as number }
    },
  }
}
