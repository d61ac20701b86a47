import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** A value of a file; a value that the file does not report is shown as not reported, never as zero. */
export function AuditValue({ value }: { value: ReactNode }) {
  const { t } = useTranslation('audit')
  return value ?? <span style={{ color: 'var(--ink-3)' }}>{t('notReported')}</span>
}
