import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { machines, warrantyStates } from '#contract/machines/machine.ts'
import { machineStates } from '#contract/machines/machine-state.ts'
import { connections, deviceTypeNames, deviceTypes, posStatuses } from '#contract/vocabulary/device.ts'
import { posSectors } from '#contract/vocabulary/pos-sector.ts'
import { queryOf } from '#portal/app/api.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { isId, manyOf } from '#portal/app/search.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useNoVendFilter } from '#portal/features/catalogue/no-vend-profile/useNoVendFilter.ts'
import { usePlanogramFilter } from '#portal/features/catalogue/planogram/usePlanogramFilter.ts'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { anyOf, oneOf, whether } from '#portal/ui/list/filters/filters.ts'
import type { Filter } from '#portal/ui/list/types.ts'

/** Choices for the filter by days without data. */
export const daysOffered = [1, 3, 7, 14, 30, 90]

/** The filters of machine lists. Single machines, from a place on the map, can be removed but not chosen here. */
export function useMachineFilters(): Filter[] {
  const { t } = useTranslation(['machine', 'machine-act', 'vocabulary'])
  const merchant = useMerchant()
  const groups = useGroupOptions()
  const search = useAddressQuery()
  const ids = manyOf(search, 'ids').filter(isId)
  const isOfPlace = ids.length > 0
  // Versions are set by a link from the report; the list offers no others.
  const versionsText = manyOf(search, 'firmwareVersions').join('\n')
  const versions = useMemo(() => (versionsText ? versionsText.split('\n') : []), [versionsText])
  const { data: points } = useQuery({
    ...queryOf(machines.mapMachines, { params: { merchantId: merchant.id }, query: { ids, hidden: 'all' } }),
    enabled: isOfPlace,
  })
  const client = useClientFilter()
  const { me } = useSession()
  // A filter by a field of a feature names one merchant.
  const hasPlanograms =
    !merchant.isAll && merchant.features.has('vending') && Boolean(me && roleMay(me.role, 'planogram.read'))
  const planogram = usePlanogramFilter(hasPlanograms)
  const hasProfiles =
    !merchant.isAll && merchant.features.has('vending') && Boolean(me && roleMay(me.role, 'noVendProfile.read'))
  const noVend = useNoVendFilter(hasProfiles)
  const filters = useMemo(
    (): Filter[] => [
      { key: 'search', kind: 'text', name: t('machine:filter.search') },
      anyOf('states', t('machine:filter.state'), machineStates, (value) => t(`vocabulary:machineState.${value}`)),
      anyOf('posStatus', t('machine:column.posStatus'), posStatuses, (name) => t(`vocabulary:posStatus.${name}`)),
      { key: 'groupIds', kind: 'multi', name: t('machine:filter.group'), options: groups },
      client,
      ...(hasPlanograms ? [planogram] : []),
      ...(hasProfiles ? [noVend] : []),
      anyOf('sectors', t('machine:fact.sector'), posSectors, (value) => t(`vocabulary:posSector.${value}`)),
      anyOf('deviceTypes', t('machine:filter.type'), deviceTypes, (value) => deviceTypeNames[value]),
      whether('soldOut', t('machine:filter.stock'), t('machine:filter.soldOut'), t('machine:filter.notSoldOut')),
      anyOf('connections', t('machine:column.connection'), connections, (name) => t(`vocabulary:connection.${name}`)),
      oneOf('withoutDataDays', t('machine-act:filter.withoutData'), daysOffered, (count) =>
        t('machine-act:filter.days', { count }),
      ),
      ...(versions.length > 0
        ? [anyOf('firmwareVersions', t('machine:column.firmware'), versions, (value) => value)]
        : []),
      whether(
        'fullCashBox',
        t('machine:filter.cashBox'),
        t('machine:filter.cashBoxFull'),
        t('machine:filter.cashBoxNotFull'),
      ),
      anyOf('warranties', t('machine-act:filter.warranty'), warrantyStates, (value) =>
        t(value === 'none' ? 'machine-act:filter.warrantyNone' : `machine:warranty.${value}`),
      ),
      { key: 'warrantyRangeDate', kind: 'range', name: t('machine-act:filter.warrantyRange'), isAhead: true },
      { key: 'createdRangeDate', kind: 'range', name: t('machine-act:filter.created') },
      { key: 'lastUpdateRangeDate', kind: 'range', name: t('machine-act:filter.updated') },
      oneOf('hidden', t('machine-act:filter.hidden'), ['only', 'all'], (value) =>
        t(value === 'only' ? 'machine-act:filter.hiddenOnly' : 'machine-act:filter.hiddenAll'),
      ),
      ...(isOfPlace
        ? [
            {
              key: 'ids',
              kind: 'multi' as const,
              name: t('machine:filter.place'),
              options: points?.flatMap((spot) => ('id' in spot ? [{ value: spot.id, label: spot.name }] : [])),
            },
          ]
        : []),
    ],
    [t, groups, client, hasPlanograms, planogram, hasProfiles, noVend, isOfPlace, points, versions],
  )
  return useGroupSearch(filters)
}
