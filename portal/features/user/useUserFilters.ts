import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roles } from '#contract/vocabulary/roles.ts'
import { userStatuses } from '#contract/vocabulary/user.ts'
import { useMerchant, useMerchants } from '../../app/merchant.tsx'
import type { Filter } from '../../ui/list/types.ts'
import { useGroupOptions, useGroupSearch } from '../group/useGroupOptions.ts'

/** What people are filtered by; `isAdmin` leaves groups out. */
export function useUserFilters(isAdmin: boolean): Filter[] {
  const { t } = useTranslation(['user', 'shell'])
  const merchant = useMerchant()
  const merchants = useMerchants()
  const groups = useGroupOptions()
  const filters = useMemo((): Filter[] => {
    const ofMerchant: Filter = {
      key: 'merchantIds',
      kind: 'multi',
      name: t('user:filter.merchant'),
      options: merchants.map(({ id, name }) => ({ value: id, label: name })),
    }
    const ofGroup: Filter = { key: 'groupIds', kind: 'multi', name: t('user:filter.group'), options: groups }
    return [
      { key: 'search', kind: 'text', name: t('user:filter.search') },
      {
        key: 'roles',
        kind: 'multi',
        name: t('user:column.role'),
        values: roles,
        options: roles.map((value) => ({ value, label: t(`shell:roles.${value}`) })),
      },
      {
        key: 'statuses',
        kind: 'multi',
        name: t('user:column.status'),
        values: userStatuses,
        options: userStatuses.map((value) => ({ value, label: t(`user:status.${value}`) })),
      },
      ...(isAdmin || merchant.isAll ? [ofMerchant] : []),
      ...(isAdmin ? [] : [ofGroup]),
      {
        key: 'receiveNotifications',
        kind: 'select',
        name: t('user:filter.notifications'),
        values: ['true', 'false'],
        options: [
          { value: 'true', label: t('user:filter.yes') },
          { value: 'false', label: t('user:filter.no') },
        ],
      },
      {
        key: 'mayLicense',
        kind: 'select',
        name: t('user:filter.licences'),
        values: ['true', 'false'],
        options: [
          { value: 'true', label: t('user:filter.mayLicense') },
          { value: 'false', label: t('user:filter.mayNotLicense') },
        ],
      },
    ]
  }, [t, isAdmin, merchant.isAll, merchants, groups])
  return useGroupSearch(filters)
}
