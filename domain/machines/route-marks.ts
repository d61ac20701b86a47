/** A stop of a route where it is drawn, in pixels. */
export interface DrawnStop {
  number: number
  name: string
  x: number
  y: number
}

/** Stops that a map marks together: at the place of the first. */
export interface RouteMark {
  x: number
  y: number
  /** Their numbers: `4`, or `1–3, 7`. */
  text: string
  /** What the mark stands for in words, stop by stop. */
  name: string
}

/** Stops nearer to each other than this, in pixels, have one mark. */
const nearest = 22

/** The marks of a route's stops: near ones are joined, so that each number is read at every zoom. */
export function marksOfRoute(stops: readonly DrawnStop[]): RouteMark[] {
  const groups: DrawnStop[][] = []
  for (const stop of stops) {
    const near = groups.find(([first]) => first && Math.hypot(first.x - stop.x, first.y - stop.y) < nearest)
    if (near) near.push(stop)
    else groups.push([stop])
  }
  return groups.flatMap((group) => {
    const [first] = group
    return first
      ? [
          {
            x: first.x,
            y: first.y,
            text: rangesOf(group.map(({ number }) => number)),
            name: group.map(({ number, name }) => `${number}. ${name}`).join('\n'),
          },
        ]
      : []
  })
}

/** Rising numbers with their gaps. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] + 1 === number) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ')
}
