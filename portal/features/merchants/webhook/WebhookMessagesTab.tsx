import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Webhook,
  type WebhookMessage,
  webhookMessageColumns,
  webhookMessageOrds,
  webhooks,
} from '#contract/merchants/webhook.ts'
import { webhookEvents, webhookMessageStates } from '#contract/merchants/webhook-vocabulary.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import { anyOf } from '#portal/ui/list/filters/filters.ts'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import type { Filter } from '#portal/ui/list/types.ts'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { MessageDrawer } from './MessageDrawer.tsx'
import { ReplayDialog } from './ReplayDialog.tsx'
import { messageLooks } from './webhookLooks.ts'

const order = { ord: 'at', ordType: 'DESC' } as const

const columns = recordColumns<WebhookMessage>(webhookMessageColumns, webhookMessageOrds, ({ t }: Say) => ({
  aside: 'at',
  hidden: ['millis'],
  statuses: { webhookMessageState: messageLooks },
  looks: {
    status: {
      cell: ({ status, fault, attempts }) =>
        status ?? (fault ? t(`webhook:fault.${fault}`) : attempts > 0 ? t('webhook:message.noAnswer') : null),
      width: 220,
    },
  },
}))

const filters = ({ t }: Say): Filter[] => [
  anyOf('states', t('webhook:filter.state'), webhookMessageStates, (state) => t(`webhook:messageState.${state}`)),
  anyOf('events', t('webhook:filter.event'), webhookEvents, (event) => t(`webhook:event.${event}`)),
]

/** What was sent to a webhook, with its answers. */
export default function WebhookMessagesTab() {
  const { data } = useRecord(webhooks.getWebhook, 'webhookId')
  return data ? <Messages webhook={data} /> : null
}

function Messages({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhook')
  const { key, open, close } = useOpenDetail('message')
  const [isReplaying, setReplaying] = useState(false)
  const mayReplay = useMay(webhooks.replayWebhook)
  const { id: webhookId, merchantId } = webhook
  const params = useMemo(() => ({ merchantId, webhookId }), [merchantId, webhookId])
  return (
    <>
      <ListScreen
        id="webhookMessages"
        title={t('message.title')}
        isEmbedded
        row={webhooks.listWebhookMessages}
        params={params}
        columns={columns}
        filters={filters}
        order={order}
        onOpen={({ id }) => open(id)}
        actions={
          mayReplay && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={15} aria-hidden />}
              onClick={() => setReplaying(true)}
            >
              {t('replay.do')}
            </Button>
          )
        }
        empty={{ title: t('message.emptyTitle'), text: t('message.emptyText') }}
      />
      <MessageDrawer params={params} messageId={key} timeZone={webhook.timeZone} close={close} />
      <ReplayDialog webhook={webhook} isOpen={isReplaying} close={() => setReplaying(false)} />
    </>
  )
}
