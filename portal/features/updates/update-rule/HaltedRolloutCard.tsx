import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { HaltedRollout } from '#contract/updates/halted-rollout.ts'
import classes from './HaltedRolloutCard.module.css'
import { HaltedRolloutLine } from './HaltedRolloutLine.tsx'

/** Halted rollouts above a list, each with a link to it. */
export default function HaltedRolloutCard({ rollouts }: { rollouts: readonly HaltedRollout[] }) {
  const { t } = useTranslation('update-rule')
  return (
    <Box
      component="section"
      mb="part"
      bd="1px solid var(--crit)"
      bdrs="lg"
      bg="var(--surface)"
      aria-label={t('card.halted')}
    >
      <ul>
        {rollouts.map((rollout) => (
          <HaltedRolloutLine key={rollout.id} rollout={rollout} looks={classes} />
        ))}
      </ul>
    </Box>
  )
}
