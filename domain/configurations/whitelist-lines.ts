import { isSerial, type SkippedLine } from '#contract/configurations/screen-whitelist.ts'
import { serialKey } from '../machines/serial.ts'

/** The serials of lines, each once and compared by `serialKey`, with their lines; and the lines that are none or repeat one. */
export function whitelistLines(lines: readonly string[]): { serials: Map<string, number>; skipped: SkippedLine[] } {
  const serials = new Map<string, number>()
  const skipped: SkippedLine[] = []
  lines.forEach((text, at) => {
    const serial = serialKey(text)
    const line = at + 1
    if (!isSerial(serial)) skipped.push({ line, text: text.slice(0, 100), reason: 'notSerial' })
    else if (serials.has(serial)) skipped.push({ line, text: text.slice(0, 100), reason: 'repeated' })
    else serials.set(serial, line)
  })
  return { serials, skipped }
}
