import { createHash } from 'node:crypto'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import type { AuditRow } from '#database/ingest/audit-rows.ts'
import type { ItemHead } from '#database/ingest/ingest.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { auditedPrices } from '#domain/audits/eva-dts/audited-prices.ts'
import { auditTotals } from '#domain/audits/eva-dts/identities.ts'
import { scaleRemark } from '#domain/audits/eva-dts/plausibility.ts'
import { instantOf } from '#domain/audits/reading-time.ts'
import { isSameSerial } from '#domain/machines/serial.ts'
import { happenedAt, naiveOf, type Reading } from '#domain/time/clock.ts'
import type { ReadAudit } from '../read-message.ts'

/** A bare file over HTTP was uploaded by a user or a program. MQTT gives no origin. */
const bareOrigin = { http: auditOrigins.upload, mqtt: auditOrigins.unknown }

export type AuditFacts = Omit<AuditRow, keyof ItemHead> & { at: number; machineTime: string | null }

type Frame = Omit<Reading, 'itemAt'>

/**
 * The reading time of a file without our envelope: by its modem, or else by the machine's own clock in the file (ID5, EA3). Null if none of
 * them can be right. An EA3 with the time of the last reading (`ownTime`) is from a stopped clock.
 */
function statedReadAt(
  { modem }: ReadAudit,
  { identity, reads }: AuditContent,
  { receivedAt, zone, oldestAt }: Frame,
  { drift, ownTime }: { drift: number | null; ownTime: string | null },
): number | null {
  const frame = { receivedAt, zone, oldestAt }
  const byModem = modem?.readAt ? instantOf(modem.readAt, frame) : null
  if (byModem !== null) return byModem
  const clocks = reads?.thisAt === ownTime ? [identity.clock] : [identity.clock, reads?.thisAt ?? null]
  const walls = clocks.flatMap((wall) => (wall?.includes('T') ? [instantOf({ wall }, { ...frame, drift })] : []))
  return walls.find((at) => at !== null) ?? null
}

/** The parsed file with the remarks that need facts of the machine. */
function withRemarks(
  content: AuditContent,
  {
    machine,
    modem,
    lastKnownPrice,
    isDated,
  }: { machine: KnownMachine; modem: ReadAudit['modem']; lastKnownPrice: number | null; isDated: boolean },
): AuditContent {
  const isOther = modem?.serial && !isSameSerial(modem.serial, machine.serial)
  const params = { serial: modem?.serial ?? '', machine: machine.serial }
  const added = [
    isOther ? { code: 'serialDiffers' as const, line: null, params } : null,
    scaleRemark(content, lastKnownPrice, machine.currency),
    isDated ? null : { code: 'readingTimeUnknown' as const, line: null, params: {} },
  ].filter((remark) => remark !== null)
  const warnings = [...content.warnings, ...added]
  return { ...content, warnings, warningsTotal: content.warningsTotal + added.length }
}

/**
 * The stored facts of an audit file. Its reading time is that of the envelope, of the modem, of the file, or else of receipt. The machine's
 * clock in the file (ID5) is stored beside, since it often differs from the sender's.
 */
export function auditFacts(
  audit: ReadAudit,
  content: AuditContent,
  machine: KnownMachine,
  {
    transport,
    lastKnownPrice,
    ownTime,
    ...reading
  }: Frame & { transport: 'http' | 'mqtt'; lastKnownPrice: number | null; ownTime: string | null },
): AuditFacts {
  const { envelope, modem } = audit
  const drift = machine.driftSeconds === null ? null : machine.driftSeconds * 1000
  const at = envelope
    ? happenedAt({ ...reading, itemAt: envelope.readAt === undefined ? null : naiveOf(envelope.readAt) })
    : statedReadAt(audit, content, reading, { drift, ownTime })
  const remarked = withRemarks(content, { machine, modem, lastKnownPrice, isDated: at !== null })
  const totals = auditTotals(remarked, machine.currency)
  return {
    at: at ?? reading.receivedAt,
    origin: envelope?.origin ?? modem?.origin ?? bareOrigin[transport],
    originWord: modem?.originWord ?? null,
    port: envelope?.port ?? transport,
    crc: remarked.crc.verdict,
    warnings: remarked.warningsTotal,
    sha256: createHash('sha256').update(audit.bytes).digest(),
    ...totals,
    machineTime: totals.machineTime ?? (modem?.readAt && 'wall' in modem.readAt ? modem.readAt.wall : null),
    content: remarked,
    prices: auditedPrices(remarked, machine.currency),
    raw: audit.bytes,
  }
}
