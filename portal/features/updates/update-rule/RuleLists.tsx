import { useTranslation } from 'react-i18next'
import type { FirmwareRule } from '#contract/updates/firmware-rule.ts'
import type { RuleKind } from '#contract/updates/rollout-kind.ts'
import { rolloutStates } from '#contract/updates/rollout-state.ts'
import { ruleColumns, ruleOrds } from '#contract/updates/update-rule.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { kinds } from './kinds.ts'
import { rolloutLooks } from './rolloutLooks.ts'

/** What both kinds of rules show in their list. */
type UpdateRule = Omit<FirmwareRule, 'firmwareId'>

const columns = recordColumns<UpdateRule>(ruleColumns, ruleOrds, {
  lines: ['release'],
  hidden: ['createdAt'],
  statuses: { rolloutState: rolloutLooks },
})

const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('update-rule:filter.search') },
  anyOf('states', t('update-rule:column.state'), rolloutStates, (state) => t(`vocabulary:rolloutState.${state}`)),
  whether('hasBad', t('update-rule:filter.bad'), t('update-rule:filter.withBad'), t('update-rule:filter.withoutBad')),
]

const order = { ord: 'createdAt', ordType: 'DESC' } as const
/** A rule that needs a decision. */
const toneOf = ({ state, bad }: UpdateRule) =>
  state === 'halted' ? ('crit' as const) : bad > 0 && state === 'running' ? ('warn' as const) : undefined

/** Rules of a kind with their rollouts. */
function RuleList({ kind }: { kind: RuleKind }) {
  const { words, list, page, param, files, write, row } = kinds[kind]
  const { t } = useTranslation(words)
  return (
    <ListScreen
      id={files}
      words={words}
      row={row as typeof kinds.firmware.row}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={({ id }) => ({ to: page, params: { [param]: id } })}
      toneOf={toneOf}
      create={{ name: t('create'), needs: write, does: { to: `${list}/create` } }}
      exports={files}
    />
  )
}

export const FirmwareRules = () => <RuleList kind="firmware" />
export const CashDatabaseRules = () => <RuleList kind="cashDatabase" />
