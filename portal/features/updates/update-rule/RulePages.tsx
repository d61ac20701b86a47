import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { RuleKind } from '#contract/updates/rollout-kind.ts'
import { RolloutState } from '#contract/updates/rollout-state.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { InUse } from '#portal/ui/page/DeleteButton.tsx'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'
import { kinds } from './kinds.ts'

/** A rollout under way keeps its rule. */
const inUse = (code: ErrorCode): InUse => ({
  code,
  blockingOf: (problem, t) => {
    const { state } = z.object({ state: RolloutState }).parse(problem)
    return { blockers: [], note: t('update-rule:underWay', { state: t(`vocabulary:rolloutState.${state}`) }) }
  },
})

/** A rule: its rollout and its fields. */
function RulePage({ kind }: { kind: RuleKind }) {
  const { t } = useTranslation('update-rule')
  const format = useFormat()
  const { words, param, list, page, get, remove, inUse: code } = kinds[kind]
  return (
    <RecordPage
      get={get as typeof kinds.firmware.get}
      param={param as typeof kinds.firmware.param}
      words={words}
      remove={remove as typeof kinds.firmware.remove}
      inUse={inUse(code)}
      list={list}
      subtitle={({ release, machines }) => [
        t('subtitle.release', { release }),
        t('subtitle.machines', { count: machines, number: format.number(machines) }),
      ]}
      tabs={{ rollout: page, details: `${page}/details` }}
    />
  )
}

export const FirmwareRulePage = () => <RulePage kind="firmware" />
export const CashDatabaseRulePage = () => <RulePage kind="cashDatabase" />
