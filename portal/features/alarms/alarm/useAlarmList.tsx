import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Alarm } from '#contract/alarms/alarm.ts'
import { useAddressQuery } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { manyOf } from '#portal/app/search.ts'
import { useClientFilter } from '#portal/features/merchants/client/useClientFilter.ts'
import { useGroupOptions, useGroupSearch } from '#portal/features/merchants/group/useGroupOptions.ts'
import { useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import type { BulkAction } from '#portal/ui/list/types.ts'
import { AlarmDrawer } from './AlarmDrawer.tsx'
import { alarmFilters, alarmKey, alarmViews, isOpen } from './alarmFilters.ts'
import { useAlarmActs } from './useAlarmActs.tsx'
import { useAlarmColumns } from './useAlarmColumns.tsx'
import { useAlarmCounts } from './useAlarmCounts.ts'

const order = { ord: 'createdAt', ordType: 'DESC' } as const
const toneOf = ({ criticity, repairedAt }: Alarm) => (criticity === 4 && !repairedAt ? 'crit' : undefined)
const noGroups: never[] = []

/** The shared list of alarms: of all machines, of one machine or of a client; `drawer` belongs beside the list. */
export function useAlarmList({ posId, clientId }: { posId?: string; clientId?: string } = {}) {
  const { t } = useTranslation(['alarm', 'vocabulary'])
  const merchant = useMerchant()
  const groups = useGroupOptions()
  const counts = useAlarmCounts(merchant.id, { posId, clientId })
  const client = useClientFilter('clientIds')
  const statuses = manyOf(useAddressQuery(), 'statuses')
  const showsRepaired = statuses.length > 0 && !statuses.every((status) => isOpen({ status }))
  const filters = useGroupSearch(
    useMemo(
      () => alarmFilters(t, posId ? noGroups : groups, posId !== undefined, posId || clientId ? undefined : client),
      [t, groups, posId, clientId, client],
    ),
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
      words: 'alarm',
      columns,
      filters,
      order,
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
