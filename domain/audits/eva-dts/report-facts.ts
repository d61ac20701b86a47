import type { AuditContent, AuditCrc, AuditReport } from '#contract/audits/audit-content.ts'
import { crc16, crcOfLines, crcText, swapBytes } from './crc.ts'
import { clip, elementsOf, type Remark } from './elements.ts'
import {
  type chooseReport,
  countSegments,
  crcRows,
  type Envelope,
  isComplete,
  isData,
  isTruncated,
  type Report,
} from './envelope.ts'

/*
 * What the envelope says of a file's reports, and what is odd about it.
 */

const element = (text: string | undefined, index: number) =>
  clip((text === undefined ? undefined : elementsOf(text)[index - 1]) ?? '', 200) || null

/** G85 against the bytes. Older devices swap its two bytes; an odd transport is given the chance of its bytes as they came. */
export function crcOf(bytes: Uint8Array, report: Report | null): AuditCrc {
  const lines = report ? crcRows(bytes, report) : []
  const first = lines[0]
  const last = report?.g85
  const computed = first ? crcOfLines(bytes, lines) : null
  const stated = last ? element(last.text, 1) : null
  const isHex = stated !== null && /^[0-9A-F]{1,4}$/i.test(stated)
  const statedCrc = isHex ? Number.parseInt(stated, 16) : null
  const calculated = [computed, first && last ? crc16(bytes, first.start, last.start) : null]
  const facts = { stated, computed: computed === null ? null : crcText(computed) }
  if (!last) return { verdict: 'absent', ...facts }
  if (statedCrc !== null && calculated.includes(statedCrc)) return { verdict: 'holds', ...facts }
  if (statedCrc !== null && calculated.includes(swapBytes(statedCrc))) return { verdict: 'holdsSwapped', ...facts }
  return { verdict: 'fails', ...facts }
}

export function reportFacts(
  bytes: Uint8Array,
  report: Report,
  main: { report: Report | null; crc: AuditCrc },
): AuditReport {
  const identity = report.rows.find((row) => row.block === 'ID1')
  const isMain = report === main.report
  return {
    firstLine: report.rows[0]?.line ?? 1,
    lastLine: report.rows.at(-1)?.line ?? 1,
    serial: element(identity?.text, 1),
    segments: countSegments(report),
    isComplete: isComplete(report),
    isMain,
    crc: (isMain ? main.crc : crcOf(bytes, report)).verdict,
  }
}

export function envelopeFacts({ lineEnds, codePage }: Envelope, report: Report | null): AuditContent['envelope'] {
  const start = report?.dxs?.text
  const version = element(start, 3)
  const stated = element(report?.se?.text, 1)
  return {
    sender: element(start, 1),
    functionalId: element(start, 2),
    version,
    layout:
      version === null ? 'unknown' : /^V0\//i.test(version) ? 'dts6' : /^V1\//i.test(version) ? 'older' : 'unknown',
    transmission: element(start, 4),
    reportNumber: element(report?.st?.text, 2),
    segmentsStated: stated !== null && /^\d{1,9}$/.test(stated) ? Number(stated) : null,
    segmentsCounted: report ? countSegments(report) : 0,
    lineEnds,
    codePage,
  }
}

/** Remarks on the file and its envelope. Remarks on a machine's rows are added where the rows are read. */
export function remarkEnvelope(remark: Remark, envelope: Envelope, choice: ReturnType<typeof chooseReport>): void {
  const { before, after, lineEnds } = envelope
  const { main, candidates, reason } = choice
  if (before[0] && main) remark('textBeforeStart', before[0].line, { lines: before.length })
  if (after[0]) remark('textAfterEnd', after[0].line, { lines: after.length })
  if (lineEnds !== 'crlf' && lineEnds !== 'none') remark('bareLineEnds', null, { found: lineEnds })
  if (candidates.length > 1) remark('severalReports', null, { reports: candidates.length, chosen: reason })
  if (!main) remark(before.length ? 'noSegments' : 'emptyFile', null)
  else remarkReport(remark, main)
}

function remarkReport(remark: Remark, report: Report): void {
  const firstLine = report.rows[0]?.line ?? null
  if (!report.rows.some(isData)) remark('noSegments', firstLine)
  if (!report.dxs) remark('startMissing', firstLine)
  if (!report.st) remark('headerMissing', firstLine)
  const header = report.st?.text.split('*', 1)[0] ?? 'ST'
  if (header.toUpperCase() !== 'ST') remark('headerVariant', report.st?.line ?? null, { found: header })
  const lowerCase = report.rows.find(({ block, text }) => block !== null && !text.startsWith(block))
  if (lowerCase?.block) remark('lowerCaseBlock', lowerCase.line, { block: lowerCase.block })
  if (isTruncated(report)) remark('truncated', report.rows.at(-1)?.line ?? null)
  if (report.rowsAfterEnd) remark('rowsAfterEnd', report.firstRowAfterEnd, { rows: report.rowsAfterEnd })
}

/** Compares the checksum and the segment count. */
export function remarkChecks(remark: Remark, report: Report, crc: AuditCrc, facts: AuditContent['envelope']): void {
  const line = report.g85?.line ?? null
  const sums = { stated: crc.stated ?? '', computed: crc.computed ?? '' }
  if (crc.verdict === 'absent') remark('crcAbsent', null)
  if (crc.verdict === 'holdsSwapped') remark('crcSwapped', line, sums)
  if (crc.verdict === 'fails') {
    if (/^[0-9A-F]{1,4}$/i.test(sums.stated)) remark('crcFails', line, sums)
    else remark('crcUnreadable', line, { stated: clip(sums.stated, 40) })
  }
  const { segmentsStated: stated, segmentsCounted: counted } = facts
  if (stated !== null && stated !== counted) remark('segmentCountDiffers', report.se?.line ?? null, { stated, counted })
}
