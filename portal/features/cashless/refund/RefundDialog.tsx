import { Button, Flex, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Media } from '#contract/cashless/media.ts'
import { type Refund, refunds } from '#contract/cashless/refund.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { newId } from '#portal/app/uuid.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { useRefundOrder } from './useRefundOrder.tsx'

/** Refunds an amount to a medium: at once, or at a machine where it collects it. */
export function RefundDialog({ media, close }: { media: Media; close: () => void }) {
  const { t } = useTranslation(['refund', 'ui'])
  const format = useFormat()
  const { order, device, fields } = useRefundOrder(media.merchantId)
  // One dialog is one refund: a second click, or a repeat after a lost answer, has no second effect.
  const [id] = useState(newId)
  const options = {
    says: ({ amount, currency }: Refund) => ({
      key: 'refund:done',
      values: { amount: format.money(amount, currency) },
    }),
    onDone: close,
  }
  const atOnce = useCommand(refunds.refundMedia, options)
  const atMachine = useCommand(refunds.refundMediaAtMachine, options)
  const params = { merchantId: media.merchantId, mediaId: media.id }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!order) return
    if (device) atMachine.mutate({ params, body: { id, refund: order, device } })
    else atOnce.mutate({ params, body: { id, refund: order } })
  }
  return (
    <Dialog onClose={close} title={t('refund:one.title', { name: media.serial })}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {fields}
          <Flex gap="sm" wrap="wrap" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" disabled={!order} loading={atOnce.isPending || atMachine.isPending}>
              {t('refund:one.confirm')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
