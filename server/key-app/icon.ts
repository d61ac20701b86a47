import { png } from '../image/png.ts'

const channels = (colour: string) => [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16))

/** Distance of a point to a line from (x1, y) to (x2, y), or upright. */
function toLine(x: number, y: number, from: [number, number], to: [number, number]): number {
  const dx = to[0] - from[0]
  const dy = to[1] - from[1]
  const along = Math.max(0, Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - from[0] - along * dx, y - from[1] - along * dy)
}

/** Distance of a point to the outline of a key, in a square of side 1; below zero inside of it. It is within the part that every mask shows. */
function toKey(x: number, y: number): number {
  const stroke = 0.035
  return Math.min(
    Math.abs(Math.hypot(x - 0.37, y - 0.5) - 0.115) - stroke,
    toLine(x, y, [0.485, 0.5], [0.75, 0.5]) - stroke,
    toLine(x, y, [0.745, 0.5], [0.745, 0.6]) - stroke,
    toLine(x, y, [0.635, 0.5], [0.635, 0.58]) - stroke,
  )
}

/** The icon of a merchant without a square logo: a key on its color. */
export function keyIcon(side: number, ground: string, mark: string): Buffer {
  const behind = channels(ground)
  const before = channels(mark)
  const rows = Array.from({ length: side }, (_, row) => {
    const bytes = Buffer.alloc(1 + 3 * side)
    for (let column = 0; column < side; column += 1) {
      const share = Math.max(0, Math.min(1, 0.5 - toKey((column + 0.5) / side, (row + 0.5) / side) * side))
      for (let channel = 0; channel < 3; channel += 1) {
        const [from = 0, to = 0] = [behind[channel], before[channel]]
        bytes[1 + 3 * column + channel] = Math.round(from + (to - from) * share)
      }
    }
    return bytes
  })
  return png(side, side, 'rgb', rows)
}
