/** A seeded random generator (sfc32): the same seed gives the same sequence on every machine. */
export interface Random {
  /** From 0 (included) to 1 (excluded). */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number
  chance(probability: number): boolean
  /** One of the items. */
  pick<T>(items: readonly T[]): T
  /** An index with the probability of its weight; −1 when all weights are zero. */
  weighted(weights: readonly number[]): number
  /** A random number of events with this mean. */
  poisson(mean: number): number
  /** A random wait with this mean. */
  wait(mean: number): number
  /** Around 1, always above 0, with about this relative spread. */
  around(spread: number): number
}

export function randomFrom(seed: string): Random {
  let a = hash(seed, 1)
  let b = hash(seed, 2)
  let c = hash(seed, 3)
  let counter = 1
  function next() {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  for (let round = 0; round < 12; round++) next()
  const wait = (mean: number) => -Math.log(1 - next()) * mean
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick<T>(items: readonly T[]): T {
      const item = items[int(0, items.length - 1)]
      if (item === undefined) throw new Error('Nothing to pick from.')
      return item
    },
    weighted(weights) {
      let total = 0
      for (const weight of weights) total += weight
      if (total <= 0) return -1
      let left = next() * total
      for (let index = 0; index < weights.length; index++) {
        left -= weights[index] ?? 0
        if (left < 0) return index
      }
      return weights.length - 1
    },
    poisson(mean) {
      if (mean <= 0) return 0
      if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
      const limit = Math.exp(-mean)
      let count = 0
      for (let product = next(); product > limit; product *= next()) count++
      return count
    },
    wait,
    around: (spread) => Math.exp(spread * normal() - (spread * spread) / 2),
  }
}

/** FNV-1a over the text, from one of several starting points. */
function hash(text: string, lane: number): number {
  let value = 0x811c9dc5 ^ (lane * 0x9e3779b9)
  for (let index = 0; index < text.length; index++) {
    value ^= text.charCodeAt(index)
    value = Math.imul(value, 0x01000193)
  }
  return value | 0
}

/** A constant number from 0 to 1 for a text, such as a day's weather. */
export function fixedChance(text: string): number {
  // The final step of MurmurHash3 spreads small differences.
  let value = hash(text, 0)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0) / 4_294_967_296
}
