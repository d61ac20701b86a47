import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import { cashDatabaseRules } from '#contract/updates/cash-database-rule.ts'
import { firmwareRules } from '#contract/updates/firmware-rule.ts'
import { RolloutState } from '#contract/updates/rollout-state.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { InUse } from '#portal/ui/page/DeleteButton.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { kinds } from './kinds.ts'

/** A rollout under way keeps its rule. */
const inUse = (code: ErrorCode): InUse => ({
  code,
  blockingOf: (said, t) => {
    const { state } = z.object({ state: RolloutState }).parse(said)
    return { blockers: [], note: t('update-rule:underWay', { state: t(`vocabulary:rolloutState.${state}`) }) }
  },
})

/** A firmware rule: its rollout and its fields. */
export const FirmwareRulePage = () => {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  return (
    <RecordPage
      get={firmwareRules.getFirmwareRule}
      param="firmwareRuleId"
      words="firmware-rule"
      remove={firmwareRules.deleteFirmwareRule}
      inUse={inUse('FirmwareRuleInUse')}
      list={kinds.firmware.list}
      subtitle={({ release, machines }) => [
        t('subtitle.release', { release }),
        t('subtitle.machines', { count: machines, number: format.number(machines) }),
      ]}
      tabs={{ rollout: kinds.firmware.page, details: `${kinds.firmware.page}/details` }}
    />
  )
}

/** A cash database rule: its rollout and its fields. */
export const CashDatabaseRulePage = () => {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  return (
    <RecordPage
      get={cashDatabaseRules.getCashDatabaseRule}
      param="cashDatabaseRuleId"
      words="cash-database-rule"
      remove={cashDatabaseRules.deleteCashDatabaseRule}
      inUse={inUse('CashDatabaseRuleInUse')}
      list={kinds.cashDatabase.list}
      subtitle={({ release, machines }) => [
        t('subtitle.release', { release }),
        t('subtitle.machines', { count: machines, number: format.number(machines) }),
      ]}
      tabs={{ rollout: kinds.cashDatabase.page, details: `${kinds.cashDatabase.page}/details` }}
    />
  )
}
