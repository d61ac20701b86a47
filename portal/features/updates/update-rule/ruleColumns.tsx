import type { FirmwareRule } from '#contract/updates/firmware-rule.ts'
import { rolloutStates } from '#contract/updates/rollout-state.ts'
import { ruleColumns, ruleOrds } from '#contract/updates/update-rule.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { rolloutLooks } from './rolloutLooks.ts'

/** What both kinds of rules show in their list. */
type Listed = Omit<FirmwareRule, 'firmwareId'>

export const columns = recordColumns<Listed>(ruleColumns, ruleOrds, {
  lines: ['release'],
  hidden: ['createdAt'],
  looks: {
    state: { card: 'badge', cell: ({ state }) => <StatusBadge of={rolloutLooks} value={state} /> },
  },
})

export const filters = ({ t }: Say): Filter[] => [
  { key: 'search', kind: 'text', name: t('update-rule:filter.search') },
  anyOf('states', t('update-rule:column.state'), rolloutStates, (state) => t(`vocabulary:rolloutState.${state}`)),
  whether('hasBad', t('update-rule:filter.bad'), t('update-rule:filter.withBad'), t('update-rule:filter.withoutBad')),
]

export const order = { ord: 'createdAt', ordType: 'DESC' } as const
/** A rule that needs a decision. */
export const toneOf = ({ state, bad }: Listed) =>
  state === 'halted' ? ('crit' as const) : bad > 0 && state === 'running' ? ('warn' as const) : undefined
