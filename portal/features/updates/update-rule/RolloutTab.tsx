import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RuleKind } from '#contract/updates/rollout-kind.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Columns } from '#portal/ui/page/Columns.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { kinds } from './kinds.ts'
import { RolloutBanner } from './RolloutBanner.tsx'
import { RolloutCohorts } from './RolloutCohorts.tsx'
import { RolloutHistory } from './RolloutHistory.tsx'
import { RolloutLimits } from './RolloutLimits.tsx'
import { RolloutMachines } from './RolloutMachines.tsx'
import { RolloutSteps } from './RolloutSteps.tsx'

/** A rollout, live: its state and buttons, cohorts, limits, next steps, machines and history. */
function RolloutTab({ kind }: { kind: RuleKind }) {
  const { t } = useTranslation('update-rule')
  const { param, rollout: row } = kinds[kind]
  const answer = useRecord(row, param)
  const rollout = answer.data
  if (answer.error && !rollout) return <ErrorState error={answer.error} retry={answer.refetch} />
  if (!rollout) return null
  return (
    <Stack gap="md">
      <RolloutBanner rollout={rollout} />
      <Card title={t('card.cohorts')} note={t('card.cohortsNote')}>
        <RolloutCohorts rollout={rollout} />
      </Card>
      <Columns of="minmax(0, 3fr) minmax(0, 2fr)" from="sm" gap="md">
        <Card title={t('card.limits')} note={t('card.limitsNote')}>
          <RolloutLimits rollout={rollout} />
        </Card>
        <Card title={t('card.next')} note={rollout.timeZone}>
          <RolloutSteps rollout={rollout} />
        </Card>
      </Columns>
      <RolloutMachines rollout={rollout} />
      <Card title={t('card.history')}>
        <RolloutHistory rollout={rollout} />
      </Card>
    </Stack>
  )
}

export const FirmwareRolloutTab = () => <RolloutTab kind="firmware" />
export const CashDatabaseRolloutTab = () => <RolloutTab kind="cashDatabase" />
