import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** What a file reports; what it does not report is told as such and never as zero. */
export function Reported({ value }: { value: ReactNode }) {
  const { t } = useTranslation('audit')
  return value ?? <span style={{ color: 'var(--ink-3)' }}>{t('notReported')}</span>
}
