// The thread that parses audit files. Each message is a file; the answer is its content.
import { parentPort } from 'node:worker_threads'
import type { AuditContent, CodePage } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { readAudit } from '#domain/audits/eva-dts/reader.ts'

export interface AuditFile {
  bytes: Uint8Array
  /** The currency of the machine's merchant, for files without a currency. */
  fallback: Currency | null
  /** The code page of the machine's last reading. */
  lastPage: CodePage | null
}

parentPort?.on('message', ({ bytes, fallback, lastPage }: AuditFile) => {
  const content: AuditContent = readAudit(bytes, { fallback, lastPage })
  parentPort?.postMessage(content)
})
