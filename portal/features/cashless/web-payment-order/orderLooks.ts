import { nameOf } from '#contract/vocabulary/numbers.ts'
import type { WebPaymentResult } from '#contract/vocabulary/web-payment.ts'
import { webPaymentResults } from '#contract/vocabulary/web-payment.ts'
import type { Appearance } from '#portal/ui/value/StatusBadge.tsx'

export const orderLooks = {
  waiting: { tone: 'info', mark: 'clock', word: 'vocabulary:webPaymentResult.waiting' },
  success: { tone: 'ok', mark: 'check', word: 'vocabulary:webPaymentResult.success' },
  error: { tone: 'crit', mark: 'cross', word: 'vocabulary:webPaymentResult.error' },
} as const satisfies Record<WebPaymentResult, Appearance>

export const resultOf = ({ result }: { result: number }): WebPaymentResult =>
  nameOf(webPaymentResults, result) ?? 'error'
