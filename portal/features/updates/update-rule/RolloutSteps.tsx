import { Box, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Rollout } from '#contract/updates/rollout.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { When } from '#portal/ui/time/When.tsx'
import classes from './UpdateRule.module.css'

/** What happens next, and when. */
export function RolloutSteps({ rollout }: { rollout: Rollout }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const { direction, installWindow, healthMinutes, usualMinutes } = rollout
  return (
    <>
      <Stack component="ol" gap="sm">
        {rollout.next.map(({ step, at, machines }) => (
          <li key={step} className={classes.step}>
            <Box component="strong" display="block" fw={600}>
              {t(`step.${step}`, { count: machines, number: format.number(machines) })}
            </Box>
            <Text span c="faint" fz="xs">
              {at ? (
                <When at={at} as="minute" timeZone={rollout.timeZone} />
              ) : (
                t(`stepWhen.${step === 'decide' && direction === 'back' ? 'decideBack' : step}`)
              )}
            </Text>
          </li>
        ))}
      </Stack>
      <Text c="faint" fz="xs">
        {installWindow ? t('window.said', installWindow) : t('window.anyTime')} ·{' '}
        {t('usualSaid', { number: format.number(usualMinutes) })} ·{' '}
        {t('healthSaid', { number: format.number(healthMinutes) })}
      </Text>
    </>
  )
}
