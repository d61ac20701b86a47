import { Box, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { refundFigures, typeOfRefunds } from '#contract/vocabulary/insight/report.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import classes from './Report.module.css'

/** What "refunds" may mean: each figure with its meaning and its list. */
export function RefundGlossary() {
  const { t } = useTranslation('report')
  return (
    <details className={classes.glossary}>
      <summary>{t('refunds.glossary')}</summary>
      <Stack component="dl" gap="near" my="xs">
        {refundFigures.map((figure) => (
          <div key={figure}>
            <Box component="dt" fw={550}>
              {figure === 'given' ? (
                t(`refunds.name.${figure}`)
              ) : (
                <PlaceLink
                  place={{
                    to: '/transactions/data',
                    search: figure === 'ofSales' ? { refunded: 'true' } : { types: [String(typeOfRefunds[figure])] },
                  }}
                >
                  {t(`refunds.name.${figure}`)}
                </PlaceLink>
              )}
            </Box>
            <Box component="dd" display="block" maw="62ch" c="dimmed" fz="xs" fw={400} className={classes.meaning}>
              {t(`refunds.text.${figure}`)}
            </Box>
          </div>
        ))}
      </Stack>
      <Text maw="62ch" my="1em" c="dimmed" fz="xs">
        {t('refunds.differ')}
      </Text>
    </details>
  )
}
