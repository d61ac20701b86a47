import { Button, Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type WebhookMessageContent, webhooks } from '#contract/merchants/webhook.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { DetailDrawer, DrawerPart } from '#portal/ui/dialog/DetailDrawer.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { messageLooks } from './webhookLooks.ts'

interface Props {
  params: { merchantId: string; webhookId: string }
  messageId: string | undefined
  timeZone: string
  close: () => void
}

/** One message with its body and the answer, and a button to send it again. */
export function MessageDrawer({ params, messageId, timeZone, close }: Props) {
  const { t } = useTranslation('webhook')
  const path = { ...params, webhookMessageId: messageId ?? '' }
  const { data, error, refetch } = useQuery({
    ...queryOf(webhooks.getWebhookMessage, { params: path }),
    enabled: messageId !== undefined,
  })
  const mayRetry = useMay(webhooks.retryWebhookMessage)
  const retry = useCommand(webhooks.retryWebhookMessage, { says: 'webhook:message.retried' })
  const message = messageId ? data : undefined
  return (
    <DetailDrawer
      isOpen={messageId !== undefined}
      close={close}
      title={message && t(`event.${message.event}`)}
      badges={message && <StatusBadge of={messageLooks} value={message.state} />}
      error={message ? undefined : error}
      retry={refetch}
      actions={
        message &&
        mayRetry && (
          <Button loading={retry.isPending} onClick={() => retry.mutate({ params: path })}>
            {t('message.retry')}
          </Button>
        )
      }
    >
      {message && <Message message={message} timeZone={timeZone} />}
    </DetailDrawer>
  )
}

function Message({ message, timeZone }: { message: WebhookMessageContent; timeZone: string }) {
  const { t } = useTranslation('webhook')
  const { number } = useFormat()
  const { id, at, attempts, attemptedAt, nextAt, status, fault, millis, body, answer } = message
  const exact = (instant: string | null) => instant && <When at={instant} as="exact" timeZone={timeZone} />
  return (
    <>
      <DrawerPart name={t('message.answer')} note={timeZone}>
        <Facts
          facts={[
            { name: t('message.answer'), value: status ?? (fault ? t(`fault.${fault}`) : t('message.noAnswer')) },
            { name: t('message.attempts'), value: number(attempts) },
            { name: t('message.attemptedAt'), value: exact(attemptedAt) },
            { name: t('message.millis'), value: millis === null ? null : number(millis) },
            { name: t('message.next'), value: exact(nextAt) },
            { name: t('message.at'), value: exact(at) },
            { name: t('column.id'), value: <CopyId value={id} /> },
          ]}
        />
      </DrawerPart>
      <DrawerPart name={t('message.request')}>
        <Code block className="breaks">
          {JSON.stringify(JSON.parse(body), null, 2)}
        </Code>
      </DrawerPart>
      {answer && (
        <DrawerPart name={t('message.body')}>
          <Text component="pre" ff="monospace" fz="fine" className="breaks">
            {answer}
          </Text>
        </DrawerPart>
      )}
    </>
  )
}
