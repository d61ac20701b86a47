import { useTranslation } from 'react-i18next'
import { alarms } from '#contract/alarms/alarm.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { useAlarmList } from './useAlarmList.tsx'

/** Alarms of all machines, the open ones first. */
export default function AlarmListScreen() {
  const { t } = useTranslation('alarm')
  const merchant = useMerchant()
  const { list, drawer } = useAlarmList()
  return (
    <>
      <ListScreen
        id="alarms"
        exports="alarms"
        row={alarms.listAlarms}
        params={{ merchantId: merchant.id }}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
        {...list}
      />
      {drawer}
    </>
  )
}
