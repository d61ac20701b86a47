import type { CodePage } from '#contract/audits/audit-content.ts'
import { noHints, type TextHints, textLines } from './text-lines.ts'

/*
 * The outer form of an audit file: lines, segments, reports. Nothing here throws; what fits no form stays a line of text.
 */

export type LineEnds = 'crlf' | 'lf' | 'cr' | 'mixed' | 'none'

/** A line that is not blank. `block` is its upper-case block name, or null where the line is no segment. */
export type Row = { line: number; block: string | null; written: string; text: string; start: number; end: number }

/** One DXS … DXE, or one ST … SE if several share a DXS. `rows` contains all of it, including lines of text. */
export type Report = {
  rows: Row[]
  dxs: Row | null
  st: Row | null
  g85: Row | null
  se: Row | null
  dxe: Row | null
  firstRowAfterEnd: number | null
  rowsAfterEnd: number
}

/**
 * `cut` is the row in which a file stops short, before any end of its report. It is none of the report's rows: its last element
 * may be half of one.
 */
export type Envelope = {
  reports: Report[]
  before: Row[]
  after: Row[]
  lineEnds: LineEnds
  cut: Row | null
  codePage: CodePage | null
}

/** Block names count only at the start of a line: `EA2*NSE*…` contains `SE*`. Some machines number them, as in `ST-1`. */
const segment = /^(DXS|DXE|ST|SE|G85|[A-Z]{2}\d{1,2})(?:-\d{1,3})?(?=\*|$)/i

const isBlankCode = (code: number) => code <= 0x20 || code === 0x7f || code === 0xfeff

function trimControls(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlankCode(text.charCodeAt(start))) start++
  while (end > start && isBlankCode(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** Rows that are not blank, with the bytes of each; lines count from 1 and end in CRLF, LF or CR. */
function rowsOf(bytes: Uint8Array, hints: TextHints): Pick<Envelope, 'lineEnds' | 'codePage'> & { rows: Row[] } {
  const { lines: texts, page: codePage } = textLines(bytes, hints)
  const rows: Row[] = []
  const ends = { crlf: 0, lf: 0, cr: 0 }
  let start = 0
  for (const [index, whole] of texts.entries()) {
    let end = start
    while (end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d) end++
    const text = trimControls(whole)
    if (text) {
      const name = segment.exec(text)?.[1] ?? null
      rows.push({ line: index + 1, block: name?.toUpperCase() ?? null, written: whole, text, start, end })
    }
    const isCr = bytes[end] === 0x0d
    const isCrlf = isCr && bytes[end + 1] === 0x0a
    if (end < bytes.length) ends[isCrlf ? 'crlf' : isCr ? 'cr' : 'lf']++
    start = end + (isCrlf ? 2 : 1)
  }
  const kinds = (['crlf', 'lf', 'cr'] as const).filter((kind) => ends[kind] > 0)
  return { rows, lineEnds: kinds.length > 1 ? 'mixed' : (kinds[0] ?? 'none'), codePage }
}

/** Removes text that a transport has put before DXS on the same line. */
function splitAtStart(row: Row): Row[] {
  const at = row.block === null ? row.text.toUpperCase().indexOf('DXS*') : -1
  if (at < 0) return [row]
  const start: Row = { ...row, block: 'DXS', written: row.text.slice(at), text: row.text.slice(at) }
  return at === 0 ? [start] : [{ ...row, written: row.text.slice(0, at), text: row.text.slice(0, at) }, start]
}

const newReport = (dxs: Row | null): Report => ({
  rows: [],
  dxs,
  st: null,
  g85: null,
  se: null,
  dxe: null,
  firstRowAfterEnd: null,
  rowsAfterEnd: 0,
})

export const hasEnded = (report: Report) => report.se !== null || report.dxe !== null

export const isTruncated = (report: Report) => report.g85 === null && !hasEnded(report)

/** The data segments of a report, without its envelope and lines of text. */
const frame = new Set(['DXS', 'DXE', 'ST', 'SE', 'G85'])
export const isData = (row: Row) => row.block !== null && !frame.has(row.block)

/** Complete: it has a beginning and something that ends it. */
export const isComplete = (report: Report) => (report.dxs !== null || report.st !== null) && !isTruncated(report)

/** Cuts a file into its reports and the text around them. */
export function readEnvelope(bytes: Uint8Array, hints: TextHints = noHints): Envelope {
  const { rows, lineEnds, codePage } = rowsOf(bytes, hints)
  const reports: Report[] = []
  const before: Row[] = []
  const after: Row[] = []
  const begin = (dxs: Row | null) => {
    const report = newReport(dxs)
    reports.push(report)
    return report
  }
  for (const row of rows.flatMap(splitAtStart)) {
    const current = reports.at(-1)
    if (row.block === null) {
      const place = !current ? before : hasEnded(current) ? after : current.rows
      place.push(row)
    } else if (row.block === 'DXS') {
      begin(row).rows.push(row)
    } else if (row.block === 'ST') {
      // Some machines say who they are before ST: only counters make a report of their own.
      const isAwaited = current?.st === null && !hasEnded(current) && !current.rows.some(isCounter)
      const report = isAwaited ? current : begin(current && !current.dxe ? current.dxs : null)
      report.st = row
      report.rows.push(row)
    } else {
      take(row, current ?? begin(null))
    }
  }
  return { reports, before, after, lineEnds, cut: takeCutRow(reports.at(-1), bytes.length), codePage }
}

function takeCutRow(report: Report | undefined, length: number): Row | null {
  const last = report?.rows.at(-1)
  if (!report || !last || !isTruncated(report) || last.end !== length || !isData(last)) return null
  report.rows.pop()
  return last
}

function take(row: Row, report: Report): void {
  report.rows.push(row)
  if (row.block === 'G85') report.g85 ??= row
  else if (row.block === 'SE') report.se ??= row
  else if (row.block === 'DXE') report.dxe ??= row
  else if (hasEnded(report)) {
    report.rowsAfterEnd++
    report.firstRowAfterEnd ??= row.line
  }
}

/** The start of a row's segment in the file's bytes: after blanks, control characters and a byte order mark. */
export function segmentStart(bytes: Uint8Array, row: Row): number {
  let start = row.start
  while (start < row.end && !isLetter(bytes[start] ?? 0)) start++
  return start
}

const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a

/** The range of the CRC: from ST (or the first segment without ST) to the row before G85. */
export function crcRows(bytes: Uint8Array, report: Report): { start: number; end: number }[] {
  const from = report.st ?? report.rows.find((row) => row.block !== null && row.block !== 'DXS')
  const to = report.g85 ? report.rows.indexOf(report.g85) : report.rows.length
  if (!from) return []
  return report.rows
    .slice(report.rows.indexOf(from), to)
    .map((row) => ({ start: row === from ? segmentStart(bytes, row) : row.start, end: row.end }))
}

/** Segments from ST through SE, both counted, as SE states them. */
export function countSegments(report: Report): number {
  const from = report.st ? report.rows.indexOf(report.st) : 0
  const end = report.se ? report.rows.indexOf(report.se) : report.rows.length - 1
  return report.rows.slice(from, end + 1).filter(({ block }) => block !== null && block !== 'DXS' && block !== 'DXE')
    .length
}

/**
 * The report to show: the only one; else the last complete one with counters; else the fullest. Reports without any data
 * are ignored when another has some.
 */
export function chooseReport(reports: Report[]) {
  const withData = reports.filter((report) => report.rows.some(isData))
  const candidates = withData.length ? withData : reports.slice(0, 1)
  const [first] = candidates
  if (!first) return { main: null, candidates, reason: 'none' as const }
  if (candidates.length === 1) return { main: first, candidates, reason: 'only' as const }
  const complete = candidates.findLast((report) => isComplete(report) && report.rows.some(isCounter))
  if (complete) return { main: complete, candidates, reason: 'lastComplete' as const }
  const sizes = candidates.map((report) => report.rows.filter(isData).length)
  const richest = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0))
  return { main: candidates[richest] ?? first, candidates, reason: 'richest' as const }
}

const isCounter = (row: Row) => row.block !== null && /^(VA|CA|DA|DB|TA|PA)\d/.test(row.block)
