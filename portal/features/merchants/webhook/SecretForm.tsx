import { Button, Flex, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Webhook, webhooks } from '#contract/merchants/webhook.ts'
import { useCommand } from '#portal/app/api.ts'

/** How long the previous secret signs as well, in hours. */
const graces = [0, 1, 24, 168] as const

/** Makes a secret; the previous one may sign as well for a while. */
export function SecretForm({
  webhook: { id: webhookId, merchantId, secretMadeAt },
  done,
  cancel,
}: {
  webhook: Webhook
  done: (secret: string) => void
  cancel: () => void
}) {
  const { t } = useTranslation(['webhook', 'ui'])
  const [graceHours, setGrace] = useState<number>(secretMadeAt ? 24 : 0)
  const rotate = useCommand(webhooks.rotateWebhookSecret)
  const act = async () => {
    const { secret } = await rotate.mutateAsync({ params: { merchantId, webhookId }, body: { graceHours } })
    done(secret)
  }
  return (
    <Stack gap="md">
      <p>{t(secretMadeAt ? 'webhook:secret.text' : 'webhook:status.noSecret')}</p>
      {secretMadeAt && (
        <NativeSelect
          label={t('webhook:secret.grace')}
          value={String(graceHours)}
          onChange={(event) => setGrace(Number(event.currentTarget.value))}
          data={graces.map((hours) => ({ value: String(hours), label: t(`webhook:graceOf.${hours}`) }))}
        />
      )}
      <Flex gap="near" justify="flex-end">
        <Button variant="default" onClick={cancel} disabled={rotate.isPending}>
          {t('ui:cancel')}
        </Button>
        <Button loading={rotate.isPending} onClick={() => void act().catch(() => undefined)}>
          {t(secretMadeAt ? 'webhook:secret.rotate' : 'webhook:secret.make')}
        </Button>
      </Flex>
    </Stack>
  )
}
