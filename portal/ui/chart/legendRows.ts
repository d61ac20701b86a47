/**
 * The number of rows of a legend, from its items' widths, the gap between them and the available width, all in pixels.
 */
export function legendRows(widths: readonly number[], gap: number, room: number): number {
  let rows = 1
  let used = 0
  for (const width of widths) {
    if (used > 0 && used + width > room) [rows, used] = [rows + 1, 0]
    used += width + gap
  }
  return rows
}
