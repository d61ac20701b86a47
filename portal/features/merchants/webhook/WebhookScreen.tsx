import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Webhook, webhooks } from '#contract/merchants/webhook.ts'
import { useCommand } from '#portal/app/api.ts'
import { RecordPage } from '#portal/ui/page/RecordPage.tsx'

const tabs = { details: '/manage/webhooks/$webhookId', webhookMessages: '/manage/webhooks/$webhookId/messages' }

/** A webhook: its receiver with the secret, and what was sent to it. */
export default function WebhookScreen() {
  return (
    <RecordPage
      get={webhooks.getWebhook}
      param="webhookId"
      words="webhook"
      remove={webhooks.deleteWebhook}
      list="/manage/webhooks"
      subtitle={({ url }) => [url]}
      actions={(webhook) => <TestButton webhook={webhook} />}
      tabs={tabs}
    />
  )
}

function TestButton({ webhook: { id: webhookId, merchantId, state } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhook')
  const test = useCommand(webhooks.testWebhook, { says: 'webhook:test.done' })
  if (state !== 'working' && state !== 'failing') return null
  return (
    <Button
      variant="default"
      leftSection={<IconSend size={15} aria-hidden />}
      loading={test.isPending}
      onClick={() => test.mutate({ params: { merchantId, webhookId } })}
    >
      {t('test.do')}
    </Button>
  )
}
