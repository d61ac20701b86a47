import { createHash } from 'node:crypto'
import type { AuditContent } from '#contract/audit-content.ts'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import type { AuditRow, ItemHead } from '#database/ingest.ts'
import type { KnownMachine } from '#database/machine-directory.ts'
import { happenedAt, naiveOf, type Reading } from '#domain/clock.ts'
import { auditTotals } from '#domain/eva-dts/identities.ts'
import type { ReadAudit } from './read-message.ts'

const upload = Object.entries(auditOrigins).find(([, name]) => name === 'upload')?.[0]
/** A bare file over HTTP was uploaded by somebody or something; over MQTT nothing is said of why it was read. */
const bareOrigin = { http: Number(upload), mqtt: 0 }

export type AuditFacts = Omit<AuditRow, keyof ItemHead> & { at: number; machineTime: string | null }

/**
 * What is stored of an audit file. It was read when its envelope says, or when it came; the machine's own clock inside the file
 * (ID5), which is often another one than the sender's, is kept beside.
 */
export function auditFacts(
  audit: ReadAudit,
  content: AuditContent,
  machine: KnownMachine,
  { transport, ...reading }: Omit<Reading, 'itemAt'> & { transport: 'http' | 'mqtt' },
): AuditFacts {
  const { envelope } = audit
  return {
    at: happenedAt({ ...reading, itemAt: envelope?.readAt === undefined ? null : naiveOf(envelope.readAt) }),
    origin: envelope?.origin ?? bareOrigin[transport],
    port: envelope?.port ?? transport,
    crc: content.crc.verdict,
    warnings: content.warningsTotal,
    sha256: createHash('sha256').update(audit.bytes).digest(),
    ...auditTotals(content, machine.currency),
    content,
    raw: audit.bytes,
  }
}
