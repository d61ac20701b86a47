import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Webhook, webhookColumns, webhookOrds, webhooks } from '#contract/merchants/webhook.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { webhookLooks } from './webhookLooks.ts'

const order = { ord: 'name', ordType: 'ASC' } as const
const placeOf = ({ id }: Webhook) => ({ to: '/manage/webhooks/$webhookId', params: { webhookId: id } })

const columns = recordColumns<Webhook>(webhookColumns, webhookOrds, {
  lines: ['url'],
  hidden: ['createdAt'],
  offCards: ['events'],
  statuses: { webhookState: webhookLooks },
  looks: { url: { width: 280 }, events: { width: 280 } },
})

/** Receivers of the merchant's events outside. */
export default function WebhookListScreen() {
  const { t } = useTranslation('webhook')
  const filters = useMemo((): Filter[] => [{ key: 'search', kind: 'text', name: t('filter.search') }], [t])
  return (
    <ListScreen
      id="webhooks"
      words="webhook"
      row={webhooks.listWebhooks}
      columns={columns}
      filters={filters}
      order={order}
      placeOf={placeOf}
      create={{ name: t('create'), needs: 'settings.write', does: { to: '/manage/webhooks/create' } }}
      exports="webhooks"
    />
  )
}
