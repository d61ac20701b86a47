import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Webhook, webhooks } from '#contract/merchants/webhook.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMay } from '#portal/app/session/useMay.ts'
import { formWidth } from '#portal/ui/form/FormScreen.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { Note } from '#portal/ui/page/Note.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'
import { When } from '#portal/ui/time/When.tsx'
import { SecretForm } from './SecretForm.tsx'
import { SecretShown } from './SecretShown.tsx'
import { webhookLooks } from './webhookLooks.ts'
import { Details } from './webhookRecord.tsx'

/** How it goes for a webhook, its secret, and its fields. */
export default function WebhookDetailsTab() {
  const { data } = useRecord(webhooks.getWebhook, 'webhookId')
  return (
    <Stack gap="md">
      {data && (
        <Stack gap="md" maw={formWidth}>
          <State webhook={data} />
          <Secret webhook={data} />
        </Stack>
      )}
      <Details />
    </Stack>
  )
}

function State({ webhook: { state, failingSince, stoppedAt, timeZone } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhook')
  const { instant } = useFormat()
  const written = (at: string | null) => {
    const date = instantOf(at)
    return date ? instant(date, 'minute', timeZone) : ''
  }
  const facts = { since: written(failingSince), at: written(stoppedAt) }
  return <Note tone={webhookLooks[state].tone}>{t(`status.${state}`, facts)}</Note>
}

function Secret({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhook')
  const mayRotate = useMay(webhooks.rotateWebhookSecret)
  const [open, setOpen] = useState<'form' | { secret: string }>()
  const { secretMadeAt, formerUntil, name } = webhook
  const close = () => setOpen(undefined)
  return (
    <Card
      title={t('secret.title')}
      actions={
        mayRotate && (
          <Button variant={secretMadeAt ? 'default' : 'filled'} size="xs" onClick={() => setOpen('form')}>
            {t(secretMadeAt ? 'secret.rotate' : 'secret.make')}
          </Button>
        )
      }
    >
      <Group gap="near">
        <Text c="dimmed">
          {secretMadeAt ? (
            <>
              {t('secret.made')} <When at={secretMadeAt} />
            </>
          ) : (
            t('secret.never')
          )}
        </Text>
        {formerUntil && (
          <Text c="dimmed">
            {t('secret.former')} <When at={formerUntil} as="exact" />
          </Text>
        )}
      </Group>
      <Modal
        opened={open !== undefined}
        onClose={close}
        size="lg"
        title={
          typeof open === 'object' ? t('secret.shown', { name }) : t(secretMadeAt ? 'secret.rotate' : 'secret.make')
        }
        // A secret is shown once, so a click outside does not close it.
        closeOnClickOutside={typeof open !== 'object'}
        withCloseButton={false}
      >
        {open === 'form' && <SecretForm webhook={webhook} done={(secret) => setOpen({ secret })} cancel={close} />}
        {typeof open === 'object' && <SecretShown secret={open.secret} close={close} />}
      </Modal>
    </Card>
  )
}
