import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  remoteCommandResults,
  remoteCommandStatuses,
  remoteCommandTypeNumbers,
} from '#contract/vocabulary/remote-command.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { manyOf } from '#portal/app/search.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyKnown, anyOf } from '#portal/ui/list/filters/filters.ts'
import type { Filter } from '#portal/ui/list/types.ts'
import { useCommandName } from '../commandNames.ts'

const noGroups: never[] = []

/** Filters of commands to all machines, or to one. */
export function useCommandFilters(posId: string | undefined): Filter[] {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  const nameOf = useCommandName()
  const orders = manyOf(useAddressQuery(), 'orderIds').join(' ')
  const allGroups = useGroupOptions()
  const groups = posId ? noGroups : allGroups
  return useGroupSearch(
    useMemo(
      (): Filter[] => [
        ...(posId ? [] : [{ key: 'search', kind: 'text' as const, name: t('remote-command:filter.search') }]),
        anyOf('types', t('remote-command:column.command'), remoteCommandTypeNumbers, nameOf),
        anyOf('statuses', t('remote-command:column.status'), remoteCommandStatuses, (name) =>
          t(`vocabulary:commandStatus.${name}`),
        ),
        anyOf('results', t('remote-command:column.result'), remoteCommandResults, (name) =>
          t(`vocabulary:commandResult.${name}`),
        ),
        ...anyKnown('groupIds', t('remote-command:filter.group'), groups),
        // Set by a batch's own page; it can be removed but not chosen here.
        ...anyKnown(
          'orderIds',
          t('remote-command:filter.order'),
          orders === '' ? [] : orders.split(' ').map((id) => ({ value: id, label: `…${id.slice(-8)}` })),
        ),
        { key: 'period', kind: 'period', name: t('remote-command:filter.period') },
      ],
      [t, nameOf, posId, groups, orders],
    ),
  )
}
