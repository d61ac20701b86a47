import type { AuditContent } from '#contract/audits/audit-content.ts'

/**
 * An audit without what it says of the cash boxes, for readers who count blind. Cash in and the pieces by denomination leave little to add up to
 * the box, and rows that the maker defines may have anything.
 */
export const withoutBoxes = (content: AuditContent): AuditContent => ({
  ...content,
  cash: {
    ...content.cash,
    received: null,
    dispensed: null,
    overpaid: null,
    filled: null,
    tubeContents: null,
    coins: [],
    bills: [],
    recyclerBills: [],
    tubes: [],
  },
  makerRows: [],
  unread: { ...content.unread, lines: [] },
  warnings: [],
})
