import { useCallback } from 'react'
import { useGo } from '#portal/app/go.ts'
import type { Search } from '#portal/app/search.ts'

/** Contents, changes since the previous reading, transactions received in that time, and the file. */
export const auditParts = ['read', 'between', 'compared', 'raw'] as const
export type AuditPart = (typeof auditParts)[number]

/** The address names the open audit, its part and line, so that a link reproduces it. */
export function useAuditPlace() {
  const go = useGo()
  const change = useCallback((here: Search) => void go({ here }, { resetScroll: false }), [go])
  return {
    open: (audit: string) => change({ audit, part: undefined, line: undefined }),
    close: () => change({ audit: undefined, part: undefined, line: undefined }),
    showPart: (part: AuditPart) => change({ part: part === 'read' ? undefined : part, line: undefined }),
    showLine: (line: number) => change({ part: 'raw', line: String(line) }),
  }
}
