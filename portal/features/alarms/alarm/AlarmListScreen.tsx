import { alarms } from '#contract/alarms/alarm.ts'
import { HaltedRollouts } from '#portal/features/updates/update-rule/HaltedRollouts.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { useAlarmList } from './useAlarmList.tsx'

/** Alarms of all machines, the open ones first. Above them the findings of merchants: rollouts that halted. */
export default function AlarmListScreen() {
  const { list, dialog } = useAlarmList()
  return (
    <>
      <HaltedRollouts />
      <ListScreen id="alarms" exports="alarms" row={alarms.listAlarms} {...list} />
      {dialog}
    </>
  )
}
