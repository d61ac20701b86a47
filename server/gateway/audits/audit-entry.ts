import { createHash } from 'node:crypto'
import type { AuditContent } from '#contract/audits/audit-content.ts'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import type { AuditRow, ItemHead } from '#database/ingest/ingest.ts'
import type { KnownMachine } from '#database/machines/machine-directory.ts'
import { auditedPrices } from '#domain/audits/eva-dts/audited-prices.ts'
import { auditTotals } from '#domain/audits/eva-dts/identities.ts'
import { scaleRemark } from '#domain/audits/eva-dts/plausibility.ts'
import { happenedAt, naiveOf, type Reading } from '#domain/time/clock.ts'
import type { ReadAudit } from '../read-message.ts'

const upload = Object.entries(auditOrigins).find(([, name]) => name === 'upload')?.[0]
/** A bare file over HTTP was uploaded by a user or a program. MQTT gives no origin. */
const bareOrigin = { http: Number(upload), mqtt: 0 }

export type AuditFacts = Omit<AuditRow, keyof ItemHead> & { at: number; machineTime: string | null }

/** If a modem's date is older than this, its clock was never set. */
const longestWaitMs = 7 * 86_400_000

/** The modem's reading time if it is plausible, else the time of receipt. */
function modemReadAt(readAt: string | null | undefined, reading: Omit<Reading, 'itemAt'>): number {
  const naive = readAt ? naiveOf(readAt) : null
  const at = happenedAt({ ...reading, itemAt: naive })
  return at < reading.receivedAt - longestWaitMs ? reading.receivedAt : at
}

/** The parsed file with the remarks that need facts of the machine. */
export function withRemarks(
  content: AuditContent,
  { machine, modem, known }: { machine: KnownMachine; modem: ReadAudit['modem']; known: number | null },
): AuditContent {
  const isOther = modem?.serial && modem.serial.toLowerCase() !== machine.serial.toLowerCase()
  const params = { serial: modem?.serial ?? '', machine: machine.serial }
  const added = [
    isOther ? { code: 'serialDiffers' as const, line: null, params } : null,
    scaleRemark(content, known, machine.currency),
  ].filter((remark) => remark !== null)
  const warnings = [...content.warnings, ...added]
  return { ...content, warnings, warningsTotal: content.warningsTotal + added.length }
}

/**
 * The stored facts of an audit file. Its reading time is that of the envelope, or else the time of receipt. The machine's
 * clock in the file (ID5) is stored separately, since it often differs from the sender's.
 */
export function auditFacts(
  audit: ReadAudit,
  content: AuditContent,
  machine: KnownMachine,
  { transport, ...reading }: Omit<Reading, 'itemAt'> & { transport: 'http' | 'mqtt' },
): AuditFacts {
  const { envelope, modem } = audit
  const totals = auditTotals(content, machine.currency)
  return {
    at: modem
      ? modemReadAt(modem.readAt, reading)
      : happenedAt({ ...reading, itemAt: envelope?.readAt === undefined ? null : naiveOf(envelope.readAt) }),
    origin: envelope?.origin ?? modem?.origin ?? bareOrigin[transport],
    port: envelope?.port ?? transport,
    crc: content.crc.verdict,
    warnings: content.warningsTotal,
    sha256: createHash('sha256').update(audit.bytes).digest(),
    ...totals,
    machineTime: totals.machineTime ?? modem?.readAt ?? null,
    content,
    prices: auditedPrices(content, machine.currency),
    raw: audit.bytes,
  }
}
