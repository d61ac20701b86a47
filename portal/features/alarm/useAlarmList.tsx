import { useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Alarm } from '#contract/alarm.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { manyOf, type Search } from '../../app/search.ts'
import { useOpenDetail } from '../../ui/DetailDrawer.tsx'
import type { BulkAction } from '../../ui/list/types.ts'
import { useGroupOptions, useGroupSearch } from '../group/useGroupOptions.ts'
import { AlarmDrawer } from './AlarmDrawer.tsx'
import { alarmFilters, alarmKey, alarmViews, isOpen } from './alarmFilters.ts'
import { useAlarmActs } from './useAlarmActs.tsx'
import { useAlarmColumns } from './useAlarmColumns.tsx'
import { useAlarmCounts } from './useAlarmCounts.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const keyOf = ({ id }: Alarm) => id
const toneOf = ({ criticity, repairedAt }: Alarm) => (criticity === 4 && !repairedAt ? 'crit' : undefined)
const noGroups: never[] = []

/** What the list of all alarms and that of one machine have in common; `drawer` belongs beside the list. */
export function useAlarmList(posId?: string) {
  const { t } = useTranslation(['alarm', 'vocabulary'])
  const merchant = useMerchant()
  const groups = useGroupOptions()
  const counts = useAlarmCounts(merchant.id, posId)
  const statuses = manyOf(useSearch({ strict: false }) as Search, 'statuses')
  const showsRepaired = statuses.length > 0 && !statuses.every((status) => isOpen({ status }))
  const filters = useGroupSearch(
    useMemo(() => alarmFilters(t, posId ? noGroups : groups, posId !== undefined), [t, groups, posId]),
  )
  const { key, open: show, close } = useOpenDetail('alarm')
  const open = useCallback((alarm: Alarm) => show(alarmKey(alarm)), [show])
  const columns = useAlarmColumns({ isOfMachine: posId !== undefined, showsRepaired, open })
  const acts = useAlarmActs()
  const bulk: BulkAction<Alarm>[] = [
    {
      key: 'repair',
      needs: 'alarm.write',
      name: t('alarm:repair.do'),
      run: (chosen, clear) =>
        chosen.kind === 'rows'
          ? acts.askRepair(chosen.items, clear)
          : acts.askRepairMatching(
              posId ? { ...chosen, filters: { ...chosen.filters, posIds: [posId] } } : chosen,
              clear,
            ),
    },
  ]
  return {
    list: {
      title: t('alarm:title'),
      columns,
      filters,
      order,
      keyOf,
      toneOf,
      views: alarmViews(t, counts),
      bulk,
      onOpen: open,
    },
    drawer: (
      <>
        <AlarmDrawer alarmKey={key} close={close} acts={acts} />
        {acts.dialog}
      </>
    ),
  }
}
