import type { DepositStatus } from '#contract/vocabulary/cash.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const depositLooks = {
  open: { tone: 'info', mark: 'ring', word: 'deposit:status.open' },
  credited: { tone: 'ok', mark: 'check', word: 'deposit:status.credited' },
  differs: { tone: 'crit', mark: 'triangle', word: 'deposit:status.differs' },
} as const satisfies Record<DepositStatus, Appearance>
