import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperationStats } from '#contract/insight/admin-stats.ts'
import type { deadLetters } from '#contract/platform/dead-letter.ts'
import { listPlace } from '#portal/ui/list/listPlace.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import classes from './AdminDashboard.module.css'
import { Figure } from './Figure.tsx'

/** Dead letters, and work in progress. Exports belong to single users, so no list shows them all. */
export function OperationsCard({ operations }: { operations: OperationStats | undefined }) {
  const { t } = useTranslation('admin-dashboard')
  const letters = listPlace<typeof deadLetters.listDeadLetters>('/admin/dead-letters', { isReplayed: false })
  return (
    <Card title={t('operations.title')}>
      <dl className={classes.tiles}>
        <div>
          <Box component="dt" c="dimmed" fz="sm">
            {t('operations.deadLetters')}
          </Box>
          <Box component="dd" fz="xl" fw={650} lh="32px">
            <Figure count={operations?.deadLetters} place={letters} />
          </Box>
        </div>
        {(['deadLettersToday', 'exportsWaiting', 'exportsRunning', 'exportsFailed'] as const).map((what) => (
          <div key={what}>
            <Box component="dt" c="dimmed" fz="sm">
              {t(`operations.${what}`)}
            </Box>
            <Box component="dd" fz="xl" fw={650} lh="32px">
              <Figure count={operations?.[what]} />
            </Box>
          </div>
        ))}
      </dl>
    </Card>
  )
}
