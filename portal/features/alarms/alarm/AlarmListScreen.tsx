import { alarms } from '#contract/alarms/alarm.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { useAlarmList } from './useAlarmList.tsx'

/** Alarms of all machines, the open ones first. */
export default function AlarmListScreen() {
  const { list, drawer } = useAlarmList()
  return (
    <>
      <ListScreen id="alarms" exports="alarms" row={alarms.listAlarms} {...list} />
      {drawer}
    </>
  )
}
