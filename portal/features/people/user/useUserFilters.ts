import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roles } from '#contract/vocabulary/roles.ts'
import { userStatuses } from '#contract/vocabulary/user.ts'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyOf, whether } from '#portal/ui/list/filters/filters.ts'
import type { Filter } from '#portal/ui/list/types.ts'

/** The filters of users; `isAdmin` leaves groups out. */
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
      anyOf('roles', t('user:column.role'), roles, (value) => t(`shell:roles.${value}`)),
      anyOf('statuses', t('user:column.status'), userStatuses, (value) => t(`user:status.${value}`)),
      ...(isAdmin || merchant.isAll ? [ofMerchant] : []),
      ...(isAdmin ? [] : [ofGroup]),
      whether('receiveNotifications', t('user:filter.notifications'), t('user:filter.yes'), t('user:filter.no')),
      whether('mayLicense', t('user:filter.licences'), t('user:filter.mayLicense'), t('user:filter.mayNotLicense')),
    ]
  }, [t, isAdmin, merchant.isAll, merchants, groups])
  return useGroupSearch(filters)
}
