import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useBlockingCount } from './useAlarmCounts.ts'

/** The number of open blocking alarms beside the menu's "Alarms"; hidden when there are none. */
export default function BlockingCount() {
  const { t, i18n } = useTranslation('alarm', { useSuspense: true })
  const format = useFormat()
  const count = useBlockingCount(useMerchant().id)
  if (!count || !i18n.hasLoadedNamespace('alarm')) return null
  const number = format.number(count)
  return <span title={t('openCount', { count, number })}>{number}</span>
}
