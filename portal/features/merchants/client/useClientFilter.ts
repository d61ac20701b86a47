import { useTranslation } from 'react-i18next'
import { clients } from '#contract/merchants/client.ts'
import { useRecordFilter } from '#portal/ui/list/filters/useRecordFilter.ts'

const rows = { list: clients.listClients, get: clients.getClient, param: 'clientId' }

/** A filter by one client, or by any of several. */
export function useClientFilter(key: 'clientId' | 'clientIds' = 'clientId') {
  const { t } = useTranslation('shell')
  return useRecordFilter(rows, { key, kind: key === 'clientIds' ? 'multi' : 'select', name: t('screens.client') })
}
