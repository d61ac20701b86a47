import type { AuditContent, CodePage } from '#contract/audits/audit-content.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { createThread } from '../../threads/thread.ts'
import type { AuditFile } from './audit-thread.ts'

export interface AuditReader {
  /** The content of a file, as `readAudit` finds it. Rejects as a thread does. */
  read(bytes: Uint8Array, fallback: Currency | null, lastPage?: CodePage | null): Promise<AuditContent>
  stop(): Promise<void>
}

/** A megabyte of noise needs a small part of this. */
const threadMegabytes = 512

/** Reads audit files in a separate thread: a megabyte takes a third of a second, which would block the gateway. */
export function createAuditReader(script = new URL('./audit-thread.ts', import.meta.url)): AuditReader {
  const thread = createThread<AuditFile, AuditContent>(script, { megabytes: threadMegabytes })
  return {
    read(file, fallback, lastPage = null) {
      // A copy: the bytes may be a slice of a larger buffer, which would be sent as a whole.
      const bytes = new Uint8Array(file)
      return thread.run({ bytes, fallback, lastPage }, [bytes.buffer])
    },
    stop: thread.stop,
  }
}
