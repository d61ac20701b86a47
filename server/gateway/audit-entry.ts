import { createHash } from 'node:crypto'
import { auditOrigins } from '#contract/vocabulary/audit.ts'
import type { AuditRow, ItemHead } from '#database/ingest.ts'
import type { KnownMachine } from '#database/machine-directory.ts'
import { driftOf, naiveOf } from '#domain/clock.ts'
import { auditTotals } from '#domain/eva-dts/identities.ts'
import { readAudit } from '#domain/eva-dts/reader.ts'
import type { ReadAudit } from './read-message.ts'

/** A clock that says a read is this recent says that it is now. */
const nowishMs = 10 * 60_000

const upload = Object.entries(auditOrigins).find(([, name]) => name === 'upload')?.[0]
/** A bare file over HTTP was uploaded by somebody or something; over MQTT nothing is said of why it was read. */
const bareOrigin = { http: Number(upload), mqtt: 0 }

export type AuditFacts = Omit<AuditRow, keyof ItemHead> & { at: number; machineTime: string | null }

/**
 * What is stored of an audit file. It was read when it came, unless its own clock, corrected by that of its envelope, says that
 * the machine has held it for a while.
 */
export function auditFacts(
  audit: ReadAudit,
  machine: KnownMachine,
  at: { receivedAt: number; oldestAt: number; transport: 'http' | 'mqtt' },
): AuditFacts {
  const content = readAudit(audit.bytes, { fallback: machine.currency })
  return {
    at: readAt(audit.envelope?.at ?? null, content.identity.clock, machine.timeZone, at),
    origin: audit.envelope?.origin ?? bareOrigin[at.transport],
    port: audit.envelope?.port ?? at.transport,
    crc: content.crc.verdict,
    warnings: content.warningsTotal,
    sha256: createHash('sha256').update(audit.bytes).digest(),
    ...auditTotals(content, machine.currency),
    content,
    raw: audit.bytes,
  }
}

function readAt(
  sentAt: string | null,
  clock: string | null,
  zone: string,
  { receivedAt, oldestAt }: { receivedAt: number; oldestAt: number },
): number {
  const sent = sentAt === null ? null : naiveOf(sentAt)
  const read = clock?.includes('T') ? naiveOf(clock) : null
  if (sent === null || read === null) return receivedAt
  // Both are the machine's clock; how long the file was held needs no zone. A clock whose drift is unknown says nothing.
  const heldMs = sent - read
  if (heldMs < nowishMs || Math.abs(driftOf(receivedAt, sent, zone)) > 100 * 365 * 86_400_000) return receivedAt
  return Math.max(oldestAt, receivedAt - heldMs)
}
