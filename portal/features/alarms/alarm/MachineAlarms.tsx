import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { alarms } from '#contract/alarms/alarm.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { useAlarmList } from './useAlarmList.tsx'

/** Alarms of one machine, as a tab of its page. */
export default function MachineAlarms() {
  const { t } = useTranslation('alarm')
  const { posId } = useParams({ strict: false }) as { posId: string }
  const { list, dialog } = useAlarmList({ posId })
  return (
    <>
      <ListScreen
        id="machineAlarms"
        exports="alarms"
        isEmbedded
        row={alarms.listMachineAlarms}
        params={{ posId }}
        empty={{ title: t('empty.title'), text: t('emptyMachine.text') }}
        {...list}
      />
      {dialog}
    </>
  )
}
