/** Distances between places, `distances[from][to]`. Those of the two directions are averaged: a tour is tried in both. */
export type Distances = readonly (readonly number[])[]

/** So few places are tried in each order. */
const fewPlaces = 8
/** Near places of each place, where a better neighbour is looked for. */
const nearest = 8
/** A stretch of up to so many stops moves to another place of the tour. */
const longestStretch = 3
/** Disturbances of a tour that no single change shortens: so many in total, spread over the stops. */
const tries = 100_000
const mostTriesPerStop = 10
const least = 1e-7

/**
 * The order that visits all places by a short way, each once: nearest neighbours first, then two edges exchanged (2-opt) and stretches moved (Or-opt) until
 * nothing is shorter, then the same from many disturbed tours. `start` is first. The way ends at the last stop, or `returns` to the start. The same places give
 * the same order. Few places are visited by the shortest way of all.
 */
export function shortOrder(distances: Distances, start: number, returns: boolean): number[] {
  const count = distances.length
  if (count === 0) return []
  if (count <= fewPlaces) return shortestOrder(distances, start, returns)
  // A way that ends anywhere is a round trip by a place that is next to the start and as near to each other place.
  const size = returns ? count : count + 1
  const matrix = matrixOf(distances, size, start)
  const tour = new Tour(matrix, size, start)
  tour.improve(tour.all())
  const random = sequence(size)
  for (let left = Math.min(mostTriesPerStop * size, Math.ceil(tries / size)); left > 0; left--) tour.retry(random)
  const order = tour.from(start)
  if (returns) return order
  return order[1] === count ? [start, ...order.slice(2).reverse()] : order.slice(0, -1)
}

/** The shortest of all orders from the start on. */
function shortestOrder(distances: Distances, start: number, returns: boolean): number[] {
  let shortest = Number.POSITIVE_INFINITY
  let order: number[] = []
  const extend = (way: readonly number[], left: readonly number[], length: number) => {
    const last = way.at(-1) ?? start
    const whole = left.length === 0 && returns ? length + between(distances, last, start) : length
    if (whole >= shortest) return
    if (left.length === 0) {
      shortest = whole
      order = [...way]
    }
    for (const next of left)
      extend(
        [...way, next],
        left.filter((one) => one !== next),
        length + between(distances, last, next),
      )
  }
  const all = distances.map((_, at) => at)
  extend(
    [start],
    all.filter((at) => at !== start),
    0,
  )
  return order
}

const between = (distances: Distances, one: number, other: number): number =>
  ((distances[one]?.[other] ?? 0) + (distances[other]?.[one] ?? 0)) / 2

function matrixOf(distances: Distances, size: number, start: number): Float64Array {
  const matrix = new Float64Array(size * size)
  const count = distances.length
  let longest = 0
  for (let from = 0; from < count; from++)
    for (let to = 0; to < count; to++) {
      const distance = between(distances, from, to)
      matrix[from * size + to] = distance
      longest = Math.max(longest, distance)
    }
  for (let at = 0; size > count && at < count; at++) {
    const distance = at === start ? -2 * (longest + 1) : 0
    matrix[count * size + at] = distance
    matrix[at * size + count] = distance
  }
  return matrix
}

/** Numbers from 0 to below a bound, always the same ones (a linear congruence). */
function sequence(seed: number) {
  let state = seed >>> 0
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}

class Tour {
  private readonly stops: Int32Array
  private readonly places: Int32Array
  private readonly near: Int32Array[]
  private readonly kept: Int32Array
  private readonly matrix: Float64Array
  private readonly size: number

  constructor(matrix: Float64Array, size: number, start: number) {
    this.matrix = matrix
    this.size = size
    this.near = Array.from({ length: size }, (_, from) =>
      Int32Array.from(
        Array.from({ length: size }, (_, to) => to)
          .filter((to) => to !== from)
          .sort((one, other) => this.far(from, one) - this.far(from, other))
          .slice(0, nearest),
      ),
    )
    this.stops = new Int32Array(size)
    this.places = new Int32Array(size)
    this.kept = new Int32Array(size)
    const left = new Set(Array.from({ length: size }, (_, at) => at))
    for (let at = 0, here = start; at < size; at++) {
      this.put(at, here)
      left.delete(here)
      let next = here
      for (const one of left) if (next === here || this.far(here, one) < this.far(here, next)) next = one
      here = next
    }
  }

  all = (): number[] => [...this.stops]

  /** The tour from a stop on. */
  from(start: number): number[] {
    const place = this.places[start] ?? 0
    return [...this.stops.subarray(place), ...this.stops.subarray(0, place)]
  }

  /** Disturbs the tour around a place, improves it there, and takes it back if it is longer. */
  retry(random: (below: number) => number): void {
    const { size, stops } = this
    if (size < 8) return
    this.kept.set(stops)
    const span = Math.min(50, size)
    const cuts = [0, 0, 0].map(() => 1 + random(span - 2)).sort((one, other) => one - other)
    const [first = 1, second = 2, third = 3] = cuts
    if (first === second || second === third) return
    // Two neighbouring stretches change places (a double bridge).
    const begin = random(size)
    const at = (offset: number) => this.kept[(begin + offset) % size] ?? 0
    let before = 0
    let after = 0
    const edges = (stopsNow: Int32Array) => {
      let sum = 0
      for (let offset = 0; offset <= third; offset++)
        sum += this.far(stopsNow[(begin + offset) % size] ?? 0, stopsNow[(begin + offset + 1) % size] ?? 0)
      return sum
    }
    before = edges(stops)
    const disturbed: number[] = []
    for (let offset = second + 1; offset <= third; offset++) disturbed.push(at(offset))
    for (let offset = first + 1; offset <= second; offset++) disturbed.push(at(offset))
    for (const [offset, stop] of disturbed.entries()) this.put((begin + first + 1 + offset) % size, stop)
    after = edges(stops)
    const ends = [first, first + 1, second, second + 1, third, third + 1].map(at)
    if (after - before - this.improve(ends) < least) return
    for (let place = 0; place < size; place++) this.put(place, this.kept[place] ?? 0)
  }

  /** Shortens the tour from some stops on until no change does. Returns by how much. */
  improve(stops: number[]): number {
    const queue = [...stops]
    const isQueued = new Uint8Array(this.size)
    for (const stop of queue) isQueued[stop] = 1
    let gained = 0
    for (let stop = queue.pop(); stop !== undefined; stop = queue.pop()) {
      isQueued[stop] = 0
      const changed = this.exchange(stop) ?? this.move(stop)
      if (!changed) continue
      gained += changed.gain
      for (const one of [...changed.stops, stop])
        if (!isQueued[one]) {
          isQueued[one] = 1
          queue.push(one)
        }
    }
    return gained
  }

  /** Two edges, one at the stop, for two shorter ones. */
  private exchange(stop: number) {
    for (const isForward of [true, false]) {
      const beside = isForward ? this.next(stop) : this.previous(stop)
      const own = this.far(stop, beside)
      for (const other of this.near[stop] ?? []) {
        if (this.far(stop, other) >= own) break
        const besideOther = isForward ? this.next(other) : this.previous(other)
        if (other === beside || besideOther === stop) continue
        const gain = own + this.far(other, besideOther) - this.far(stop, other) - this.far(beside, besideOther)
        if (gain < least) continue
        if (isForward) this.turn(beside, other)
        else this.turn(other, beside)
        return { gain, stops: [beside, other, besideOther] }
      }
    }
    return null
  }

  /** A stretch that begins or ends at the stop goes beside a near stop. */
  private move(stop: number) {
    for (const isForward of [true, false]) {
      let last = stop
      for (let length = 1; length <= longestStretch && length < this.size - 2; length++) {
        if (length > 1) last = isForward ? this.next(last) : this.previous(last)
        const before = isForward ? this.previous(stop) : this.next(stop)
        const after = isForward ? this.next(last) : this.previous(last)
        const freed = this.far(before, stop) + this.far(last, after) - this.far(before, after)
        if (freed < least) continue
        for (const target of this.near[stop] ?? []) {
          if (this.far(stop, target) >= freed) break
          if (this.isWithin(target, stop, length, isForward)) continue
          for (const beside of [this.next(target), this.previous(target)]) {
            if (this.isWithin(beside, stop, length, isForward)) continue
            const gain = freed - this.far(target, stop) - this.far(last, beside) + this.far(target, beside)
            if (gain < least) continue
            this.place(stop, last, length, isForward, target, beside)
            return { gain, stops: [last, before, after, target, beside] }
          }
        }
      }
    }
    return null
  }

  /** Whether a stop belongs to the stretch that begins at `first`. */
  private isWithin(stop: number, first: number, length: number, isForward: boolean): boolean {
    const steps = (this.places[stop] ?? 0) - (this.places[first] ?? 0)
    const distance = ((isForward ? steps : -steps) + this.size) % this.size
    return distance < length
  }

  /** Puts a stretch between two neighbours, its first stop beside `target`. */
  private place(first: number, last: number, length: number, isForward: boolean, target: number, beside: number): void {
    const { size } = this
    const stretch: number[] = []
    for (let stop = first, at = 0; at < length; at++) {
      stretch.push(stop)
      stop = isForward ? this.next(stop) : this.previous(stop)
    }
    const isBehind = this.next(target) === beside
    const rest: number[] = []
    const begin = this.places[isForward ? last : first] ?? 0
    for (let offset = 1; offset <= size - length; offset++) rest.push(this.stops[(begin + offset) % size] ?? 0)
    const at = rest.indexOf(isBehind ? target : beside) + 1
    const order = [...rest.slice(0, at), ...(isBehind ? stretch : stretch.reverse()), ...rest.slice(at)]
    for (const [place, stop] of order.entries()) this.put(place, stop)
  }

  /** Turns the stretch from one stop on to another, or the rest of the tour if that is shorter. */
  private turn(first: number, last: number): void {
    const { size } = this
    let from = this.places[first] ?? 0
    let to = this.places[last] ?? 0
    let length = ((to - from + size) % size) + 1
    if (length * 2 > size) {
      const rest = from
      from = (to + 1) % size
      to = (rest - 1 + size) % size
      length = size - length
    }
    for (let swaps = length >> 1; swaps > 0; swaps--) {
      const one = this.stops[from] ?? 0
      this.put(from, this.stops[to] ?? 0)
      this.put(to, one)
      from = (from + 1) % size
      to = (to - 1 + size) % size
    }
  }

  private put(place: number, stop: number): void {
    this.stops[place] = stop
    this.places[stop] = place
  }

  private far = (from: number, to: number): number => this.matrix[from * this.size + to] ?? 0
  private next = (stop: number): number => this.stops[((this.places[stop] ?? 0) + 1) % this.size] ?? 0
  private previous = (stop: number): number => this.stops[((this.places[stop] ?? 0) + this.size - 1) % this.size] ?? 0
}
