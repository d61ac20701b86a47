import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Alarm } from '#contract/alarms/alarm.ts'
import { alarmCriticities } from '#contract/vocabulary/alarm.ts'
import { useFeatureOf } from '#portal/app/feature.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useOpenPanel } from '#portal/app/panel.ts'
import { manyOf } from '#portal/app/search.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { useMachineFilter } from '#portal/ui/list/filters/useMachineFilter.ts'
import type { BulkAction, Filter } from '#portal/ui/list/types.ts'
import { useHasGuide } from '../troubleshooting/useHasGuide.ts'
import { columnsOf } from './alarmColumns.tsx'
import { alarmFilters, alarmKey, alarmViews, isOpen } from './alarmFilters.ts'
import { useAlarmName } from './alarmName.ts'
import { useAlarmActs } from './useAlarmActs.tsx'
import { useAlarmCounts } from './useAlarmCounts.ts'

/** Blocking alarms first, and of one severity the newest. */
const order = { ord: 'criticity', ordType: 'DESC' } as const
const toneOf = ({ criticity, repairedAt }: Alarm) =>
  criticity === alarmCriticities.blocking && !repairedAt ? 'crit' : undefined
const panelOf = (alarm: Alarm) => ({ kind: 'alarm', id: alarmKey(alarm) }) as const
const noGroups: never[] = []

/** The shared list of alarms: of all machines, of one machine or of a client; `dialog` belongs beside the list. */
export function useAlarmList({ posId, clientId }: { posId?: string; clientId?: string } = {}) {
  const { t } = useTranslation(['alarm', 'vocabulary'])
  const merchant = useMerchant()
  const me = useSession().me?.id
  const groups = useGroupOptions()
  const counts = useAlarmCounts(merchant.id, { posId, clientId })
  const client = useClientFilter('clientIds')
  const search = useAddressQuery()
  const statuses = manyOf(search, 'statuses')
  const alarmName = useAlarmName()
  const machine = useMachineFilter(t('alarm:column.machine'), clientId)
  // Codes come with a link, such as a report's.
  const codesText = JSON.stringify(manyOf(search, 'codes'))
  const showsRepaired = statuses.length > 0 && !statuses.every((status) => isOpen({ status }))
  const filters = useGroupSearch(
    useMemo(() => {
      const codes = JSON.parse(codesText) as string[]
      const linked: Filter[] = [
        ...(codes.length > 0
          ? [
              {
                key: 'codes',
                kind: 'multi' as const,
                name: t('alarm:fact.code'),
                isFree: true,
                options: codes.map((code) => ({ value: code, label: alarmName(code) })),
              },
            ]
          : []),
        ...(posId ? [] : [machine]),
      ]
      const other = posId || clientId ? undefined : client
      return alarmFilters(t, posId ? noGroups : groups, posId !== undefined, other, linked, me)
    }, [t, groups, posId, clientId, client, codesText, alarmName, machine, me]),
  )
  const show = useOpenPanel()
  const open = useCallback((alarm: Alarm) => show(panelOf(alarm)), [show])
  const hasText = useHasGuide()
  const mayBeGuided = useFeatureOf('advancedAlarms')
  const columns = useMemo(
    () =>
      columnsOf({
        isOfMachine: posId !== undefined,
        showsRepaired,
        nameOf: alarmName,
        hasGuide: ({ code, merchantId }) => mayBeGuided(merchantId) && hasText(code),
        open,
      }),
    [posId, showsRepaired, alarmName, mayBeGuided, hasText, open],
  )
  const acts = useAlarmActs()
  const bulk: BulkAction<Alarm>[] = [
    {
      key: 'repair',
      needs: 'alarm.write',
      name: t('alarm:repair.do'),
      run: (selection, clear) =>
        selection.kind === 'rows'
          ? acts.askRepair(selection.items, clear)
          : acts.askRepairMatching(
              posId ? { ...selection, filters: { ...selection.filters, posIds: [posId] } } : selection,
              clear,
            ),
    },
  ]
  return {
    list: {
      words: 'alarm',
      columns,
      filters,
      order,
      toneOf,
      views: alarmViews(t, counts, me),
      bulk,
      panelOf,
    },
    dialog: acts.dialog,
  }
}
