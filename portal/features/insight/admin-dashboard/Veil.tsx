import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './AdminDashboard.module.css'
import { useRevealed } from './revealed.ts'

/** A figure that is hidden until the user reveals it: the blurred placeholder contains no number, also for screen readers. */
export function Veil({ children, width = 3 }: { children: ReactNode; width?: number }) {
  const { t } = useTranslation('admin-dashboard')
  const [isRevealed] = useRevealed()
  if (isRevealed) return children
  return (
    <Text span display="inline-block" c="dimmed">
      <span aria-hidden className={classes.blur}>
        {'8'.repeat(width)}
      </span>
      <span className="unseen">{t('hidden')}</span>
    </Text>
  )
}
