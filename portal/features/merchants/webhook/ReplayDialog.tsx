import { Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ReplayOrder, type Webhook, webhooks } from '#contract/merchants/webhook.ts'
import { useCommand } from '#portal/app/api.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { InstantField } from '#portal/ui/form/choices/InstantField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'

/** Asks for a period whose messages are sent again. */
export function ReplayDialog({ webhook, isOpen, close }: { webhook: Webhook; isOpen: boolean; close: () => void }) {
  const { t } = useTranslation('webhook')
  return (
    <Modal opened={isOpen} onClose={close} size="lg" title={t('replay.title')}>
      {isOpen && <ReplayForm webhook={webhook} close={close} />}
    </Modal>
  )
}

const dayMs = 86_400_000

function ReplayForm({
  webhook: { id: webhookId, merchantId, timeZone },
  close,
}: {
  webhook: Webhook
  close: () => void
}) {
  const { t } = useTranslation('webhook')
  const now = new Date()
  const form = useSchemaForm<ReplayOrder>(ReplayOrder, {
    from: new Date(now.getTime() - dayMs).toISOString(),
    to: now.toISOString(),
    which: 'failed',
  })
  const replay = useCommand(webhooks.replayWebhook, { isQuiet: true })
  const save = async (body: ReplayOrder) => {
    const { messages, left } = await replay.mutateAsync({ params: { merchantId, webhookId }, body })
    toast.success(left ? 'webhook:replay.more' : 'webhook:replay.done', { count: messages })
    close()
  }
  return (
    <FormScreen
      form={form}
      save={save}
      isReady
      saveName={t('replay.confirm')}
      codes={{ PeriodReversed: 'to' }}
      isSaving={replay.isPending}
      cancel={close}
      error={replay.error}
    >
      <Text>{t('replay.text')}</Text>
      <InstantField form={form} name="from" label={t('replay.from')} timeZone={timeZone} />
      <InstantField form={form} name="to" label={t('replay.to')} timeZone={timeZone} />
      <Stack gap="tight">
        <Text fz="sm">{t('replay.which')}</Text>
        <SegmentedControl
          aria-label={t('replay.which')}
          data={(['failed', 'all'] as const).map((value) => ({ value, label: t(`replay.${value}`) }))}
          {...form.getInputProps('which')}
        />
      </Stack>
    </FormScreen>
  )
}
