import { Box, Button, Flex, Stack, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NothingRefunded, type RefundBatch, refunds } from '#contract/cashless/refund.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { newId } from '#portal/app/uuid.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { useRefundOrder } from './useRefundOrder.tsx'

/** Refunds the same amount to many media, named by their serials. The dialog then shows what was done. */
export function BatchRefundDialog({ serials, close }: { serials: readonly string[]; close: () => void }) {
  const { t } = useTranslation(['refund', 'form', 'ui'])
  const { id: merchantId } = useMerchant()
  const { order, device, fields, batchMaximum } = useRefundOrder(merchantId)
  const [{ text, id }, setContent] = useKeptState('batch refund', () => ({ text: serials.join('\n'), id: newId() }))
  const [done, setDone] = useState<RefundBatch>()
  const [refused, setRefused] = useState<RefundBatch['refused']>([])
  const batch = useCommand(refunds.refundBatch, { isQuiet: true })
  const lines = text.split(/[\n,;]+/).flatMap((line) => line.trim() || [])
  const isTooMany = batchMaximum !== undefined && lines.length > batchMaximum
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!order || lines.length === 0 || isTooMany) return
    setRefused([])
    const body = { id, mediaSerials: lines, refund: order, ...(device && { device }) }
    try {
      const answer = await batch.mutateAsync({ params: { merchantId }, body })
      setDone(answer)
      setRefused(answer.refused)
      toast.success('refund:batch.done', { count: answer.refunded.length })
    } catch (error) {
      const nothing = NothingRefunded.safeParse((error as { facts?: unknown }).facts)
      if (nothing.success) setRefused(nothing.data.refused)
      toast.error(error)
    }
  }
  return (
    <Dialog onClose={close} title={t('refund:batch.title')}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          {done ? (
            <Text c="dimmed">{t('refund:batch.done', { count: done.refunded.length })}</Text>
          ) : (
            <>
              <Textarea
                label={t('refund:batch.serials')}
                description={t('refund:batch.count', { count: lines.length })}
                value={text}
                // Another content is another batch.
                onChange={(event) => setContent({ text: event.currentTarget.value, id: newId() })}
                error={isTooMany && t('form:rule.batchRefund', { maxSize: batchMaximum })}
                autosize
                minRows={4}
                maxRows={10}
                required
              />
              {fields}
            </>
          )}
          {refused.length > 0 && (
            <div role="status">
              <Text c="dimmed">{t('refund:batch.refused', { count: refused.length })}</Text>
              <Box component="ul" ps="1.2em" mah="12em" className="marked scrolls-down">
                {refused.map(({ mediaSerial, reason }) => (
                  <li key={mediaSerial}>
                    {mediaSerial}: {t(`refund:refusal.${reason}`)}
                  </li>
                ))}
              </Box>
            </div>
          )}
          <Flex gap="sm" wrap="wrap" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t(done ? 'ui:close' : 'ui:cancel')}
            </Button>
            {!done && (
              <Button type="submit" disabled={!order || lines.length === 0 || isTooMany} loading={batch.isPending}>
                {t('refund:batch.confirm', { count: lines.length })}
              </Button>
            )}
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
