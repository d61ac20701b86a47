import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { alarms } from '#contract/alarms/alarm.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { useAlarmList } from './useAlarmList.tsx'

/** Alarms of a client's machines, as a tab of its page. */
export default function ClientAlarms() {
  const { t } = useTranslation('alarm')
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  const { list, dialog } = useAlarmList({ clientId })
  return (
    <>
      <ListScreen
        id="clientAlarms"
        exports="alarms"
        isEmbedded
        row={alarms.listAlarms}
        fixed={{ clientIds: [clientId] }}
        empty={{ title: t('empty.title'), text: t('emptyClient.text') }}
        {...list}
      />
      {dialog}
    </>
  )
}
